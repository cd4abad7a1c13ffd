"""Answers to clip_and_scale."""

import math

import torch
import torch.nn.functional as F

from answers import AnswersTo

answers = AnswersTo("clip_and_scale")


def _scale(x, low, high):
    return (x - low) / (high - low)


@answers.right("scaled, then clamped")
def by_clamp(x, low, high):
    return _scale(x, low, high).clamp(0, 1)


@answers.right("nested where")
def by_where(x, low, high):
    return torch.where(x < low, 0, torch.where(x > high, 1, _scale(x, low, high)))


@answers.right("masks")
def by_masks(x, low, high):
    result = _scale(x, low, high)
    result[x < low] = 0
    result[x > high] = 1
    return result


answers.right("clamped, then scaled")(lambda x, low, high: _scale(x.clamp(low, high), low, high))
answers.right("hardtanh")(lambda x, low, high: F.hardtanh(_scale(x, low, high), 0.0, 1.0))
answers.right("times the inverse")(lambda x, low, high: ((x - low) * (1 / (high - low))).clamp(0, 1))
answers.right("a slope and an offset")(lambda x, low, high: (x / (high - low) - low / (high - low)).clamp(0, 1))
answers.right("two relus")(lambda *i: 1 - F.relu(1 - F.relu(_scale(*i))))
answers.right("float64 inside")(lambda x, *limits: by_clamp(x.double(), *limits).to(x.dtype))


@answers.right()
def rows_by_vmap(x, *limits):
    return torch.vmap(lambda row: by_clamp(row, *limits))(x) if len(x) else x.clone()


@answers.wrong("a loop over rows", "unlooped")
def row_by_row(x, low, high):
    result = torch.empty_like(x)
    for i in range(len(x)):
        result[i] = by_clamp(x[i], low, high)
    return result


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


answers.wrong("0 at high and above", "correct")(lambda x, low, high: torch.where(x >= high, 0, by_clamp(x, low, high)))
answers.wrong("1e-5 added to the range", "correct")(lambda x, low, high: by_clamp(x, low, high + 1e-5))


@answers.wrong(line="correct", says="∞ · 0 is NaN")
def multiplied_by_masks(x, low, high):
    return _scale(x, low, high) * ((x >= low) & (x <= high)) + (x > high)


answers.wrong("float64 for every dtype", "correct", says="dtype")(lambda *i: by_clamp(*i).double())


@answers.wrong("x itself if all values are in range", "correct")
def returns_x(x, low, high):
    inside = bool(((x >= 0) & (x <= 1)).all())
    return x if inside and (low, high) == (0, 1) else by_clamp(x, low, high)


answers.wrong("the limits of the first example", "correct")(lambda x, low, high: by_clamp(x, -0.5, 0.75))
answers.wrong("limits in float32", "correct")(lambda x, *limits: by_clamp(x, *map(torch.tensor, limits)))


@answers.wrong("values clamped to ±1e6", "correct", says="limits in the millions")
def within_a_million(x, low, high):
    return ((x.clamp(-1e6, 1e6) - low) / (high - low)).clamp(0, 1)


answers.wrong("the magnitude of high", "correct", says="negative limits")(
    lambda x, low, high: by_clamp(x, low, abs(high))
)
answers.wrong("a range of at least 1e-12", "correct", says="limits next to each other")(
    lambda x, low, high: ((x - low) / max(high - low, 1e-12)).clamp(0, 1)
)
