"""Repair: a compiled function that prints and asks for values, so that its graph breaks again and again."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import (
    every_second_column,
    fixed_case,
    float64,
    transposed_case,
    without_columns,
    without_rows,
)
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose


def count_positive_rows_slow(x):
    """How many rows of the matrix x have a sum above 0, as an int64 tensor without dimensions."""
    count = 0
    for row in x:
        if row.sum().item() > 0:
            count += 1
    return torch.tensor(count)


TASK = Task(
    id="count_positive_rows",
    title="Count without a break",
    points=2,
    level=2,
    slow=count_positive_rows_slow,
    inputs=lambda size, generator: (normal(generator, size, size + 1),),
    edge_cases=(
        without_rows(4),
        without_columns(3),
        transposed_case(5, 4),
        every_second_column(4, 3),
        float64((4, 5)),
        fixed_case("rows whose sum is exactly 0", [[1.0, -1.0], [0.0, 0.0], [2.0, -1.0]]),
        fixed_case("infinity and NaN", [[inf, 1.0], [nan, 1.0], [-inf, 1.0], [inf, -inf]]),
    ),
    race_size=512,
    story=prose(
        """
        Somebody has put @torch.compile above the loop below, with a `print` in every turn to see how far it is, and it has become
        no faster. The compiler cuts it to pieces: at every `.item()` Python asks for a value, at every `print` it speaks. Repair
        it: write `count_positive_rows(x)` so that
        the compiler takes all of it into one graph. The progress reports go; with one pass there is nothing left to report.
        """
    ),
    rules=prose(
        """
        - `x` is a floating matrix. The result is an **int64 tensor** without dimensions: who wants a Python number asks for it
        outside.
        - Compiled, in **one graph**, which serves for new values, too. Python waits for no value.
        - No more than 10 tensor operations as it is written, at every size.
        """
    ),
    limits=(at_most(1, "graphs"), at_most(10, "ops"), at_most(0, "syncs")),
    target=5.0,
    timeout_s=8.0,
    cost=lambda size: Cost(reads=4 * size * (size + 1), writes=8),
    ways={"three operations": lambda x: (x.sum(1) > 0).sum()},
    hints=items(
        """
        - What does the `if` decide for one row? Say it for all rows at once, as a tensor of True and False.
        - To count what is True is to sum it up; the sum of a bool tensor is an int64 tensor.
        - `(x.sum(1) > 0).sum()`, and nothing that prints or asks. `graphs(count_positive_rows, (x,))` tells the places at
          which a graph still ends.
        """
    ),
    mistakes=(
        Mistake("These are the positive values, one by one; a row counts once, by its sum.", lambda x: (x > 0).sum()),
        Mistake("A row whose sum is exactly 0 does not count.", lambda x: (x.sum(1) >= 0).sum()),
        Mistake("The sums go along the columns; axis 1 runs along a row.", lambda x: (x.sum(0) > 0).sum()),
    ),
)  # fmt: skip
