"""The softmax of each row in one kernel, for rows of any length: a masked reduction, and no overflow."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.one_kernel import OneKernel
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import (
    every_second_column,
    fixed_case,
    float64,
    random_case,
    transposed_case,
    without_rows,
)
from course_utils.tasks.torch_inputs import normal


def row_softmax_kernel_slow(x):
    """Return the softmax of each row of x: exp(row - largest), divided by the sum."""
    result = torch.empty_like(x)
    for i in range(len(x)):
        exponentials = (x[i] - x[i].max()).exp()
        result[i] = exponentials / exponentials.sum()
    return result


def _bytes(x):
    return x.numel() * x.element_size()


def _with_infinities(_):
    return (torch.tensor([[0.0, -inf, 1.0], [-inf, -inf, 2.0], [-inf, -inf, -inf], [nan, 0.0, 1.0]]),)


def _masked_at_first(generator):
    scores = normal(generator, 2, 1500)
    scores[:, :1200] = -inf
    return (scores,)


def _far_below_zero(generator):
    return torch.cat([-100_000 + normal(generator, 3, 6), torch.tensor([[-1e30, -2e30] * 3])])


TASK = Task(
    id="row_softmax_kernel",
    title="Softmax of rows in one kernel",
    points=3,
    level=2,
    slow=row_softmax_kernel_slow,
    inputs=lambda size, generator: (normal(generator, size, size + 2),),
    edge_cases=(
        without_rows(4),
        fixed_case("a single column with minus infinity", [[1.5], [-inf], [0.0]]),
        random_case("a single row", (1, 7)),
        random_case("rows of 16 values, which fill a block", (2, 16)),
        random_case("a row of 9,000 values", (1, 9000)),
        random_case("130 rows of two values", (130, 2)),
        float64((3, 5)),
        transposed_case(4, 3),
        every_second_column(3, 5),
        Case("scores that are masked with minus infinity, and NaN", _with_infinities),
    ),
    worst=(
        Case("scores near 1,000, whose exponentials overflow", lambda g: (1000 + normal(g, 3, 6),)),
        Case("scores far below 0, whose exponentials vanish", lambda g: (_far_below_zero(g),)),
        Case("rows that are 1,000 apart", lambda g: (torch.tensor([[0.0], [1000], [-1000]]) + normal(g, 3, 6),)),
        Case("rows of 1,500 scores, of which the first 1,200 are masked", _masked_at_first),
    ),
    count_sizes=(8, 24),
    story=prose(
        """
        Attention turns each row of scores into weights with a softmax. With one operation per step, this takes five
        passes over the scores. Write `row_softmax_kernel(x)`, which launches one kernel of your own. The rows of one
        batch may have 10 values, and the rows of the next batch 1,500. Scores may be masked with minus infinity.
        """
    ),
    rules=prose(
        """
        - `x` is a matrix of float32 or float64 with at least one column and perhaps no rows. The result has its dtype
          and device, and `x` is not modified. `x` may be transposed or have gaps: `x.contiguous()` copies such a matrix
          and returns any other matrix as it is.
        - A row whose scores are all minus infinity becomes NaN, as in `torch.softmax`.
        - The speed is not judged: the interpreter can't show it.
        """
    ),
    limits=(
        at_most(2, "ops"),
        OneKernel(lambda x: 2 * _bytes(x), "each value of `x` at most twice", _bytes, "each value of the result once"),
        at_most(0, "syncs"),
    ),
    hints=items(
        """
        - If one program handles one row, how large is its block, and what do the masked values have to be so that they
          change neither the maximum nor the sum?
        - `triton.next_power_of_2(columns)` is the block of a row. Load with `other=float("-inf")`: the exponential of
          minus infinity is 0.
        - Row `i` begins at `x_ptr + i * columns`. In the kernel: `values = tl.load(…)`,
          `exponentials = tl.exp(values - tl.max(values, axis=0))`, then store
          `exponentials / tl.sum(exponentials, axis=0)` with the same mask.
        """
    ),
    mistakes=(
        Mistake(
            "The sum also counts the masked part of the block: load it as minus infinity, whose exponential is 0.",
            lambda x: _with_masked_zeros(x),
        ),
        Mistake('Every value is NaN, as if masked values counted: use `other=float("-inf")`.', lambda x: x * torch.nan),
        Mistake("These are the softmaxes of the columns: reduce each row.", lambda x: x.softmax(0)),
        Mistake(
            "These are the exponentials: divide them by their sum.",
            lambda x: (x - x.amax(1, keepdim=True)).exp(),
        ),
        Mistake(
            "The maximum counts a number that isn't in the row, such as 0 for the masked part of the block: use minus infinity.",
            lambda x: _with_zero_in_maximum(x),
        ),
        Mistake("Large scores overflow: subtract the row's maximum first.", lambda x: _without_maximum(x)),
    ),
    sources=("S2.8",),
    timeout_s=20.0,  # The interpreter needs about a millisecond per program.
)


def _with_masked_zeros(x):
    columns = 1 << (x.shape[1] - 1).bit_length()
    padded = torch.nn.functional.pad(x, (0, columns - x.shape[1]))
    return padded.softmax(1)[:, : x.shape[1]].clone()


def _with_zero_in_maximum(x):
    exponentials = (x - x.amax(1, keepdim=True).clamp(min=0)).exp()
    return exponentials / exponentials.sum(1, keepdim=True)


def _without_maximum(x):
    exponentials = x.exp()
    return exponentials / exponentials.sum(1, keepdim=True)
