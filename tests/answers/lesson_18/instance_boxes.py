"""Answers to instance_boxes."""

import torch

from answers import AnswersTo
from course_utils.tasks.lesson_18_capstone.fast_stages import course_instance_boxes

answers = AnswersTo("instance_boxes")
answers.right("one reduction for all sides")(course_instance_boxes)


@answers.right("one reduction per side")
def per_side(labels):
    image, row, column = labels.nonzero().unbind(1)
    most = int(labels.max()) if labels.numel() else 0
    key = image * most + labels[image, row, column] - 1
    count = len(labels) * most
    sides = []
    for positions in (row, column):
        empty = torch.full((count,), labels.numel(), device=labels.device)
        sides.append(empty.scatter_reduce(0, key, positions, "amin"))
        sides.append(torch.full_like(empty, -1).scatter_reduce(0, key, positions, "amax") + 1)
    present = sides[1] > 0
    images = torch.arange(len(labels), device=labels.device).repeat_interleave(most)
    return torch.stack([images, sides[0], sides[2], sides[1], sides[3]], 1)[present]


@answers.wrong("labels shared by all images", "correct")
def shared_labels(labels):
    boxes = course_instance_boxes(labels.flatten(0, 1)[None])
    return boxes


@answers.wrong("minima that start at 0", "correct")
def zeros_first(labels):
    boxes = course_instance_boxes(labels)
    boxes[:, 1:3] = 0
    return boxes


@answers.wrong("a loop over instances", "unlooped", says="a loop")
def by_instance(labels):
    boxes = [torch.zeros(0, 5, dtype=torch.int64, device=labels.device)]
    for i, image in enumerate(labels):
        for k in range(1, int(image.max()) + 1):
            places = (image == k).nonzero()
            low, high = places.amin(0), places.amax(0) + 1
            boxes.append(torch.cat([low.new_full((1,), i), low, high])[None])
    return torch.cat(boxes)


@answers.wrong("uint8 coordinates", "correct", says="4,200 instances")
def short_coordinates(labels):
    return course_instance_boxes(labels).to(torch.uint8).long()


@answers.wrong("int16 coordinates", "correct", says="40,001 pixels")
def coordinates_of_16_bits(labels):
    return course_instance_boxes(labels).short().long()


@answers.wrong("at most 65,535 labels per image", "correct", says="70,000 instances")
def with_65535_labels(labels):
    image, row, column = labels.nonzero().unbind(1)
    keys, box = (2**16 * image + labels[image, row, column]).unique(return_inverse=True)
    sides = torch.stack([image, -row, -column, row + 1, column + 1], 1)
    boxes = sides.new_full((len(keys), 5), -labels.numel())
    boxes.scatter_reduce_(0, box[:, None].expand(-1, 5), sides, "amax")
    return boxes * boxes.new_tensor([1, -1, -1, 1, 1])


answers.wrong("rows in int16", "correct", says="a column of 40,001 pixels")(
    lambda labels: (
        course_instance_boxes(labels) % torch.tensor([2**62, 2**15, 2**62, 2**15, 2**62], device=labels.device)
    )
)

answers.wrong("image numbers in uint8", "correct", says="5,000 images")(
    lambda labels: course_instance_boxes(labels) % torch.tensor([256, *[2**62] * 4], device=labels.device)
)

answers.wrong("at most 4,096 boxes", "correct", says="4,200 instances")(
    lambda labels: course_instance_boxes(labels)[:4096]
)
