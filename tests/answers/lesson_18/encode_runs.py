"""Answers to encode_runs."""

import torch

from answers import AnswersTo
from course_utils.tasks.lesson_18_capstone.fast_stages import course_encode_runs

answers = AnswersTo("encode_runs")
answers.right("starts and ends")(course_encode_runs)


@answers.right("unique_consecutive over run numbers")
def consecutive(labels):
    pixels = labels.flatten(1)
    first = torch.ones_like(pixels, dtype=torch.bool)
    first[:, 1:] = pixels[:, 1:] != pixels[:, :-1]
    lengths = first.flatten().cumsum(0).unique_consecutive(return_counts=True)[1]
    image, start = first.nonzero().unbind(1)
    label = pixels[first]
    return torch.stack([image, label, start, lengths], 1)[label > 0]


@answers.wrong("sorted by label", "correct")
def by_label(labels):
    runs = course_encode_runs(labels)
    return runs[(runs[:, 0] * 1000 + runs[:, 1]).argsort(stable=True)]


@answers.wrong("lengths up to the next start", "correct")
def to_the_next_start(labels):
    runs = course_encode_runs(labels)
    if len(runs):
        total = torch.tensor([labels[0].numel()], device=labels.device)
        runs[:, 3] = torch.cat([runs[1:, 2], total]) - runs[:, 2]
    return runs


@answers.wrong("a loop over images", "unlooped", says="a loop still runs over it")
def image_by_image(labels):
    parts = [labels.new_zeros(0, 4)]
    for i, image in enumerate(labels):
        runs = course_encode_runs(image[None])
        runs[:, 0] = i
        parts.append(runs)
    return torch.cat(parts)


@answers.wrong("int16 starts", "correct", says="40,001 pixels")
def starts_of_16_bits(labels):
    runs = course_encode_runs(labels)
    runs[:, 2] = runs[:, 2].short()
    return runs


@answers.wrong("labels compared in float32", "correct", says="float32 rounds")
def compared_in_float32(labels):
    return course_encode_runs(labels.float().long())


@answers.wrong("labels compared in int32", "correct", says="lowest 32 bits")
def compared_in_32_bits(labels):
    image, _, start, length = course_encode_runs(torch.where(labels > 0, labels % 2**32, 0)).unbind(1)
    return torch.stack([image, labels.flatten(1)[image, start], start, length], 1)


@answers.wrong("labels compared in float64", "correct", says="float64 rounds")
def compared_in_float64(labels):
    return course_encode_runs(labels.double().long())


@answers.wrong("one int64 key for image and label", "correct", says="float64 rounds")
def shared_key(labels):
    images, pixels = len(labels), labels[0].numel() if len(labels) else 1
    keys = (labels.flatten(1) + torch.arange(images, device=labels.device)[:, None] * (1 << 32)).flatten()
    keys, lengths = keys.unique_consecutive(return_counts=True)
    starts = lengths.cumsum(0) - lengths
    image, label = keys >> 32, keys & ((1 << 32) - 1)
    return torch.stack([image, label, starts - image * pixels, lengths], 1)[label > 0]


@answers.wrong("keys with 10,000 labels per image", "correct", says="powers of ten")
def keys_of_10_000_labels(labels):
    images, pixels = len(labels), labels[0].numel() if len(labels) else 1
    keys = (labels.flatten(1) + 10_000 * torch.arange(images, device=labels.device)[:, None]).flatten()
    keys, lengths = keys.unique_consecutive(return_counts=True)
    first = lengths.cumsum(0) - lengths
    runs = torch.stack([first // pixels, labels.flatten()[first], first % pixels, lengths], 1)
    return runs[runs[:, 1] > 0]


@answers.wrong("uint8 image numbers", "correct", says="5,000 images")
def image_numbers_of_8_bits(labels):
    runs = course_encode_runs(labels)
    runs[:, 0] = runs[:, 0].to(torch.uint8)
    return runs


@answers.wrong("lengths in int16", "correct", says="a run of 33,000 pixels")
def lengths_in_int16(labels):
    runs = consecutive(labels)
    runs[:, 3] %= 2**15
    return runs
