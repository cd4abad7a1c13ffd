"""Answers to decode_runs."""

import torch

from answers import AnswersTo
from course_utils.tasks.lesson_18_capstone import task_7_decode_runs as own
from course_utils.tasks.lesson_18_capstone.fast_stages import course_decode_runs

answers = AnswersTo("decode_runs")
answers.right("cumsum of steps")(course_decode_runs)
answers.right("one element per pixel")(own.repeated)


@answers.wrong("steps assigned instead of added", "correct")
def assigned(runs, images, height, width):
    image, label, start, length = runs.unbind(1)
    first = image * height * width + start
    steps = torch.zeros(images * height * width + 1, dtype=runs.dtype, device=runs.device)
    steps[first + length] = -label
    steps[first] = label
    return steps.cumsum(0)[:-1].view(images, height, width)


@answers.wrong("runs in the order of the file", "correct", says="another order")
def in_order(runs, images, height, width):
    image, label, start, length = runs.unbind(1)
    first = image * height * width + start
    behind = torch.cat([first.new_zeros(1), (first + length)[:-1]]) if len(first) else first
    gaps = (first - behind).clamp(min=0)
    values = torch.stack([torch.zeros_like(label), label], 1).flatten()
    pixels = values.repeat_interleave(torch.stack([gaps, length], 1).flatten())
    result = torch.zeros(images * height * width, dtype=runs.dtype, device=runs.device)
    result[: len(pixels)] = pixels[: len(result)]
    return result.view(images, height, width)


@answers.wrong("a loop over runs", "unlooped")
def run_by_run(runs, images, height, width):
    labels = torch.zeros(images * height * width, dtype=runs.dtype, device=runs.device)
    for image, label, start, length in runs.tolist():
        first = image * height * width + start
        labels[first : first + length].fill_(label)
    return labels.view(images, height, width)


@answers.wrong("int16 labels", "correct", says="float64 rounds")
def short_labels(runs, images, height, width):
    return course_decode_runs(runs, images, height, width).short().long()


@answers.wrong("running sums in float32", "correct", says="float64 rounds")
def sums_in_float32(runs, images, height, width):
    image, label, start, length = runs.unbind(1)
    first = image * height * width + start
    steps = torch.zeros(images * height * width + 1, device=runs.device)
    steps.index_add_(0, first, label.float()).index_add_(0, first + length, -label.float())
    return steps.cumsum(0)[:-1].long().view(images, height, width)


answers.wrong("lengths in int16", "correct", says="a run of 33,000 pixels")(
    lambda runs, images, height, width: course_decode_runs(
        torch.cat([runs[:, :3], runs[:, 3:] % 2**15], 1), images, height, width
    )
)

answers.wrong("image numbers in uint8", "correct", says="5,000 images")(
    lambda runs, images, height, width: course_decode_runs(
        torch.cat([runs[:, :1] % 256, runs[:, 1:]], 1), images, height, width
    )
)

answers.wrong("at most 4,096 runs", "correct", says="4,200 instances")(
    lambda runs, images, height, width: course_decode_runs(runs[:4096], images, height, width)
)
