"""Answers to clip_and_scale."""

import math

import torch
import torch.nn.functional as F

from answers import AnswersTo
from course_utils import tasks

answers = AnswersTo("clip_and_scale")
PUBLISHED = tasks.load("clip_and_scale").race_size


@answers.right("scaled, then clamped")
def by_clamp(x, low, high):
    return scaled(x, low, high).clamp(0, 1)


@answers.right("where inside where")
def by_where(x, low, high):
    return torch.where(x < low, 0, torch.where(x > high, 1, scaled(x, low, high)))


@answers.right("masks")
def by_masks(x, low, high):
    result = scaled(x, low, high)
    result[x < low] = 0
    result[x > high] = 1
    return result


@answers.right("clamped, then scaled")
def clamped_then_scaled(x, low, high):
    return scaled(x.clamp(low, high), low, high)


@answers.right()
def hardtanh(x, low, high):
    return F.hardtanh(scaled(x, low, high), 0.0, 1.0)


@answers.right()
def times_the_inverse(x, low, high):
    return ((x - low) * (1 / (high - low))).clamp(0, 1)


@answers.right()
def a_slope_and_an_offset(x, low, high):
    return (x / (high - low) - low / (high - low)).clamp(0, 1)


@answers.right()
def two_relus(*i):
    return 1 - F.relu(1 - F.relu(scaled(*i)))


@answers.right()
def float64_inside(x, *limits):
    return by_clamp(x.double(), *limits).to(x.dtype)


@answers.right()
def rows_by_vmap(x, *limits):
    return torch.vmap(lambda row: by_clamp(row, *limits))(x) if len(x) else x.clone()


@answers.wrong("not clipped", "correct", says="Nothing is clipped")
def scaled(x, low, high):
    return (x - low) / (high - low)


@answers.wrong("a loop over rows", "unlooped")
def row_by_row(x, low, high):
    result = torch.empty_like(x)
    for i in range(len(x)):
        result[i] = by_clamp(x[i], low, high)
    return result


@answers.wrong("a loop over rows, short", "unlooped", says="the number grows with the input")
def clamped_by_row(x, low, high):
    values = scaled(x, low, high)
    return torch.stack([row.clamp(0, 1) for row in values]) if len(x) else values


@answers.wrong(line="unlooped", says="the number grows with the input")
def eight_rows_at_a_time(x, *limits):
    return torch.cat([by_clamp(piece, *limits) for piece in x.split(8)])


@answers.wrong("nested lists", "unlooped")
def in_lists(x, low, high):
    def scale(value):
        return value if math.isnan(value) else min(max((value - low) / (high - low), 0), 1)

    return torch.tensor(
        [[scale(value) for value in row] for row in x.tolist()], dtype=x.dtype, device=x.device
    ).reshape(x.shape)


@answers.wrong(line="correct", says="not scaled")
def not_scaled(x, low, high):
    return x.clamp(low, high)


@answers.wrong(line="correct", says="above high")
def not_held_at_1(*i):
    return scaled(*i).clamp(min=0)


@answers.wrong(line="correct", says="below low")
def not_held_at_0(*i):
    return scaled(*i).clamp(max=1)


@answers.wrong(line="correct", says="by high")
def divided_by_high(x, low, high):
    return ((x - low) / high).clamp(0, 1)


@answers.wrong("NaN to 0", "correct", says="NaN")
def by_inside(x, low, high):
    return torch.where((x >= low) & (x <= high), scaled(x, low, high), (x > high).to(x.dtype))


@answers.wrong(line="correct")
def the_ends_open(x, low, high):
    return torch.where(x >= high, 0, by_clamp(x, low, high))


@answers.wrong(line="correct")
def a_little_added_to_the_range(x, low, high):
    return by_clamp(x, low, high + 1e-5)


@answers.wrong(line="correct", says="∞ · 0 is NaN")
def multiplied_by_masks(x, low, high):
    return scaled(x, low, high) * ((x >= low) & (x <= high)) + (x > high)


@answers.wrong(line="correct", says="dtype")
def float32_whatever_came(*i):
    return by_clamp(*i).float()


@answers.wrong(line="correct", says="dtype")
def float64_whatever_came(*i):
    return by_clamp(*i).double()


@answers.wrong(line="correct", says="input")
def x_changed(x, low, high):
    return x.sub_(low).div_(high - low).clamp_(0, 1)


@answers.wrong("x itself where nothing is to do", "correct")
def handing_back(x, low, high):
    inside = bool(((x >= 0) & (x <= 1)).all())
    return x if inside and (low, high) == (0, 1) else by_clamp(x, low, high)


@answers.wrong(line="correct")
def half_precision_inside(x, *limits):
    return by_clamp(x.half(), *limits).to(x.dtype)


@answers.wrong(line="correct")
def rows_of_the_published_length_only(x, *limits):
    return by_clamp(x.reshape(PUBLISHED, -1), *limits)


@answers.wrong(line="correct")
def the_limits_of_the_first_example(x, low, high):
    return by_clamp(x, -0.5, 0.75)


@answers.wrong(line="correct")
def limits_in_float32(x, *limits):
    return by_clamp(x, *map(torch.tensor, limits))
