"""Clip and scale into a preallocated buffer, without new memory and as close to the limit as possible.

The slow loop works on Python numbers, which makes it fast enough for a race on a large image.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_buffers import (
    into_buffer,
    nan_buffer,
    noncontiguous_buffer,
    transposed_buffer,
    with_buffer,
)
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


def clip_into_slow(x, low, high, out):
    """Write each value of x to out, scaled from 0 at low to 1 at high, 0 below low and 1 above high."""
    for i in range(x.shape[0]):
        row = []
        for value in x[i].tolist():
            if value < low:
                row.append(0.0)
            elif value > high:
                row.append(1.0)
            else:
                row.append((value - low) / (high - low))
        out[i] = torch.tensor(row, dtype=x.dtype)


_LIMITS = (-0.5, 0.75)


def _matrix(generator):
    return normal(generator, 3, 4), *_LIMITS


def _fresh(x, low, high, out):
    out.copy_(((x - low) / (high - low)).clamp(0, 1))


def _by_where(x, low, high, out):
    scaled = (x - low) / (high - low)
    out.copy_(torch.where(x < low, 0.0, torch.where(x > high, 1.0, scaled)))


TASK = Task(
    id="clip_into",
    title="Clip and scale, in a preallocated buffer",
    points=4,
    level=3,
    slow=clip_into_slow,
    inputs=lambda size, generator: with_buffer(generator, normal(generator, size, size + 1), *_LIMITS),
    writes=("out",),
    # With fewer values, all results can be 0, which hides a sum with the old content of the buffer.
    sizes=(3, 5, 17),
    edge_cases=(
        *into_buffer(
            without_rows(4, rest=_LIMITS),
            random_case("one row", (1, 6), rest=_LIMITS),
            random_case("one row of 5,000 columns", (1, 5000), rest=_LIMITS),
            fixed_case("a single value", [[0.5]], rest=(0.0, 2.0)),
            transposed_case(5, 3, rest=_LIMITS),
            every_second_column(3, 4, rest=_LIMITS),
            float64((4, 4), rest=_LIMITS),
            without_columns(4, rest=_LIMITS),
            fixed_case("values exactly at low and at high", [[2.0, 3.0, 6.0]], rest=(2.0, 6.0)),
            fixed_case("values that are already from 0 to 1", [[0.0, 0.25, 1.0]], rest=(0.0, 1.0)),
            Case("limits far from zero", lambda generator: (200 * normal(generator, 3, 4) + 1200, 1002.5, 1375.0)),
            Case("negative limits", lambda generator: (4 * normal(generator, 3, 4) - 5, -7.5, -2.25)),
            random_case("a high limit of 0, an integer", (3, 4), rest=(-1.5, 0)),
            Case("integer limits", lambda generator: (4 * normal(generator, 3, 4), -2, 3)),
            Case("limits next to each other", lambda generator: (1e-29 * normal(generator, 3, 4), -3e-30, 2e-29)),
            Case("very large limits", lambda generator: (1e30 * normal(generator, 3, 4), -5e29, 2e30)),
            Case("limits in the millions", lambda generator: (1e7 * normal(generator, 3, 4), -5e6, 2e7)),
            infinity_and_nan([[inf, -inf, nan, 0.5]], rest=(0.0, 1.0)),
        ),
        nan_buffer(_matrix, 3, 4),
        transposed_buffer(_matrix, 3, 4),
        noncontiguous_buffer(_matrix, 3, 4),
    ),
    worst=into_buffer(Case("a single column of 5,003 rows", lambda generator: (normal(generator, 5003, 1), *_LIMITS))),
    count_sizes=(8, 160),
    race_size=512,
    story=prose(
        """
        A camera delivers images of one size, and each image is clipped and scaled as in the first exercise. The program keeps
        one buffer for the results. Write `clip_into(x, low, high, out)`, which writes the result to `out` and allocates no
        new tensor. Then see how close you can come to your machine's limit.
        """
    ),
    rules=prose(
        """
        - The result is the content of `out` afterward, in the same memory; the return value doesn't count. `x` doesn't
        change.
        - `x` is a float32 or float64 matrix. `out` has its shape and dtype, and can hold any values before the call, even NaN. `low` and
        `high` are numbers with `low < high`. NaN in `x` stays NaN.
        - The card shows your share of the limit.
        """
    ),
    limits=(at_most(100, "ops"), at_most(0, "syncs"), at_most(0, "bytes")),
    target=5.0,
    cost=lambda size: Cost(reads=4 * size * (size + 1), writes=4 * size * (size + 1)),
    ways={"where": _by_where, "new intermediates": _fresh},
    hints=items(
        """
        - Start from the formula of `clip_and_scale`: a difference, a quotient and a clamp. Which of the three needs a new tensor
          for its result?
        - `torch.sub(x, low, out=out)` writes the difference to the buffer. Then work in place: `div_`, `clamp_`.
        - `torch.sub(x, low, out=out).div_(high - low).clamp_(0, 1)` is right. Now try three changes. Multiply instead of
          dividing. For images larger than your cache, work on a few blocks of rows, so that each block is still in the cache
          for the next operation. For two passes instead of three, `torch.add(offset, x, alpha=slope, out=…)` multiplies and
          adds in one call. Which numbers are `offset` and `slope`?
        """
    ),
    mistakes=(
        Mistake(
            "Values between `low` and `high` are not scaled: they rise from 0 at `low` to 1 at `high`.",
            lambda x, low, high, out: out.copy_(x.clamp(low, high)),
        ),
        Mistake(
            "Nothing is clipped: values below `low` become 0 and values above `high` become 1.",
            lambda x, low, high, out: out.copy_((x - low) / (high - low)),
        ),
        Mistake(
            "Values are clipped to 0 and 1 before they are scaled: scale first, or clip to `low` and `high`.",
            lambda x, low, high, out: out.copy_((x.clamp(0, 1) - low) / (high - low)),
        ),
        Mistake(
            "The result is added to the old content of `out`: overwrite it, because it can be anything.",
            lambda x, low, high, out: out.add_(((x - low) / (high - low)).clamp(0, 1)),
        ),
    ),
    sources=("S0.2",),
)
