"""A running sum that begins anew: documents packed one after the other, each with a sum of its own.

What a document holds must not reach the next one, not as lost digits and not as infinity: no sum is subtracted.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.lesson_09_scans.along_the_rows import (
    COUNT_SIZES,
    RACE_SIZE,
    columns,
    doubling,
    in_proportion,
    once_each,
    scan,
)
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import integers, noncontiguous, normal, uniform
from course_utils.tasks.unwrap import items, prose


def reset_sum_slow(x, reset):
    """The running sum of the rows of x, which begins anew at every row where reset is True."""
    result = torch.empty_like(x)
    total = torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device)
    for t in range(len(x)):
        if reset[t]:
            total = torch.zeros_like(total)
        total = total + x[t]
        result[t] = total
    return result


def _beginnings(generator, rows, share=0.25):
    return uniform(generator, 0, 1, rows) < share


def _drawn(name, *shape, dtype=torch.float32, share=0.25):
    return Case(
        name, lambda generator: (normal(generator, *shape, dtype=dtype), _beginnings(generator, shape[0], share))
    )


def _whole(name, dtype):
    return Case(name, lambda g: (integers(g, -9, 10, 8, 2, dtype=dtype), _beginnings(g, 8)))


def _beside(reset, x):
    return reset.view(-1, *[1] * (x.dim() - 1))


def _combine(one, other):
    (total, begun), (more, anew) = one, other
    return [torch.where(anew, more, total + more), begun | anew]


def _by(way):
    return lambda x, reset: way(_combine, [x, _beside(reset, x)])[0]


def _subtracted(x, reset):
    """The running sum of all, less what it was before the last reset."""
    total = x.cumsum(0, dtype=x.dtype)
    start = torch.where(reset, torch.arange(len(x)), 0).cummax(0).values
    return total - (total - x)[start]


TASK = Task(
    id="reset_sum",
    title="Documents packed in one sequence",
    points=3,
    level=2,
    slow=reset_sum_slow,
    inputs=lambda size, generator: (normal(generator, size, columns(size)), _beginnings(generator, size)),
    edge_cases=(
        _drawn("no rows", 0, 3),
        _drawn("no columns", 4, 0),
        _drawn("one row", 1, 3),
        _drawn("a single series, without columns", 6),
        _drawn("three dimensions", 5, 2, 3),
        Case("a matrix turned on its side", lambda g: (normal(g, 3, 5).T, _beginnings(g, 5))),
        Case("every second column of a wider matrix", lambda g: (noncontiguous(normal(g, 5, 2)), _beginnings(g, 5))),
        _drawn("float64 values", 6, 2, dtype=torch.float64),
        _drawn("a reset at every row", 5, 2, share=2.0),
        _drawn("no reset at all", 5, 2, share=-1.0),
        fixed_case("a reset at the first row and at the last", [[1.0], [2.0], [4.0]], [True, False, True]),
        fixed_case(
            "infinity and NaN in earlier documents",
            [[1.0, 2.0], [inf, nan], [3.0, 4.0], [5.0, 6.0]],
            [True, False, True, False],
        ),
        _whole("int64 values", torch.int64),
        _whole("int32 values", torch.int32),
        fixed_case("int64 values beyond float64", [[2**53], [1], [1], [1]], [True, False, True, False]),
        Case(
            "3,000 rows of large numbers, with a reset at every second one",
            lambda g: (1000 + normal(g, 3000, 2), torch.arange(3000) % 2 == 0),
        ),
    ),
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        Documents of all lengths are packed one after the other into one long sequence, as it is done to train a language
        model. `x` holds one row a token, and `reset` is True where a document begins. Each document wants a running sum of its
        own: write `reset_sum(x, reset)`, the running sum of the rows, which begins anew at every row where `reset` is
        True. The row itself is in the sum. What a document holds must leave no trace in the next one. **What must be known of
        some rows in a row, beside their sum, so that they combine with the rows before them?**
        """
    ),
    rules=prose(
        """
        - The sum runs along dimension 0, whatever other dimensions `x` has; `reset` is a bool for each row, of shape (n,): `reset.view(-1, *[1] * (x.dim() - 1))` goes with `x`. Shape and dtype
        are those of `x`, which stays as it was. There may also be one row, or none; row 0 may be a beginning, or none.
        - As exact as the loop, whatever an earlier document holds: many large numbers, infinity, NaN.
        - At most 500 tensor operations, also for 1,024 rows, and no table of rows × rows.
        """
    ),
    limits=(
        at_most(500, "ops"),
        at_most(in_proportion, "bytes", "64 times the bytes of `x`, and 1 MB"),
        at_most(0, "syncs"),
    ),
    target=4.0,
    cost=once_each,
    ways={"doubling": _by(doubling), "pair scan": _by(scan)},
    hints=items(
        """
        - Subtracting what the running sum was at the last beginning is tempting. What is infinity minus infinity, and how
          many digits of a small document are left beside a large one? A sum that never held the other document needs no
          subtraction. How do two stretches of rows combine?
        - A stretch is a pair: the sum since its last beginning, and whether it has a beginning in it. First
          (total, begun), then (more, anew): where the second stretch has a beginning, the first one's sum is forgotten.
        - [torch.where(anew, more, total + more), begun | anew], with reset.view(-1, *[1] * (x.dim() - 1)) beside x. Scan these
          pairs, as the lesson does, or double. For one row return a copy, not x itself.
        """
    ),
    mistakes=(
        Mistake(
            "Nothing begins anew: this is the running sum of all rows.", lambda x, reset: x.cumsum(0, dtype=x.dtype)
        ),
        Mistake(
            "An earlier document is still in it: its sum was subtracted, which loses digits, or multiplied by 0, and of "
            "infinity both make NaN. Combine stretches of rows, and pick with torch.where, so that no sum ever holds the "
            "document before.",
            _subtracted,
        ),
        Mistake(
            "The row at which a document begins is missing from its sum.",
            lambda x, reset: reset_sum_slow(torch.where(_beside(reset, x), 0, x), reset),
        ),
        Mistake(
            "The sum begins anew one row too late: the row where reset is True belongs to the new document.",
            lambda x, reset: reset_sum_slow(x, torch.cat([reset[:1] & False, reset[:-1]])),
        ),
        Mistake(
            "This is 0 where a document begins and the sum of all elsewhere: the reset is forgotten after one row.",
            lambda x, reset: torch.where(_beside(reset, x), x, x.cumsum(0, dtype=x.dtype)),
        ),
        Mistake(
            "That a stretch holds a beginning is not handed on: it holds one where its first or its second part does.",
            lambda x, reset: scan(
                lambda one, other: [torch.where(other[1], other[0], one[0] + other[0]), other[1]],
                [x, _beside(reset, x)],
            )[0].clone(),
        ),
    ),
    sources=("S0.1",),
)
