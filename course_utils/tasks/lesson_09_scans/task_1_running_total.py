"""The balance after every day: the plain scan with +.

Its traps are the dtypes: whole numbers of 32 bits that become 64, and of 64 that float64 cannot hold.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.lesson_09_scans.along_the_rows import (
    COUNT_SIZES,
    MAX_OPS,
    RACE_SIZE,
    columns,
    once_each,
    shapes,
)
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, infinity_and_nan, int32, int64
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose


def running_total_slow(x):
    """Row t of the result is the sum of the rows 0 to t of x."""
    result = torch.empty_like(x)
    total = torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device)
    for t in range(len(x)):
        total = total + x[t]
        result[t] = total
    return result


def _listed(x):
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
    inputs=lambda size, generator: (normal(generator, size, columns(size)),),
    edge_cases=(
        *shapes(),
        int64((5, 2)),
        int32((5, 2)),
        fixed_case("int64 values beyond float64", [[2**53, 1], [1, 1], [1, 1]]),
        infinity_and_nan([[1.0, 1.0], [inf, nan], [2.0, 2.0], [-inf, 3.0]]),
    ),
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        Each row of `x` is a day, each column an account, each number what was paid in or taken out. Write
        `running_total(x)`: row `t` of the result holds the balances after day `t`.
        """
    ),
    rules=prose(
        """
        - The sum runs along dimension 0, whatever other dimensions `x` has, and includes the row itself. Shape and dtype
        are those of `x`; `x` itself stays as it was.
        - `x` may also have one row, or none.
        - At most 400 tensor operations, also for 1,024 rows.
        """
    ),
    limits=(at_most(MAX_OPS, "ops"), at_most(0, "syncs")),
    target=10.0,
    cost=once_each,
    ways={"list and stack": _listed, "cumsum": _by_cumsum},
    hints=items(
        """
        - What combines two steps into one is plain addition. Which operation of the lesson is the scan with +?
        - `torch.cumsum` along dimension 0 does it. Then look at the dtype of its result when `x` is int32.
        - `torch.cumsum(x, dim=0, dtype=x.dtype)`.
        """
    ),
    mistakes=(
        Mistake("This is the sum up to, but without, the current row.", lambda x: running_total_slow(x) - x),
        Mistake(
            "The sum runs along the last dimension; it should run along dimension 0.",
            lambda x: x.cumsum(-1, dtype=x.dtype),
        ),
        Mistake(
            "The sum runs from the end: row t holds what is still to come.",
            lambda x: running_total_slow(x.flip(0)).flip(0),
        ),
        Mistake("This is the sum of all rows, in every row.", lambda x: x.sum(0, keepdim=True).expand_as(x).clone()),
        Mistake(
            "Sums of int32 become int64 unless they are told otherwise: pass dtype=x.dtype, to `cumsum` or to `sum`.",
            lambda x: x.cumsum(0),
        ),
    ),
    sources=("S0.1", "S0.5"),
)
