"""Answers to drop_small."""

import torch

from answers import AnswersTo
from course_utils.tasks.lesson_18_capstone.fast_stages import course_drop_small

answers = AnswersTo("drop_small")
answers.right("bincount")(course_drop_small)


@answers.right("one row per image")
def one_row_per_image(labels, min_area):
    if labels.numel() == 0:
        return torch.zeros_like(labels)
    pixels = labels.flatten(1)
    areas = torch.zeros(len(labels), int(labels.max()) + 1, dtype=torch.int64, device=labels.device)
    areas.scatter_add_(1, pixels, torch.ones_like(pixels))
    is_kept = areas >= min_area
    numbers = torch.where(is_kept, is_kept[:, 1:].cumsum(1).new_zeros(1), 0)
    numbers[:, 1:] = is_kept[:, 1:].cumsum(1) * is_kept[:, 1:]
    return numbers.gather(1, pixels).view(labels.shape)


@answers.wrong("the background counts as an instance", "correct")
def background_counts(labels, min_area):
    slots = int(labels.max()) + 1 if labels.numel() else 1
    areas = torch.zeros(len(labels), slots, dtype=torch.int64, device=labels.device)
    areas.scatter_add_(1, labels.flatten(1), torch.ones_like(labels.flatten(1)))
    is_kept = areas >= min_area
    return (is_kept.cumsum(1) * is_kept).gather(1, labels.flatten(1)).view(labels.shape)


@answers.wrong("the number of instances of the first image", "correct")
def first_image_decides(labels, min_area):
    return course_drop_small(labels.clamp(max=int(labels[0].max()) if len(labels) else 0), min_area)


@answers.wrong("one mask per instance", "unlooped")
def mask_per_instance(labels, min_area):
    result = torch.zeros_like(labels)
    for i, image in enumerate(labels):
        areas = torch.bincount(image.flatten()).tolist()
        kept = [k for k in range(1, len(areas)) if areas[k] >= min_area]
        for number, k in enumerate(kept):
            result[i] += (number + 1) * (image == k)
    return result


@answers.wrong("an integer area limit", "correct", says="2.25")
def whole_area(labels, min_area):
    return course_drop_small(labels, int(min_area))


@answers.wrong("int16 areas", "correct", says="65,536")
def short_areas(labels, min_area):
    pixels = labels.flatten(1)
    areas = torch.zeros(len(labels), pixels.shape[1] + 1, dtype=torch.int16, device=labels.device)
    areas.scatter_add_(1, pixels, torch.ones_like(pixels, dtype=torch.int16))
    is_kept = (areas >= min_area) & (torch.arange(areas.shape[1], device=labels.device) > 0)
    return (is_kept.cumsum(1) * is_kept).gather(1, pixels).view(labels.shape)


@answers.wrong("areas in float16", "correct", says="2,999 and of 3,000")
def areas_in_float16(labels, min_area):
    if labels.numel() == 0:
        return torch.zeros_like(labels)
    pixels = labels.flatten(1)
    areas = torch.zeros(len(labels), int(labels.max()) + 1, dtype=torch.float16, device=labels.device)
    areas.scatter_add_(1, pixels, torch.ones_like(pixels, dtype=torch.float16))
    is_kept = areas >= min_area
    is_kept[:, 0] = False
    return (is_kept.cumsum(1) * is_kept).gather(1, pixels).view(labels.shape)


@answers.wrong("a loop over images with one operation each", "unlooped", says="grows with the input")
def areas_of_image_after_image(labels, min_area):
    if labels.numel() == 0:
        return torch.zeros_like(labels)
    pixels = labels.flatten(1)
    areas, ones = labels.new_zeros(len(labels), int(labels.max()) + 1), torch.ones_like(pixels[0])
    for image, image_areas in zip(pixels, areas):
        image_areas.index_add_(0, image, ones)
    is_kept = (areas >= min_area).index_fill(1, labels.new_zeros(1), False)
    return (is_kept.cumsum(1) * is_kept).gather(1, pixels).view(labels.shape)


@answers.wrong("numbers in the order of the first pixels", "correct", says="the second one first")
def in_order_of_pixels(labels, min_area):
    kept = course_drop_small(labels, min_area).flatten(1)
    firsts = torch.full((len(kept), kept.shape[1] + 1), kept.shape[1], device=labels.device)
    positions = torch.arange(kept.shape[1], device=labels.device).expand_as(kept)
    firsts.scatter_reduce_(1, kept, positions, "amin")[:, 0] = -1
    return firsts.argsort(dim=1, stable=True).argsort(1).gather(1, kept).view(labels.shape)


answers.wrong("a rounded least area", "correct", says="a least area of 2.25")(
    lambda labels, min_area: one_row_per_image(labels, round(min_area))
)


@answers.wrong("keys with 10,000 labels per image", "correct", says="70,000 instances")
def keys_of_10_000_labels(labels, min_area):
    if labels.numel() == 0 or len(labels) == 1:
        return one_row_per_image(labels, min_area)
    keys = labels + 10_000 * torch.arange(len(labels), device=labels.device)[:, None, None]
    areas = torch.bincount(keys.flatten())
    return one_row_per_image(torch.where((areas[keys] >= min_area) & (labels > 0), labels, 0), 1)


answers.wrong("at most 4,096 instances", "correct", says="4,200 instances")(
    lambda labels, min_area: one_row_per_image(labels.clamp(max=4096), min_area)
)


@answers.wrong("new numbers in int16", "correct", says="one instance per pixel")
def numbers_in_int16(labels, min_area):
    return course_drop_small(labels, min_area).to(torch.int16).to(labels.dtype)
