"""The inverse of the sixth stage: the label of each pixel, decoded from runs."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_18_capstone import random_maps
from course_utils.tasks.lesson_18_capstone.fast_stages import course_decode_runs, course_encode_runs
from course_utils.tasks.lesson_18_capstone.slow_stages import decode_runs_slow
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import with_gaps


def _encoded(labels):
    return course_encode_runs(labels), *labels.shape


def _cases(pictures):
    def encoded(case):
        return Case(case.name, lambda generator: _encoded(*case.make(generator)))

    return map(encoded, random_maps.label_cases(pictures=pictures))


def repeated(runs, images, height, width):
    """Write one element per pixel of a run."""
    image, label, start, length = runs.unbind(1)
    behind = length.cumsum(0)
    first = (image * height * width + start - (behind - length)).repeat_interleave(length)
    labels = torch.zeros(images * height * width, dtype=runs.dtype, device=runs.device)
    labels[first + torch.arange(len(first), device=runs.device)] = label.repeat_interleave(length)
    return labels.view(images, height, width)


def _shifted(shift):
    def wrong(runs, images, height, width):
        flat = course_decode_runs(runs, images, height, width).view(-1)
        return flat.roll(shift).view(images, height, width)

    return wrong


def _columns_first(runs, images, height, width):
    return course_decode_runs(runs, images, width, height).transpose(1, 2).contiguous()


def _as(columns):
    """Replace some columns of the runs, and decode them."""

    def wrong(runs, images, height, width):
        runs = runs.clone()
        for column, value in columns.items():
            runs[:, column] = value
        return course_decode_runs(runs, images, height, width)

    return wrong


TASK = Task(
    id="decode_runs",
    title="From runs back to labels",
    points=2,
    level=2,
    slow=decode_runs_slow,
    inputs=lambda size, generator: _encoded(random_maps.labels(size, generator)),
    edge_cases=(
        *_cases(random_maps.PICTURES),
        Case("no images", lambda _: (torch.zeros(0, 4, dtype=torch.int64), 0, 3, 4)),
        with_gaps(lambda _: _encoded(random_maps.from_pictures("1122\n2.11", "3312\n1111"))),
        Case("images without runs among others", lambda _: _encoded(random_maps.from_pictures("...", "1.2", "..."))),
        Case("instances side by side", lambda _: _encoded(random_maps.from_pictures("1122\n2211"))),
        Case("a run that continues in the next row", lambda _: _encoded(random_maps.from_pictures("..11\n11.2"))),
        Case("runs in another order", lambda _: (torch.tensor([[1, 2, 3, 2], [0, 1, 0, 3], [1, 3, 0, 1]]), 2, 2, 3)),
        Case("labels that float64 rounds", lambda _: _encoded((2**61 + 1) * random_maps.from_pictures("11.2\n2.33"))),
    ),
    worst=(
        *_cases(random_maps.LONG_PICTURES),
        Case("a run for each pixel", lambda _: _encoded(torch.arange(1, 61).view(1, 6, 10).repeat(2, 1, 1))),
        Case("a run of 33,000 pixels", lambda _: _encoded(torch.ones(1, 330, 100, dtype=torch.int64))),
        Case("5,000 images of two pixels", lambda _: _encoded(random_maps.small_images().long())),
        Case("one run for each image", lambda _: _encoded(torch.ones(3, 6, 50, dtype=torch.int64))),
    ),
    reference=course_decode_runs,
    count_sizes=random_maps.COUNT_SIZES,
    race_size=random_maps.SHORT_RACE,
    story=prose(
        """
        A program that reads the stored runs needs pixels again. The loop writes pixel by pixel. Write
        `decode_runs(runs, images, height, width)`, which returns the labels without a loop over runs or pixels.
        """
    ),
    rules=prose(
        """
        - `runs` is an int64 tensor with one row per run, as stage 6 returns it: image, label, start, length. Runs don't
          overlap, and they may come in any order. There may be none. `images`, `height` and `width` are Python numbers.
        - The result is an int64 tensor of shape (images, height, width), with 0 between the runs.
        - `runs` is not modified.
        """
    ),
    limits=(at_most(30, "ops"), at_most(4, "syncs")),
    target=10.0,
    cost=lambda size: Cost(reads=32, writes=8 * random_maps.image_count(size) * size * size),
    ways={"one element per pixel": repeated, "the course's stage": course_decode_runs},
    hints=items(
        """
        - The slow loop runs over runs and over pixels, and every pixel is known from its run alone. What changes at the
          start of a run, and what changes after its end?
        - At the start of a run the value rises by its label, and after the end it falls by its label. A running sum
          of all these steps, as in lesson 09, is the result. If two runs touch, both steps fall on one pixel.
        - `first = image * height * width + start`. Start with zeros, one more than there are pixels. With `index_add_`,
          add the labels at `first` and the negative labels at `first + length`. The `cumsum`, without its last element,
          is the result.
        """
    ),
    mistakes=(
        Mistake("All pixels are shifted by one: starts count from 0.", _shifted(1)),
        Mistake("The positions count column after column here: count row after row.", _columns_first),
        Mistake("All runs are in the first image: add `image * height * width`.", _as({0: 0})),
        Mistake("Only the first pixel of each run is written: write `length` pixels.", _as({3: 1})),
        Mistake("All labels are 1: write the label of the run.", _as({1: 1})),
    ),
)
