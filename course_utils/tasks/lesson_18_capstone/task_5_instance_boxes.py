"""The fifth stage: the bounding box of each instance."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_18_capstone import random_maps
from course_utils.tasks.lesson_18_capstone.fast_stages import course_instance_boxes
from course_utils.tasks.lesson_18_capstone.slow_stages import instance_boxes_slow
from course_utils.tasks.task import Case, Mistake, Task


def _reordered(*columns):
    return lambda labels: course_instance_boxes(labels)[:, list(columns)]


def _plus(*shift):
    return lambda labels: course_instance_boxes(labels) + torch.tensor(shift)


def _all_slots(labels):
    """Return a box for each label up to the largest of the batch, even if an image has fewer instances."""
    boxes, most = course_instance_boxes(labels), int(labels.max()) if labels.numel() else 0
    result = torch.zeros(len(labels) * most, 5, dtype=torch.int64)
    result[:, 0] = torch.arange(len(labels)).repeat_interleave(most)
    per_image = labels.amax((1, 2))
    number = torch.cat([torch.arange(each) for each in per_image.tolist()]) if len(labels) else boxes[:, 0]
    result[boxes[:, 0] * most + number] = boxes
    return result


TASK = Task(
    id="instance_boxes",
    title="A box for each instance (stage 5)",
    points=3,
    level=2,
    slow=instance_boxes_slow,
    inputs=lambda size, generator: (random_maps.labels(size, generator, small_shapes=True),),
    edge_cases=(
        *random_maps.label_cases(),
        Case("no images", lambda _: (torch.zeros(0, 3, 4, dtype=torch.int64),)),
        Case(
            "images without instances among others", lambda _: (random_maps.from_pictures("...", "1.2", "...", "11."),)
        ),
        Case("boxes that overlap", lambda _: (random_maps.from_pictures("1.2.\n1112\n2222"),)),
        Case("images that are higher than wide", lambda _: (random_maps.from_pictures(".1\n21\n2.\n.3\n.3"),)),
        Case("images that are wider than high", lambda _: (random_maps.from_pictures(".1..22.\n.1.3..4"),)),
        Case("instances in two places each", lambda _: (random_maps.from_pictures("1.2.\n....\n2..1\n...1"),)),
        Case("transposed labels", lambda g: (random_maps.labels(9, g).transpose(1, 2),)),
    ),
    worst=(
        Case("one instance per pixel", lambda _: (torch.arange(1, 61).view(1, 6, 10).repeat(2, 1, 1),)),
        Case("5,000 images of two pixels", lambda _: (random_maps.small_images().long(),)),
        *random_maps.label_cases(pictures=random_maps.LONG_COLUMNS),
        Case("70,000 instances in the first image and two in the second", lambda _: (random_maps.many_and_few(),)),
        *random_maps.label_cases(pictures=random_maps.HARD_PICTURES | random_maps.LONG_PICTURES),
    ),
    reference=course_instance_boxes,
    count_sizes=random_maps.COUNT_SIZES,
    race_size=random_maps.LONG_RACE,
    story=prose(
        """
        The next program crops each object from its image, so it needs boxes. The loop makes a mask for each instance and
        takes the smallest and largest row and column. Write `instance_boxes(labels)` without a loop over instances or
        images.
        """
    ),
    rules=prose(
        """
        - `labels` is an int64 tensor of shape (images, height, width): 0 is background, and each image has the instances
          1, 2, 3, … without gaps, perhaps none or tens of thousands. There may be no images.
        - The result is an int64 tensor with one row per instance: image, top, left, bottom, right. Bottom and right are
          one past the instance's last row and column, as in a slice. Rows are sorted by image, then by label.
        - `labels` is not modified.
        """
    ),
    limits=(at_most(40, "ops"), at_most(6, "syncs")),
    target=8.0,
    cost=lambda size: Cost(reads=8 * random_maps.image_count(size) * size * size, writes=40),
    ways={"the course's stage": course_instance_boxes},
    hints=items(
        """
        - The smallest row of each instance is a group-by with a minimum, as in lesson 06, and all four sides are such
          group-bys. Only foreground pixels take part: `labels.nonzero()` gives their image, row and column.
        - Give each pixel the number of its `instance`, counted from 0 over the whole batch. The number of instances
          per image is `labels.amax((1, 2))`, and a running sum of these counts gives how many instances come before
          each image. A maximum is minus the minimum of the negated values, so one reduction can do all four sides.
        - `sides = torch.stack([row, column, -row - 1, -column - 1], 1)`, then `result.scatter_reduce_(0, instance[:,
          None].expand(-1, 4), sides, "amin")` into a tensor of large values. Negate its last two columns.
          `repeat_interleave` repeats each image's index by its number of instances.
        """
    ),
    mistakes=(
        Mistake("Bottom and right are the last row and column: they should be one past them.", _plus(0, 0, 0, -1, -1)),
        Mistake("Rows and columns are swapped: the order is top, left, bottom, right.", _reordered(0, 2, 1, 4, 3)),
        Mistake(
            "The last two columns hold height and width: they should hold bottom and right.",
            lambda labels: torch.cat(
                [(boxes := course_instance_boxes(labels))[:, :3], boxes[:, 3:] - boxes[:, 1:3]], 1
            ),
        ),
        Mistake("The images are counted from 1: count them from 0.", _plus(1, 0, 0, 0, 0)),
        Mistake(
            "Images with fewer instances have extra rows: an image has one row per instance of its own.", _all_slots
        ),
        Mistake("The first column, the image, is missing: add it.", _reordered(1, 2, 3, 4)),
    ),
)
