"""The balance after every day: a plain scan with +.

The pitfalls are the dtypes: int32 sums that become int64, and int64 values that float64 cannot represent.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_09_scans.scan_common import (
    COUNT_SIZES,
    MAX_OPS,
    RACE_SIZE,
    column_count,
    copy_cost,
    shape_cases,
)
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import infinity_and_nan, random_case
from course_utils.tasks.torch_inputs import normal


def running_total_slow(x):
    """Row t of the result is the sum of rows 0 to t of x."""
    result = torch.empty_like(x)
    total = torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device)
    for t in range(len(x)):
        total = total + x[t]
        result[t] = total
    return result


def _list_stack(x):
    rows, total = [], torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device)
    for row in x.unbind():
        total = total + row
        rows.append(total)
    return torch.stack(rows)


def _by_cumsum(x):
    return torch.cumsum(x, dim=0, dtype=x.dtype)


TASK = Task(
    id="running_total",
    title="The balance after every day",
    points=1,
    level=1,
    slow=running_total_slow,
    inputs=lambda size, generator: (normal(generator, size, column_count(size)),),
    dtypes={"x": ("float64", "int32", "int64")},
    edge_cases=(
        *shape_cases(),
        infinity_and_nan([[1.0, 1.0], [inf, nan], [2.0, 2.0], [-inf, 3.0]]),
    ),
    worst=(
        random_case("1,025 rows, a number that few block sizes divide", (1025, 2)),
        Case("values of about a billionth", lambda g: (normal(g, 5, 2, scale=1e-9),)),
    ),
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        Each row of `x` is a day, each column is an account, and each value is a deposit (positive) or a withdrawal
        (negative). Write `running_total(x)`: row `t` of the result holds the balances after day `t`.
        """
    ),
    rules=prose(
        """
        - The sum runs along axis 0, and each row is included in its own sum; `x` may have any number of dimensions. Its dtype is
          float32, float64, int32 or int64, and sums don't overflow. The result has the shape and dtype of `x` and
          shares no memory with `x`, which is not modified.
        - `x` may also have one row or none, or no columns.
        """
    ),
    limits=(at_most(MAX_OPS, "ops"), at_most(0, "syncs")),
    target=10.0,
    cost=copy_cost,
    ways={"list + stack": _list_stack, "cumsum": _by_cumsum},
    hints=items(
        """
        - Two steps combine by plain addition. Which operation of the lesson is the scan with +?
        - `torch.cumsum` along axis 0 is that scan. Check the dtype of its result if `x` is int32.
        - `torch.cumsum(x, dim=0, dtype=x.dtype)`.
        """
    ),
    mistakes=(
        Mistake("The current row is missing: row t is the sum of rows 0 to t.", lambda x: running_total_slow(x) - x),
        Mistake(
            "The sum runs along the last axis: use axis 0.",
            lambda x: x.cumsum(-1, dtype=x.dtype),
        ),
        Mistake(
            "The sum runs from the last row backward: start at row 0.",
            lambda x: running_total_slow(x.flip(0)).flip(0),
        ),
        Mistake(
            "Every row holds the sum of all rows: row t sums only rows 0 to t.",
            lambda x: x.sum(0, keepdim=True).expand_as(x).clone(),
        ),
        Mistake(
            "PyTorch sums int32 values into int64: pass `dtype=x.dtype` to `cumsum` or `sum`.",
            lambda x: x.cumsum(0),
        ),
    ),
    sources=("S0.1", "S0.5"),
)
