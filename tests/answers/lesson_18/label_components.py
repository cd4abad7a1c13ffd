"""Answers to label_components."""

import torch

from answers import AnswersTo
from course_utils.tasks.lesson_18_capstone import fast_stages
from course_utils.tasks.lesson_18_capstone import task_2_label_components as own
from course_utils.tasks.lesson_18_capstone.fast_stages import course_label_components

answers = AnswersTo("label_components")
answers.right("hooks and jumps on runs")(course_label_components)


@answers.right("hooks and jumps on pixels")
def by_pixels(masks):
    pixels = torch.arange(masks.numel(), device=masks.device).view(masks.shape)
    right, down = masks[:, :, 1:] & masks[:, :, :-1], masks[:, 1:] & masks[:, :-1]
    one = torch.cat([pixels[:, :, :-1][right], pixels[:, :-1][down]])
    other = torch.cat([pixels[:, :, 1:][right], pixels[:, 1:][down]])
    roots = pixels.flatten().clone()
    while not torch.equal(one, other):
        roots.scatter_reduce_(0, torch.maximum(one, other), torch.minimum(one, other), "amin")
        while not torch.equal(jumped := roots[roots], roots):
            roots = jumped
        one, other = roots[one], roots[other]
    firsts = (roots.view(masks.shape) == pixels) & masks
    ranks = firsts.flatten(1).cumsum(1).flatten()
    return ranks[roots].view(masks.shape) * masks


@answers.wrong("ten rounds of the smallest neighbor", "correct")
def ten_rounds(masks):
    far = masks.numel()
    numbers = torch.arange(far, device=masks.device).view(masks.shape).masked_fill(~masks, far)
    for _ in range(10):
        padded = torch.nn.functional.pad(numbers, (1, 1, 1, 1), value=far)
        crosses = padded[:, :-2, 1:-1], padded[:, 2:, 1:-1], padded[:, 1:-1, :-2], padded[:, 1:-1, 2:]
        numbers = torch.stack([numbers, *crosses]).amin(0).masked_fill(~masks, far)
    return own._in_scan_order(numbers, masks)


@answers.wrong("runs that continue in the next row", "correct")
def wrapped(masks):
    return course_label_components(masks.flatten(1)[:, None]).view(masks.shape)


answers.wrong("Python lists", "unlooped", says=".tolist() hands a tensor's values to Python")(own.python_lists)


@answers.wrong("int32 labels", "correct", says="dtype")
def in_int32(masks):
    return course_label_components(masks).int()


@answers.wrong("a loop over images", "unlooped", says="a loop still runs over it")
def image_by_image(masks):
    if len(masks) == 0:
        return masks.long()
    return torch.stack([course_label_components(mask[None])[0] for mask in masks])


answers.wrong("float16 labels", "correct", says="4,200 instances")(
    lambda masks: course_label_components(masks).half().long()
)


@answers.wrong("four rounds of hooks and jumps on pixels", "correct", says="two mazes")
def four_rounds(masks):
    pixels = torch.arange(masks.numel(), device=masks.device).view(masks.shape)
    right, down = masks[:, :, 1:] & masks[:, :, :-1], masks[:, 1:] & masks[:, :-1]
    one = torch.cat([pixels[:, :, :-1][right], pixels[:, :-1][down]])
    other = torch.cat([pixels[:, :, 1:][right], pixels[:, 1:][down]])
    roots = pixels.flatten().clone()
    for _ in range(4):
        roots.scatter_reduce_(0, torch.maximum(one, other), torch.minimum(one, other), "amin")
        for _ in range(10):
            roots = roots[roots]
        one, other = roots[one], roots[other]
    return own._in_scan_order(roots.view(masks.shape), masks)


@answers.wrong("rounds for the first image only", "correct")
def until_the_first_image_is_done(masks):
    pixels = torch.arange(masks.numel(), device=masks.device).view(masks.shape)
    right, down = masks[:, :, 1:] & masks[:, :, :-1], masks[:, 1:] & masks[:, :-1]
    one = torch.cat([pixels[:, :, :-1][right], pixels[:, :-1][down]])
    other = torch.cat([pixels[:, :, 1:][right], pixels[:, 1:][down]])
    roots = pixels.flatten().clone()
    in_first = max(1, len(roots) // max(1, len(masks)))
    while len(roots):
        before = roots.clone()
        roots.scatter_reduce_(0, torch.maximum(one, other), torch.minimum(one, other), "amin")
        for _ in range(10):
            roots = roots[roots]
        one, other = roots[one], roots[other]
        if torch.equal(roots[:in_first], before[:in_first]):
            break
    return own._in_scan_order(roots.view(masks.shape), masks)


@answers.wrong("at most 127 images", "correct", says="5,000 images")
def at_most_127_images(masks):
    labels = course_label_components(masks)
    labels[127:] = 0
    return labels


@answers.wrong("three rounds of minima along rows and columns", "correct")
def three_rounds(masks):
    far = masks.numel()
    numbers = torch.arange(far).view(masks.shape).masked_fill(~masks, far)
    for _ in range(3):
        minima = _minima_of_runs(_minima_of_runs(numbers, masks, 2), masks, 1)
        roots = torch.arange(far + 1).scatter_reduce(0, numbers.flatten(), minima.flatten(), "amin")
        for _ in range(2):
            roots = roots[roots]
        numbers = roots[minima]
    return own._in_scan_order(numbers, masks)


@answers.wrong("up to 100 rounds along rows and columns, by the size of the image", "correct")
def rounds_by_size(masks):
    return _rounds_along_lines(masks, min(100, sum(masks.shape[1:])))


def _rounds_along_lines(masks, rounds):
    """Return labels from numbers that travel along a row and a column in each round."""
    far = masks.numel()
    numbers = torch.arange(far, device=masks.device).view(masks.shape).masked_fill(~masks, far)
    for _ in range(rounds):
        numbers = _minima_of_runs(_minima_of_runs(numbers, masks, 2), masks, 1)
    return own._in_scan_order(numbers, masks)


def _minima_of_runs(numbers, masks, axis):
    """Return for each pixel the smallest number of its run of neighbors along the axis."""
    rows, starts = numbers.movedim(axis, -1), ~masks.movedim(axis, -1)
    starts[:, :, :1] = True
    runs = starts.flatten().cumsum(0)
    minima = torch.full((masks.numel() + 1,), masks.numel()).scatter_reduce(0, runs, rows.flatten(), "amin")
    return minima[runs].view(rows.shape).movedim(-1, axis).masked_fill(~masks, masks.numel())


@answers.wrong("eight rounds on runs", "correct", says="1,024 ticks")
def eight_rounds_on_runs(masks):
    run_of_pixel, first_pixels, (one, other) = fast_stages._runs(masks)
    roots = torch.arange(len(first_pixels), device=masks.device)
    for _ in range(8):
        roots = roots.scatter_reduce(0, torch.maximum(one, other), torch.minimum(one, other), "amin")
        for _ in range(len(roots).bit_length()):
            roots = roots[roots]
        one, other = roots[one], roots[other]
    first = torch.cat([first_pixels.new_zeros(1), first_pixels[roots]])[run_of_pixel].view(masks.shape)
    return own._in_scan_order(first.masked_fill(~masks, masks.numel()), masks)
