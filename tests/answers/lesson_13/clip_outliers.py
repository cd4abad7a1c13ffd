"""Answers to clip_outliers."""

import torch

from answers.table import right, wrong
from course_utils import tasks

PUBLISHED = tasks.load("clip_outliers").race_size


def _limits(x, sigmas):
    mean, reach = x.mean(), sigmas * x.std(unbiased=False)
    return mean - reach, mean + reach


@right("clamp between tensors")
def by_clamp(x, sigmas):
    return x.clamp(*_limits(x, sigmas))


@right("where twice")
def by_where(x, sigmas):
    low, high = _limits(x, sigmas)
    return torch.where(x > high, high, torch.where(x < low, low, x))


@right("minimum and maximum")
def by_minimum(x, sigmas):
    low, high = _limits(x, sigmas)
    return torch.maximum(torch.minimum(x, high), low)


@right("offsets from the mean clamped")
def by_offset(x, sigmas):
    off = x - x.mean()
    reach = sigmas * off.square().mean().sqrt()
    return x.mean() + off.clamp(-reach, reach)


@wrong(line="correct")
def half_precision_inside(x, sigmas):
    return by_clamp(x.half(), sigmas).to(x.dtype)


@wrong("limits by item", "unlooped")
def with_item(x, sigmas):
    low, high = _limits(x, sigmas)
    return x.clamp(low.item(), high.item())


@wrong("a mask that decides a shape", "unlooped")
def with_mask(x, sigmas):
    low, high = _limits(x, sigmas)
    result = x.clone()
    result[x > high] = high.expand(int((x > high).sum()))
    result[x < low] = low
    return result


@wrong("asking whether there is anything to do", "unlooped")
def asking_first(x, sigmas):
    low, high = _limits(x, sigmas)
    return x.clamp(low, high) if bool((x > high).any() | (x < low).any()) else x.clone()


@wrong("a branch for each side", "unlooped", says="a branch on a tensor")
def a_branch_a_side(x, sigmas):
    low, high = _limits(x, sigmas)
    x = x.clone()
    if (x > high).any():
        x = torch.where(x > high, high, x)
    if (x < low).any():
        x = torch.where(x < low, low, x)
    return x


@wrong("tensors through masks", "unlooped", says="written through a mask")
def through_masks(x, sigmas):
    low, high = _limits(x, sigmas)
    clipped = x.clone()
    clipped[x < low] = low
    clipped[x > high] = high
    return clipped


@wrong("x changed", "correct", says="input")
def changed(x, sigmas):
    return x.clamp_(*_limits(x, sigmas))


@wrong("x itself where nothing is to do", "correct")
def untouched_itself(x, sigmas):
    return x if sigmas >= 5 else by_clamp(x, sigmas)


@wrong(line="correct", says="dtype")
def float32_whatever_came(*inputs):
    return by_clamp(*inputs).float()


@wrong(line="correct")
def the_published_length_only(x, sigmas):
    return by_clamp(x, sigmas) if len(x) == PUBLISHED else x.clone()
