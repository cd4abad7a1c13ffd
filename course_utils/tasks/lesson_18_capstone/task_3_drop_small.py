"""The third stage: instances with too few pixels are dropped, and the others are renumbered."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_18_capstone import random_maps
from course_utils.tasks.lesson_18_capstone.fast_stages import course_drop_small
from course_utils.tasks.lesson_18_capstone.slow_stages import drop_small_slow
from course_utils.tasks.task import Case, Mistake, Task


def _drop_wrongly(labels, min_area, stays=torch.ge, renumber=True, per_image=True, keep_background=False):
    """Run the stage with a mistake in one of its parts."""
    images, slots = len(labels), int(labels.max()) + 1 if labels.numel() else 1
    keys = labels + slots * torch.arange(images)[:, None, None]
    areas = torch.bincount(keys.flatten(), minlength=images * slots).view(images, slots)
    if not per_image:
        areas = areas.sum(0, keepdim=True).expand(images, slots)
    kept = stays(areas, torch.tensor(min_area))
    if not keep_background:
        kept = kept.index_fill(1, torch.tensor([0]), False)
    numbers = kept.cumsum(1) if renumber else torch.arange(slots).expand(images, slots)
    return (numbers * kept).flatten()[keys]


def _by_size(labels, min_area):
    """Return numbers by area, the largest instance first."""
    result = torch.zeros_like(labels)
    for i, image in enumerate(labels):
        areas = torch.bincount(image.flatten())[1:]
        order = areas.argsort(descending=True, stable=True)
        for number, k in enumerate(order[areas[order] >= min_area].tolist()):
            result[i][image == k + 1] = number + 1
    return result


def _joined_numbers(labels, min_area):
    """Return numbers that continue from image to image."""
    right = course_drop_small(labels, min_area)
    per_image = right.amax((1, 2))
    return (right + (per_image.cumsum(0) - per_image)[:, None, None]) * (right > 0)


def _large_instances(_):
    row = torch.tensor([1] * 2999 + [0] + [2] * 3000)  # In float16, both areas are 3,000.
    return row.view(1, 1, -1), 3000


TASK = Task(
    id="drop_small",
    title="Drop small instances (stage 3)",
    points=3,
    level=2,
    slow=drop_small_slow,
    inputs=lambda size, generator: (
        random_maps.labels(size, generator, small_shapes=True),
        int(generator.integers(2, 7)),
    ),
    edge_cases=(
        *random_maps.label_cases(3),
        Case("no images", lambda _: (torch.zeros(0, 3, 4, dtype=torch.int64), 2)),
        Case(
            "two instances of the least area, the second one first",
            lambda _: (random_maps.from_pictures("22.11\n22..1\n..3.1"), 4),
        ),
        Case("a least area of 2.25", lambda _: (random_maps.from_pictures("11.22\n...2."), 2.25)),
        Case("a least area of 0", lambda _: (random_maps.from_pictures("1.2\n..2"), 0)),
        Case("a least area that drops all instances", lambda _: (random_maps.from_pictures("1.2\n..2", "11.\n1.2"), 9)),
        Case(
            "images with different numbers of instances",
            lambda _: (random_maps.from_pictures("1.2.3", "1.222", "....."), 2),
        ),
        Case("an image that loses its first instances", lambda _: (random_maps.from_pictures("1.2.33", "11.2.3"), 2)),
        Case("transposed labels", lambda g: (random_maps.labels(9, g).transpose(1, 2), 4)),
    ),
    worst=(
        Case(
            "instances whose areas differ by one pixel",
            lambda _: (torch.arange(1, 13).repeat_interleave(torch.arange(1, 13)).view(1, 6, 13), 6),
        ),
        Case("an instance of 65,536 pixels", lambda _: (torch.ones(1, 256, 256, dtype=torch.int64), 9)),
        Case("5,000 images of two pixels", lambda _: (random_maps.small_images().long(), 2)),
        Case("instances of 2,999 and of 3,000 pixels", _large_instances),
        Case("70,000 instances in the first image and two in the second", lambda _: (random_maps.many_and_few(), 2)),
        Case("one instance per pixel", lambda _: (torch.arange(1, 33_001).view(1, 165, 200).repeat(2, 1, 1), 1)),
    ),
    reference=course_drop_small,
    count_sizes=random_maps.COUNT_SIZES,
    race_size=random_maps.LONG_RACE,
    story=prose(
        """
        Noise leaves specks of a few pixels, which aren't objects. The loop makes a mask for each instance, counts its
        pixels, and numbers the instances that stay, without gaps. A microscope image can hold tens of thousands of
        cells, and the loop reads the whole image for each of them. Write `drop_small(labels, min_area)` without a loop
        over instances or images.
        """
    ),
    rules=prose(
        """
        - `labels` is an int64 tensor of shape (images, height, width): 0 is background, and each image has the instances
          1, 2, 3, … without gaps. `min_area` is a Python number. There may be no images.
        - An instance with `min_area` pixels or more stays. In each image, the instances that stay are numbered from 1 in
          the same order. All other pixels are 0.
        - The result is a new tensor with the shape and dtype of `labels`, and `labels` is not modified.
        """
    ),
    limits=(at_most(40, "ops"), at_most(4, "syncs")),
    target=8.0,
    cost=lambda size: Cost(
        reads=8 * random_maps.image_count(size) * size * size, writes=8 * random_maps.image_count(size) * size * size
    ),
    ways={"the course's stage": course_drop_small},
    hints=items(
        """
        - Counting pixels per instance is a group-by, as in lesson 06. What is a group here? Two images may have the same
          label, so the key needs the image as well.
        - With `slots = int(labels.max()) + 1`, the keys of the pixels are `keys = labels + slots * image`.
          `torch.bincount(keys.flatten(), minlength=images * slots)` counts all instances of the batch at once. View
          the counts as `areas` of shape (images, slots): one row per image, with the background in column 0.
        - `stays = areas >= min_area`, with `stays[:, 0] = False`. The new numbers are `numbers = stays.cumsum(1) *
          stays`, a running sum as in lesson 09, and `numbers.view(-1)[keys]` looks them up for all pixels.
          `labels.max()` needs at least one pixel, so return `labels.clone()` if there is none.
        """
    ),
    mistakes=(
        Mistake(
            "An instance of exactly `min_area` pixels was dropped: it stays.",
            lambda labels, min_area: _drop_wrongly(labels, min_area, torch.gt),
        ),
        Mistake(
            "The instances keep their old numbers: number the instances that stay from 1, without gaps.",
            lambda labels, min_area: _drop_wrongly(labels, min_area, renumber=False),
        ),
        Mistake(
            "Pixels of different images with the same label are counted together: the key needs the image.",
            lambda labels, min_area: _drop_wrongly(labels, min_area, per_image=False),
        ),
        Mistake(
            "The small instances stay and the large ones are dropped: keep areas of `min_area` or more.",
            lambda labels, min_area: _drop_wrongly(labels, min_area, torch.lt),
        ),
        Mistake("The instances are numbered by size: keep their order.", _by_size),
        Mistake(
            "The background counts as an instance: it stays 0.",
            lambda labels, min_area: _drop_wrongly(labels, min_area, keep_background=True),
        ),
        Mistake("The numbers continue from image to image: each image starts again at 1.", _joined_numbers),
    ),
)
