"""A running sum with resets: documents packed one after the other, each with its own sum.

A document must not affect the next one, neither by lost digits nor by infinity, so no sum is subtracted.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_09_scans.scan_common import (
    COUNT_SIZES,
    RACE_SIZE,
    column_count,
    copy_cost,
    doubling_scan,
    large_value_first,
    linear_bytes,
    pair_scan,
)
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import normal, uniform


def reset_sum_slow(x, reset):
    """Return the running sum of the rows of x, restarted at every row at which reset is True."""
    result = torch.empty_like(x)
    total = torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device)
    for t in range(len(x)):
        if reset[t]:
            total = torch.zeros_like(total)
        total = total + x[t]
        result[t] = total
    return result


def _random_resets(generator, rows, share=0.25):
    return uniform(generator, 0, 1, rows) < share


def _first_infinite(x):
    x[0, 0] = inf
    return x


def _random(name, *shape, dtype=torch.float32, share=0.25):
    return Case(
        name, lambda generator: (normal(generator, *shape, dtype=dtype), _random_resets(generator, shape[0], share))
    )


def _broadcast_reset(reset, x):
    return reset.view(-1, *[1] * (x.dim() - 1))


def _combine(one, other):
    (total, has_reset), (more, later_reset) = one, other
    return [torch.where(later_reset, more, total + more), has_reset | later_reset]


def _by(way):
    return lambda x, reset: way(_combine, [x, _broadcast_reset(reset, x)])[0]


def _by_subtraction(x, reset):
    """Return the running sum of all rows minus its value before the last reset."""
    total = x.cumsum(0, dtype=x.dtype)
    start = torch.where(reset, torch.arange(len(x)), 0).cummax(0).values
    return total - (total - x)[start]


TASK = Task(
    id="reset_sum",
    title="Documents packed in one sequence",
    points=3,
    level=2,
    slow=reset_sum_slow,
    inputs=lambda size, generator: (normal(generator, size, column_count(size)), _random_resets(generator, size)),
    dtypes={"x": ("float64", "int32", "int64")},
    edge_cases=(
        _random("no rows", 0, 3),
        _random("no columns", 4, 0),
        _random("no rows, in three dimensions", 0, 2, 3),
        _random("one row", 1, 3),
        _random("5,000 columns", 2, 5000),
        _random("a single series without columns", 6),
        _random("four dimensions, the last of size 1", 3, 3, 3, 1),
        _random("a reset at every row", 5, 2, share=2.0),
        _random("no reset at all", 5, 2, share=-1.0),
        fixed_case("a reset at the first row and at the last", [[1.0], [2.0], [4.0]], [True, False, True]),
        fixed_case(
            "infinity and NaN in earlier documents",
            [[1.0, 2.0], [inf, nan], [3.0, 4.0], [5.0, 6.0]],
            [True, False, True, False],
        ),
    ),
    worst=(
        Case(
            "2,500 documents of two rows with large values, and infinity in the first one",
            lambda g: (_first_infinite(1000 + normal(g, 5000, 2)), torch.arange(5000) % 2 == 0),
        ),
        # A difference of float64 running sums is accurate enough for float32 values, but not for these.
        Case(
            "2,500 documents of two float64 rows",
            lambda g: (1000 + normal(g, 5000, 2, dtype=torch.float64), torch.arange(5000) % 2 == 0),
        ),
        Case(
            "32,769 rows without a reset, more than int16 can count",
            lambda g: (large_value_first(g, 32_769), torch.zeros(32_769, dtype=torch.bool)),
        ),
    ),
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        To train a language model, documents of different lengths are packed one after the other into one long sequence.
        `x` holds one row per token, and `reset` is True at the first row of each document. Write `reset_sum(x, reset)`:
        the running sum of the rows, restarted at every row at which `reset` is True. That row itself is included in the
        new sum. A document must leave no trace in the next one. **Besides its sum, what must you know about a stretch
        of rows to combine it with the rows before it?**
        """
    ),
    rules=prose(
        """
        - The sum runs along axis 0; `x` may have any number of dimensions. Its dtype is float32, float64,
          int32 or int64, and the sums of a document don't overflow. `reset` has shape (n,), one bool per row:
          `reset.view(-1, *[1] * (x.dim() - 1))` broadcasts with `x`. The result has the shape and dtype of `x` and shares no
          memory with `x`, which is not modified. There may also be one row or none, or no columns; `reset[0]` may be True
          or False.
        - The result is as exact as the loop's, whatever an earlier document contains: many large values, infinity, NaN.
        """
    ),
    limits=(
        at_most(500, "ops"),
        at_most(linear_bytes, "bytes", "64 times the bytes of `x` plus 1 MB"),
        at_most(0, "syncs"),
    ),
    target=4.0,
    cost=copy_cost,
    ways={"doubling": _by(doubling_scan), "pair scan": _by(pair_scan)},
    hints=items(
        """
        - Subtracting the running sum at the last reset is tempting. What is infinity minus infinity, and how many
          digits of a small sum remain next to a large one? A sum that never contains another document needs no
          subtraction. How do two stretches of rows combine?
        - A stretch is a pair: the sum since its last reset, and whether it contains a reset. The first stretch
          is `(total, has_reset)`, and the second is `(more, later_reset)`. If the second contains a reset, drop `total`.
        - `[torch.where(later_reset, more, total + more), has_reset | later_reset]`, with `reset.view(-1, *[1] *
          (x.dim() - 1))` as the second tensor. Scan these pairs as in the lesson, or use doubling. For one row, return
          a copy, not `x` itself.
        """
    ),
    mistakes=(
        Mistake(
            "This is the running sum of all rows: restart it at every row at which `reset` is True.",
            lambda x, reset: x.cumsum(0, dtype=x.dtype),
        ),
        Mistake(
            "An earlier document is still in the sum: subtracting its sum loses digits, and infinity minus infinity "
            "and infinity times 0 are NaN. Combine stretches of rows, and select with `torch.where`.",
            _by_subtraction,
        ),
        Mistake(
            "The first row of each document is missing from its sum: add it.",
            lambda x, reset: reset_sum_slow(torch.where(_broadcast_reset(reset, x), 0, x), reset),
        ),
        Mistake(
            "The sum restarts one row too late: the row at which `reset` is True belongs to the new document.",
            lambda x, reset: reset_sum_slow(x, torch.cat([reset[:1] & False, reset[:-1]])),
        ),
        Mistake(
            "The reset affects only one row, and then the sum of all rows continues: continue the sum of the document.",
            lambda x, reset: torch.where(_broadcast_reset(reset, x), x, x.cumsum(0, dtype=x.dtype)),
        ),
        Mistake(
            "The flag isn't combined: a stretch contains a reset if its first or its second part does.",
            lambda x, reset: pair_scan(
                lambda one, other: [torch.where(other[1], other[0], one[0] + other[0]), other[1]],
                [x, _broadcast_reset(reset, x)],
            )[0].clone(),
        ),
    ),
    sources=("S0.1",),
)
