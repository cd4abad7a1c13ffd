"""Answers to segment_maps."""

from functools import partial

import torch

from answers import AnswersTo
from answers.lesson_18.label_components import _rounds_along_lines
from course_utils.tasks.lesson_18_capstone import fast_stages
from course_utils.tasks.lesson_18_capstone.task_4_fill_holes import with_label_components
from course_utils.tasks.lesson_18_capstone.task_8_segment_maps import python_lists

answers = AnswersTo("segment_maps")
answers.right("the course's stages")(fast_stages.course_segment_maps)


@answers.right("holes found by stage 2")
def by_regions(maps, thresholds, sizes, min_area):
    labels = fast_stages.course_label_components(fast_stages.course_foreground(maps, thresholds, sizes))
    labels = with_label_components(fast_stages.course_drop_small(labels, min_area))
    return fast_stages.course_instance_boxes(labels), fast_stages.course_encode_runs(labels)


@answers.wrong("one threshold for all images", "correct")
def one_threshold(maps, thresholds, sizes, min_area):
    return fast_stages.course_segment_maps(maps, thresholds[:1].expand_as(thresholds), sizes, min_area)


answers.wrong("Python lists", "unlooped", says=".tolist() hands a tensor's values to Python")(python_lists)


@answers.wrong("a loop over images", "unlooped", says="does a loop over the values remain")
def image_by_image(maps, thresholds, sizes, min_area):
    boxes, runs = [torch.zeros(0, 5, dtype=torch.int64)], [torch.zeros(0, 4, dtype=torch.int64)]
    for i in range(len(maps)):
        own = slice(i, i + 1)
        for parts, rows in zip(
            (boxes, runs), fast_stages.course_segment_maps(maps[own], thresholds[own], sizes[own], min_area)
        ):
            parts.append(torch.cat([rows[:, :1] + i, rows[:, 1:]], 1))
    return torch.cat([each.to(maps.device) for each in boxes]), torch.cat([each.to(maps.device) for each in runs])


@answers.wrong("boxes of the labels before holes are filled", "correct", says="a hole between four instances")
def boxes_before_filling(maps, thresholds, sizes, min_area):
    labels = fast_stages.course_label_components(fast_stages.course_foreground(maps, thresholds, sizes))
    labels = fast_stages.course_drop_small(labels, min_area)
    return fast_stages.course_instance_boxes(labels), fast_stages.course_encode_runs(
        fast_stages.course_fill_holes(labels)
    )


@answers.wrong("NaN counts as foreground", "correct", says="NaN")
def nan_is_foreground(maps, thresholds, sizes, min_area):
    return fast_stages.course_segment_maps(maps.nan_to_num(1.0), thresholds, sizes, min_area)


@answers.wrong("differences from infinite thresholds", "correct", says="infinite probabilities and thresholds")
def difference_from_threshold(maps, thresholds, sizes, min_area):
    differences = maps - thresholds[:, None, None]
    return fast_stages.course_segment_maps(differences, torch.zeros_like(thresholds), sizes, min_area)


@answers.wrong("areas in uint8", "correct", says="an instance of 256 pixels")
def areas_in_uint8(maps, thresholds, sizes, min_area):
    labels = fast_stages.course_label_components(fast_stages.course_foreground(maps, thresholds, sizes))
    areas = torch.zeros(len(maps), labels[:1].numel() + 1, dtype=torch.uint8, device=maps.device)
    areas.scatter_add_(
        1, labels.view(len(maps), areas.shape[1] - 1), torch.ones_like(labels, dtype=torch.uint8).flatten(1)
    )
    kept = (areas >= min_area).index_fill(1, torch.zeros(1, dtype=torch.int64, device=maps.device), False)
    labels = (kept.cumsum(1) * kept).gather(1, labels.flatten(1)).view(labels.shape)
    labels = fast_stages.course_fill_holes(labels)
    return fast_stages.course_instance_boxes(labels), fast_stages.course_encode_runs(labels)


@answers.wrong("30 rounds along rows and columns", "correct")
def thirty_rounds(maps, thresholds, sizes, min_area):
    masks = fast_stages.course_foreground(maps, thresholds, sizes)
    labels = fast_stages.course_drop_small(_rounds_along_lines(masks, 30), min_area)
    labels = fast_stages.course_fill_holes(labels)
    return fast_stages.course_instance_boxes(labels), fast_stages.course_encode_runs(labels)


@answers.wrong("starts in int16", "correct", says="12,000 instances")
def starts_in_int16(maps, thresholds, sizes, min_area):
    boxes, runs = fast_stages.course_segment_maps(maps, thresholds, sizes, min_area)
    runs[:, 2] %= 2**15
    return boxes, runs


@answers.wrong("image numbers in uint8", "correct", says="300 images")
def images_in_uint8(maps, thresholds, sizes, min_area):
    boxes, runs = fast_stages.course_segment_maps(maps, thresholds, sizes, min_area)
    runs[:, 0] %= 256
    return boxes, runs


answers.wrong("a least area of 3 for 0", "correct", says="a least area of 0")(
    lambda maps, thresholds, sizes, min_area: fast_stages.course_segment_maps(maps, thresholds, sizes, min_area or 3)
)


def _with_keys_by_a_square(dimension, maps, *rest):
    _, runs = fast_stages.course_segment_maps(maps, *rest)
    labels = fast_stages.course_decode_runs(runs, *maps.shape)
    image, row, column = labels.nonzero().unbind(1)
    most = labels.shape[dimension] ** 2 + 1  # An image that isn't square can have more instances.
    found, key = torch.unique(image * most + labels[image, row, column], return_inverse=True)
    sides = torch.stack([row, column, -row, -column], 1)
    empty = sides.new_full((len(found), 4), labels.numel())
    top, left, bottom, right = empty.scatter_reduce(0, key[:, None].expand(-1, 4), sides, "amin").unbind(1)
    return torch.stack([found // most, top, left, 1 - bottom, 1 - right], 1), runs


answers.wrong("keys for images as high as wide", "correct", says="one column")(partial(_with_keys_by_a_square, 2))
answers.wrong("keys for images as wide as high", "correct", says="wide images")(partial(_with_keys_by_a_square, 1))
