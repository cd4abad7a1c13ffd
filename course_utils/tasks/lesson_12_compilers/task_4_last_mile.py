"""The last mile: clip, scale and smooth into a preallocated buffer, in as few passes as possible."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_buffers import (
    into_buffer,
    matrices_into_buffer,
    nan_buffer,
    transposed_buffer,
    with_buffer,
)
from course_utils.tasks.torch_cases import fixed_case, infinity_and_nan
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose


def last_mile_slow(x, low, high, out):
    """Writes into out, for each value: t = (value - low) / (high - low), clamped to 0 … 1, then t * t * (3 - 2 t)."""
    for i in range(x.shape[0]):
        row = []
        for value in x[i].tolist():
            if value < low:
                row.append(0.0)
            elif value > high:
                row.append(1.0)
            else:
                t = (value - low) / (high - low)
                row.append(t * t * (3 - 2 * t))
        out[i] = torch.tensor(row, dtype=x.dtype)


_LIMITS = (-0.5, 0.75)


def _matrix(generator):
    return normal(generator, 3, 4), *_LIMITS


def _share(x, low, high):
    return (x - low) / (high - low)


def _smooth(t):
    return t * t * (3 - 2 * t)


def _new_temporaries(x, low, high, out):
    out.copy_(_smooth(_share(x, low, high).clamp(0, 1)))


def _in_place(x, low, high, out):
    torch.sub(x, low, out=out).div_(high - low).clamp_(0, 1)
    out.mul_(out * (3 - 2 * out))


TASK = Task(
    id="last_mile",
    title="The last mile",
    points=5,
    level=3,
    slow=last_mile_slow,
    inputs=lambda size, generator: with_buffer(generator, normal(generator, size, size + 1), *_LIMITS),
    writes=("out",),
    sizes=(3, 5, 17),
    edge_cases=(
        *matrices_into_buffer(*_LIMITS),
        *into_buffer(
            fixed_case("values exactly at low and at high", [[2.0, 3.0, 6.0]], rest=(2.0, 6.0)),
            infinity_and_nan([[inf, -inf, nan, 0.5]], rest=(0.0, 1.0)),
        ),
        nan_buffer(_matrix, 3, 4),
        transposed_buffer(_matrix, 3, 4),
    ),
    worst="Each value depends on one value of `x`; the thresholds, infinity and NaN are edge cases.",
    count_sizes=(8, 160),
    race_size=512,
    story=prose(
        """
        Between two thresholds a picture fades in smoothly: the fraction t of the way from `low` to `high`, clamped to 0
        … 1, becomes t² (3 − 2t), which starts and ends flat. (Renderers call it *smoothstep*.) The program reuses one
        buffer. Write `last_mile(x, low, high, out)`, which writes the result there, and get as close to the limit of
        your machine as you can: eager code makes half a dozen passes and needs temporary memory.
        """
    ),
    rules=prose(
        """
        - The result is the content of `out` afterward, in the memory that you received. `x` is not modified.
        - `x` is a floating-point matrix; `out` has its shape and dtype and may hold anything before the call. `low` and
          `high` are numbers with `low < high`. NaN in `x` stays NaN.
        - You may compile or not, and temporary memory isn't limited.
        - The card shows what share of the limit you reach.
        """
    ),
    limits=(at_most(60, "ops"), at_most(0, "syncs")),
    target=5.0,
    timeout_s=8.0,
    cost=lambda size: Cost(reads=4 * size * (size + 1), writes=4 * size * (size + 1)),
    ways={"new temporaries": _new_temporaries, "in place": _in_place},
    hints=items(
        """
        - Write it as plain tensor operations first, and end with `out.copy_(…)`. That is correct and far from the
          limit: what binds it? Run `explain` on it.
        - All of it is elementwise, so a compiler fuses it into one pass without intermediate results in memory. What
          belongs above `def`? And is the result written into the buffer in the same pass, or copied there afterward?
        - `@torch.compile` above `def`, then `t = ((x - low) / (high - low)).clamp(0, 1)` and `out.copy_(t * t * (3 - 2
          * t))`. From there on: multiply instead of dividing, and look at the fixed cost of each call.
        """
    ),
    mistakes=(
        Mistake(
            "t isn't smoothed: return t * t * (3 - 2 t).",
            lambda x, low, high, out: out.copy_(_share(x, low, high).clamp(0, 1)),
        ),
        Mistake(
            "Nothing is clamped to 0 … 1: values outside `low` and `high` exceed the range.",
            lambda x, low, high, out: out.copy_(_smooth(_share(x, low, high))),
        ),
        Mistake(
            "t is smoothed before it is clamped: outside `low` and `high` the curve turns back. Clamp first.",
            lambda x, low, high, out: out.copy_(_smooth(_share(x, low, high)).clamp(0, 1)),
        ),
    ),
)
