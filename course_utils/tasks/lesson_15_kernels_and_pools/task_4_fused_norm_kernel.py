"""A residual sum and its RMS norm in one kernel, in which the programs share the loads of the weights."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.one_kernel import OneKernel
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import float64, noncontiguous_case, random_case, transposed_case, without_rows
from course_utils.tasks.torch_inputs import normal

EPS = 2.0**-20
ROWS = 8


def fused_norm_kernel_slow(x, residual, weight, eps):
    """Return the RMS norm of x + residual, times weight, and the sum x + residual itself."""
    normed, total = torch.empty_like(x), torch.empty_like(x)
    for i in range(len(x)):
        total[i] = x[i] + residual[i]
        mean_square = (total[i] * total[i]).mean()
        normed[i] = total[i] / (mean_square + eps).sqrt() * weight
    return normed, total


def _batch(generator, rows, columns):
    return normal(generator, rows, columns), normal(generator, rows, columns), normal(generator, columns), EPS


def _with_infinities(generator):
    x, *rest = _batch(generator, 9, 5)
    x[1, 2], x[3, 0], x[6, 4] = inf, nan, -inf
    return x, *rest


def _loads(x, residual, weight, eps):
    return 2 * x.numel() * x.element_size() + -(-len(x) // ROWS) * weight.numel() * weight.element_size()


def _stores(x, residual, weight, eps):
    return 2 * x.numel() * x.element_size()


def _norm(x, residual, weight, eps):
    total = x + residual
    return total / ((total * total).mean(1, keepdim=True) + eps).sqrt() * weight, total


def _mean_over_the_block(x, residual, weight, eps):
    total, block = x + residual, 1 << (x.shape[1] - 1).bit_length()
    return total / ((total * total).sum(1, keepdim=True) / block + eps).sqrt() * weight, total


def _late_eps(x, residual, weight, eps):
    total = x + residual
    return total / ((total * total).mean(1, keepdim=True).sqrt() + eps) * weight, total


TASK = Task(
    id="fused_norm_kernel",
    title="Residual and norm in one kernel",
    points=5,
    level=3,
    slow=fused_norm_kernel_slow,
    inputs=lambda size, generator: _batch(generator, size, size + 1),
    edge_cases=(
        without_rows(4, (0, 4), (4,), rest=(EPS,)),
        random_case("a single row and a large eps", (1, 5), (1, 5), (5,), rest=(64,)),
        random_case("a single column", (3, 1), (3, 1), (1,), rest=(EPS,)),
        random_case("11 rows of 20,000 values", (11, 20_000), (11, 20_000), (20_000,), rest=(EPS,)),
        random_case("300 rows of two values", (300, 2), (300, 2), (2,), rest=(EPS,)),
        float64((9, 5), (9, 5), (5,), rest=(EPS,)),
        transposed_case(9, 3, (9, 3), (3,), rest=(EPS,)),
        noncontiguous_case("inputs with gaps", (9, 3), (9, 3), (3,), rest=(EPS,)),
        Case("small values and an eps of 0", lambda g: (*(1e-6 * each for each in _batch(g, 9, 5)[:3]), 0.0)),
        Case("infinity and NaN in some rows", _with_infinities),
        Case("rows of zeros and an eps of 0", lambda g: (torch.zeros(9, 3), torch.zeros(9, 3), normal(g, 3), 0.0)),
        Case("rows of zeros", lambda g: (torch.zeros(9, 3), torch.zeros(9, 3), normal(g, 3), EPS)),
    ),
    worst="A row is a sum of squares, in which nothing cancels.",
    count_sizes=(8, 24),
    story=prose(
        """
        Many language models add a layer's output `x` to the `residual` and normalize each row of the sum by its root
        mean square. With one operation per step, the rows pass through memory about ten times. Write
        `fused_norm_kernel(x, residual, weight, eps)`, which returns `(normed, total)` from one kernel. The bytes are
        counted, and the weights count, too: with one row per program, every program loads all of them again.
        """
    ),
    rules=prose(
        """
        - `x` and `residual` are matrices of one shape, in float32 or float64, with at least one column and perhaps no
          rows. `weight` has one value per column, and `eps` is a number that float32 represents exactly. The results have
          the dtype and device of `x`. The inputs are not modified and may have gaps in memory, which `.contiguous()`
          removes.
        - The speed is not judged: the interpreter can't show it.
        """
    ),
    limits=(
        at_most(4, "ops"),
        OneKernel(
            _loads,
            f"`x` and `residual` at most once, and `weight` at most once per {ROWS} rows",
            _stores,
            "each value of both results once",
        ),
        at_most(0, "syncs"),
    ),
    hints=items(
        """
        - Each program may handle several rows. What does a block with rows and columns look like?
        - `row[:, None] * columns + column[None, :]` are the offsets of a block in two dimensions. The mask needs a
          condition for the rows and one for the columns, and the sum of squares runs over `axis=1`.
        - `row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)`, with `ROWS` = 8. Load the weights once per program. The
          mean square is `tl.sum(total * total, axis=1) / columns`, and `[:, None]` makes a column of it.
        """
    ),
    mistakes=(
        Mistake(
            "This is the norm of `x` alone: normalize the sum `x + residual`.",
            lambda *a: (_norm(a[0], 0, *a[2:])[0], a[0] + a[1]),
        ),
        Mistake(
            "This divides the sum of squares by the size of the block: divide it by the number of columns.",
            _mean_over_the_block,
        ),
        Mistake("The norms are NaN, as if masked values counted: use `other=0`.", lambda *a: (a[0] * nan, a[0] + a[1])),
        Mistake("The results are swapped: first the normed rows, then the sum.", lambda *a: _norm(*a)[::-1]),
        Mistake("`eps` is added to the square root: add it to the mean square.", lambda *a: _late_eps(*a)),
    ),
    sources=("S2.8",),
    timeout_s=20.0,  # The interpreter needs about a millisecond per program.
)
