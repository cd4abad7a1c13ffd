"""A conditional without an ``if``: values scaled between two limits and clipped to 0 and 1.

NaN is neither below nor above a limit, so versions that choose in different ways treat it differently.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import (
    every_second_column,
    fixed_case,
    float64,
    infinity_and_nan,
    random_case,
    transposed_case,
    without_columns,
    without_rows,
)
from course_utils.tasks.torch_inputs import normal


def clip_and_scale_slow(x, low, high):
    """Return x scaled linearly from 0 at low to 1 at high, with 0 below low and 1 above high."""
    result = torch.empty_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] < low:
                result[i, j] = 0
            elif x[i, j] > high:
                result[i, j] = 1
            else:
                result[i, j] = (x[i, j] - low) / (high - low)
    return result


_LIMITS = (-0.5, 0.75)


def _by_where(x, low, high):
    scaled = (x - low) / (high - low)
    return torch.where(x < low, 0.0, torch.where(x > high, 1.0, scaled))


def _in_place(x, low, high):
    return x.sub(low).div_(high - low).clamp_(0, 1)


TASK = Task(
    id="clip_and_scale",
    title="A conditional without an if",
    points=2,
    level=1,
    slow=clip_and_scale_slow,
    inputs=lambda size, generator: (normal(generator, size, size + 1), *_LIMITS),
    edge_cases=(
        without_rows(4, rest=_LIMITS),
        without_columns(4, rest=_LIMITS),
        random_case("one row", (1, 6), rest=_LIMITS),
        random_case("one row of 4,100 columns", (1, 4100), rest=_LIMITS),
        random_case("4,100 rows of one column", (4100, 1), rest=_LIMITS),
        fixed_case("a single value", [[0.5]], rest=(0.0, 2.0)),
        transposed_case(5, 3, rest=_LIMITS),
        every_second_column(3, 4, rest=(0.0, 1.0)),
        float64((3, 4), rest=_LIMITS),
        random_case("float64 values and limits that float32 rounds", (9, 12), rest=(-0.3, 0.7), dtype=torch.float64),
        fixed_case("values exactly at low and at high", [[2.0, 3.0, 6.0]], rest=(2.0, 6.0)),
        fixed_case("values that are already from 0 to 1", [[0.0, 0.25], [0.5, 1.0]], rest=(0.0, 1.0)),
        Case("limits far from zero", lambda generator: (200 * normal(generator, 3, 4) + 1200, 1002.5, 1375.0)),
        Case("negative limits", lambda generator: (4 * normal(generator, 3, 4) - 5, -7.5, -2.25)),
        random_case("a high limit of 0, an integer", (3, 4), rest=(-1.5, 0)),
        Case("limits next to each other", lambda generator: (1e-29 * normal(generator, 3, 4), -3e-30, 2e-29)),
        Case("limits in the millions", lambda generator: (1e7 * normal(generator, 3, 4), -5e6, 2e7)),
        Case("very large limits", lambda generator: (1e30 * normal(generator, 3, 4), -5e29, 2e30)),
        Case("integer limits", lambda generator: (4 * normal(generator, 3, 4), -2, 3)),
        fixed_case("huge and tiny values", [[3e38, -3e38, 1e-40, -1e-40, 0.0]], rest=(-1.0, 1.0)),
        infinity_and_nan([[inf, -inf, nan, 0.5]], rest=(0.0, 1.0)),
    ),
    worst="Each value of the result depends on one value of `x`; infinity, NaN and far limits are edge cases.",
    count_sizes=(4, 64),
    race_size=40,
    story=prose(
        """
        A camera returns brightness as raw values. Values below `low` become 0, values above `high` become 1, and values in
        between rise linearly from 0 to 1. Write `clip_and_scale(x, low, high)`.
        """
    ),
    rules=prose(
        """
        - `x` is a float32 or float64 matrix that doesn't change. `low` and `high` are numbers with `low < high`. The result has the
        shape and dtype of `x`.
        - NaN is neither below nor above a limit: it stays NaN, as in the loop.
        """
    ),
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    target=50.0,
    cost=lambda size: Cost(reads=4 * size * (size + 1), writes=4 * size * (size + 1)),
    ways={"where": _by_where, "in place": _in_place},
    hints=items(
        """
        - Ignore the conditions at first: what is the formula of the last branch for the whole matrix at once?
        - A comparison such as `x < low` returns a matrix of True and False, and `torch.where` chooses by it. Or look for an
          operation that limits values to a range.
        - Scale the whole matrix with `(x - low) / (high - low)`, then clip it with `clamp(0, 1)`.
        """
    ),
    mistakes=(
        Mistake(
            "Values between `low` and `high` are not scaled: they rise from 0 at `low` to 1 at `high`.",
            lambda x, low, high: x.clamp(low, high),
        ),
        Mistake(
            "Values are clipped to 0 and 1 before they are scaled: scale first, or clip to `low` and `high`.",
            lambda x, low, high: (x.clamp(0, 1) - low) / (high - low),
        ),
        Mistake(
            "Values above `high` exceed 1: clip them to 1.",
            lambda x, low, high: ((x - low) / (high - low)).clamp(min=0),
        ),
        Mistake(
            "Values below `low` are negative: clip them to 0.",
            lambda x, low, high: ((x - low) / (high - low)).clamp(max=1),
        ),
        Mistake(
            "Nothing is clipped: values below `low` become 0 and values above `high` become 1.",
            lambda x, low, high: (x - low) / (high - low),
        ),
        Mistake(
            "The values are divided by `high`: divide by `high - low`.",
            lambda x, low, high: ((x - low) / high).clamp(0, 1),
        ),
        Mistake(
            "NaN became 0: `<` and `>` are False for NaN, so in the loop NaN takes the last branch and stays NaN.",
            lambda x, low, high: torch.where(
                (x >= low) & (x <= high), (x - low) / (high - low), (x > high).to(x.dtype)
            ),
        ),
        Mistake(
            "NaN became 1: `<` and `>` are False for NaN, so in the loop NaN takes the last branch and stays NaN.",
            lambda x, low, high: torch.where(x < low, 0, torch.where(x <= high, (x - low) / (high - low), 1)).to(
                x.dtype
            ),
        ),
    ),
    sources=("S0.2", "S0.6"),
)
