"""The mean of half-precision rows, accumulated in float64 and rounded once.

The sum of a row may be larger than any float16, and in float32 large values may cancel.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import noncontiguous, uniform


def wide_mean_slow(x):
    """Return the mean of each row of x, accumulated in float64 and rounded once, to the dtype of x."""
    total = torch.zeros(len(x), dtype=torch.float64, device=x.device)
    for j in range(x.shape[1]):
        total += x[:, j]
    return (total / x.shape[1]).to(x.dtype)


ROWS, RACE_SIZE = 64, 1024


def _readings(generator, rows, columns, dtype=torch.float16):
    """Return values from 1 to 9: a mean near 0 would be a small difference of large sums."""
    return (uniform(generator, 1, 9, rows, columns, dtype=dtype),)


def _sizes(size):
    return (ROWS, RACE_SIZE) if size == RACE_SIZE else (size, size + 1)


def _canceling(generator, rows=8, columns=32):
    """Return small values between large ones whose sum is about 0: float32 loses the small ones in any order."""
    large = uniform(generator, -1e8, 1e8, rows, columns)
    small = uniform(generator, 1, 9, rows, columns)
    rest = -large.double().sum(1, keepdim=True).to(large.dtype)
    return (torch.cat([torch.stack([large, small], 2).flatten(1), rest], 1),)


def _half_canceling(dtype, large):
    """Return small values between large ones whose sum is 0: float32 loses the small ones, and float64 is exact."""
    return (torch.tensor([[large, 2.0**-10, -large] * 64], dtype=dtype),)


def _two_values(dtype):
    """Return rows of two values, of which partial sums in ``dtype`` soon have steps as large as a value."""
    return (torch.cat([torch.full((2, 4096), 0.7, dtype=dtype), torch.full((2, 904), 0.2, dtype=dtype)], 1),)


TASK = Task(
    id="wide_mean",
    title="A mean with a wide accumulator",
    points=2,
    level=1,
    slow=wide_mean_slow,
    inputs=lambda size, generator: _readings(generator, *_sizes(size)),
    tolerance=2.0**-23,  # One unit in the last place of the result's dtype.
    of_each_value=True,
    dtypes={"x": ("bfloat16", "float32")},
    edge_cases=(
        Case("a matrix without rows", lambda g: _readings(g, 0, 4)),
        Case("5,000 rows", lambda g: _readings(g, 5000, 2)),
        Case("float16 values between 1e-6 and 1e-5", lambda g: (_readings(g, 2, 4)[0] * 1e-6,)),
        Case("a single column", lambda g: _readings(g, 3, 1)),
        Case("bfloat16 values", lambda g: _readings(g, 3, 5, torch.bfloat16)),
        Case("float32 values", lambda g: _readings(g, 4, 4, torch.float32)),
        Case("a transposed matrix", lambda g: (_readings(g, 5, 3)[0].T,)),
        Case("every second column of a wider matrix", lambda g: (noncontiguous(_readings(g, 4, 6, torch.float32)[0]),)),
        Case("values whose sum is larger than any float16", lambda _: (torch.full((2, 20), 6e4, dtype=torch.float16),)),
        Case(
            "bfloat16 values that no float16 can represent",
            lambda _: (torch.full((2, 3), 1e5, dtype=torch.bfloat16),),
        ),
        Case("bfloat16 values between 1e-35 and 1e-34", lambda g: (_readings(g, 2, 4, torch.bfloat16)[0] * 1e-35,)),
        Case("float32 values that cancel", lambda g: _canceling(g)),
        Case("float16 values that cancel", lambda _: _half_canceling(torch.float16, 2.0**15)),
        Case("bfloat16 values that cancel", lambda _: _half_canceling(torch.bfloat16, 2.0**24)),
        Case("values whose sum is larger than any float32", lambda _: (torch.full((2, 5), 3e38),)),
        Case(
            "infinity and NaN",
            lambda _: (torch.tensor([[1.0, inf], [-inf, 1.0], [nan, 2.0], [3.0, 4.0]], dtype=torch.float16),),
        ),
    ),
    worst=(
        Case("rows of 5,000 float16 values", lambda _: _two_values(torch.float16)),
        Case("rows of 5,000 bfloat16 values", lambda _: _two_values(torch.bfloat16)),
    ),
    count_sizes=(8, 64),
    race_size=RACE_SIZE,
    story=prose(
        """
        A logger stores its readings in float16, to save memory. Each row of `x` holds the readings of one sensor. The
        mean of a row fits into float16, but the sum often doesn't, and a running sum of small readings in float16
        stops growing long before it overflows. The loop below accumulates in float64. Write `wide_mean(x)`, which
        returns the same means without a loop over the columns.
        """
    ),
    rules=prose(
        """
        - `x` is a matrix of float16, bfloat16 or float32 with at least one column. The result has one value per row, in
          the dtype of `x` and on its device. `x` is not modified.
        - The sum is accumulated in float64, and the mean is rounded to the dtype of `x`. It may differ from the loop's
          mean by one unit in the last place, as after a second rounding.
        """
    ),
    limits=(at_most(6, "ops"), at_most(0, "syncs")),
    target=10.0,
    cost=lambda size: Cost(reads=2 * ROWS * size, writes=2 * ROWS),
    ways={
        "converted, then mean": lambda x: x.double().mean(1).to(x.dtype),
        "mean(dtype=…)": lambda x: x.mean(1, dtype=torch.float64).to(x.dtype),
    },
    hints=items(
        """
        - In which dtype is the sum stored while it grows, and in which dtype is the result?
        - `sum` and `mean` take a `dtype`: PyTorch converts the values to it before it adds them.
        - `x.mean(1, dtype=torch.float64)` is the mean in float64. One more operation converts it to `x.dtype`.
        """
    ),
    mistakes=(
        Mistake(
            "The sum has the dtype of `x`, or was accumulated in float32: it overflows or loses digits. Accumulate in "
            "float64, and divide before you convert.",
            lambda x: x.sum(1) / x.shape[1],
        ),
        Mistake("These are the sums: divide them by the number of columns.", lambda x: x.double().sum(1).to(x.dtype)),
        Mistake("These are the means of the columns: average each row.", lambda x: x.double().mean(0).to(x.dtype)),
        Mistake("The result is in float64: convert it to the dtype of `x`.", lambda x: x.double().mean(1)),
    ),
    sources=("S2.7",),
)
