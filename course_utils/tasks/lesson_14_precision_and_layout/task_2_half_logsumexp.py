"""log-sum-exp of half-precision rows: no overflow, no NaN for masked rows, and one rounding."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import noncontiguous, uniform


def half_logsumexp_slow(x):
    """Return log(sum(exp(row))) of each row of x, computed wide and rounded once, to the dtype of x."""
    result = torch.empty(len(x), dtype=x.dtype, device=x.device)
    for i in range(len(x)):
        row = x[i].to(torch.float64)
        largest = row.max()
        if largest.isfinite():
            result[i] = largest + (row - largest).exp().sum().log()
        else:
            result[i] = largest
    return result


COLUMNS, RACE_SIZE = 64, 512


def _scores(generator, rows, columns, dtype=torch.float16):
    """Return scores from 2 to 9, so that no result is near 0."""
    return (uniform(generator, 2, 9, rows, columns, dtype=dtype),)


def _sizes(size):
    return (RACE_SIZE, COLUMNS) if size == RACE_SIZE else (size, size + 2)


def _half(*rows, dtype=torch.float16):
    return (torch.tensor(rows, dtype=dtype),)


def _canceling(dtype):
    """Return rows whose result is the logarithm of 3,000, about 8.006, minus 8."""
    return (torch.full((2, 3000), -8.0, dtype=dtype),)


def _in_float64(x):
    return torch.logsumexp(x.double(), 1).to(x.dtype)


def _without_shift(x):
    return x.float().exp().sum(1).log().to(x.dtype)


def _shifted_always(x):
    wide = x.float()
    largest = wide.amax(1, keepdim=True)
    return ((wide - largest).exp().sum(1).log() + largest[:, 0]).to(x.dtype)


TASK = Task(
    id="half_logsumexp",
    title="log-sum-exp in half precision",
    points=3,
    level=2,
    slow=half_logsumexp_slow,
    reference=_in_float64,
    inputs=lambda size, generator: _scores(generator, *_sizes(size)),
    tolerance=2.0**-22,  # two roundings of the result's dtype; a right answer has an error of half a rounding
    of_each_value=True,
    dtypes={"x": ("bfloat16",)},
    edge_cases=(
        Case("a matrix without rows", lambda g: _scores(g, 0, 4)),
        Case("5,000 rows", lambda g: _scores(g, 5000, 2)),
        Case("a single column", lambda g: _scores(g, 3, 1)),
        Case("bfloat16 values", lambda g: _scores(g, 3, 5, torch.bfloat16)),
        Case("a transposed matrix", lambda g: (_scores(g, 5, 3)[0].T,)),
        Case("every second column of a wider matrix", lambda g: (noncontiguous(_scores(g, 4, 6)[0]),)),
        Case(
            "rows with scores whose exponentials overflow",
            lambda _: _half([1000.0, 999.0, 998.0], [60000.0, 60000.0, 5.0]),
        ),
        Case(
            "64 equal scores whose exponentials overflow or underflow",
            lambda _: (torch.tensor([[1000.0], [-1000.0]], dtype=torch.float16).repeat(1, 64),),
        ),
        Case("scores whose exponentials underflow", lambda _: _half([-1000.0, -999.0], [-60000.0, -60000.0])),
        Case("masked scores, minus infinity", lambda _: _half([1.0, -inf, 2.0], [-inf, -inf, 3.0])),
        Case("a row that is masked completely", lambda _: _half([-inf, -inf], [1.0, 2.0])),
        Case("infinity and NaN", lambda _: _half([inf, 1.0], [nan, 2.0], [-inf, inf], [nan, inf], [-inf, nan])),
        Case(
            "bfloat16 scores that no float16 can represent",
            lambda _: _half([1e5, 9e4], [-1e5, -1e5], dtype=torch.bfloat16),
        ),
    ),
    worst=(
        Case("70,000 equal scores", lambda _: (torch.full((1, 70_000), 1.0, dtype=torch.float16),)),
        Case("3,000 equal scores, a result near 0", lambda _: _canceling(torch.float16)),
        Case("3,000 equal bfloat16 scores, a result near 0", lambda _: _canceling(torch.bfloat16)),
        Case("one score of 2⁻⁸ and 3,000 masked ones", lambda _: _half([2.0**-8, *[-inf] * 3000])),
        Case("a score of 0 next to negligible ones, a result of 0", lambda _: _half([0.0, -inf], [-1000.0, 0.0])),
        Case("rows of two scores with results near 0", lambda _: _half([0.0, -3.5], [-7.0, 0.0], [2.0**-8, -5.0])),
        Case(
            "one tiny bfloat16 score and a masked one",
            lambda _: _half([1e-20, -inf], [-inf, -1e-20], dtype=torch.bfloat16),
        ),
        # In float16 there is no -8 - 2**-8.
        Case("3,000 scores of -8 and one of 2⁻⁸", lambda _: _half([2.0**-8, *[-8.0] * 3000])),
    ),
    count_sizes=(8, 64),
    race_size=RACE_SIZE,
    story=prose(
        """
        A speech model runs in half precision. Each row of `x` holds the log-likelihoods of candidate sentences;
        impossible candidates are masked with minus infinity. The program needs the logarithm of each row's total
        likelihood, log(Σ exp(x)). In float16, exponentials overflow early, and the sum of many likelihoods can overflow
        even if none of them does. Write `half_logsumexp(x)` without a loop over the rows.
        """
    ),
    rules=prose(
        """
        - `x` is a matrix of float16 or bfloat16 with at least one column. The result has one value per row, in the
          dtype of `x` and on its device. `x` is not modified.
        - Each result is as exact as one that was computed in float32 and rounded once, even near 0. If a row's
          maximum is infinite or NaN, the result is that maximum: minus infinity for a row that is masked completely.
        """
    ),
    limits=(at_most(24, "ops"), at_most(0, "syncs")),
    target=8.0,
    cost=lambda size: Cost(reads=2 * COLUMNS * size, writes=2 * size),
    ways={"wide": lambda x: torch.logsumexp(x.float(), 1).to(x.dtype)},
    hints=items(
        """
        - Which intermediate results are larger than the largest float16, and which lose digits? How many roundings to
          half precision does the result need?
        - log(Σ exp(x)) = m + log(Σ exp(x − m)) for any finite m. With the row's maximum as m, no exponential overflows.
          If the maximum is minus infinity, x − m is NaN.
        - `torch.logsumexp` handles all of that in the dtype of its input: convert `x` to float32 before, and the result
          back to `x.dtype`.
        """
    ),
    mistakes=(
        Mistake(
            "An intermediate result is rounded to the dtype of `x`: compute in float32, and convert only the result.",
            lambda x: torch.logsumexp(x, 1),
        ),
        Mistake(
            "Values pass through float16, whose largest value is 65,504: convert only from the dtype of `x` to float32 and "
            "back.",
            lambda x: torch.logsumexp(x.float(), 1).half().to(x.dtype),
        ),
        Mistake("The exponentials overflow or underflow: subtract the row's maximum first.", _without_shift),
        Mistake(
            "A row whose maximum is infinite becomes NaN, because infinity minus itself is NaN: subtract the maximum only "
            "if it is finite.",
            _shifted_always,
        ),
        Mistake("The logarithm is missing: apply it to each sum.", lambda x: x.double().exp().sum(1).to(x.dtype)),
        Mistake(
            "This is the maximum of each row: add the logarithm of the sum of `exp(x - maximum)`.", lambda x: x.amax(1)
        ),
        Mistake("The result is in float32: convert it to the dtype of `x`.", lambda x: torch.logsumexp(x.float(), 1)),
    ),
    sources=("S2.7",),
)
