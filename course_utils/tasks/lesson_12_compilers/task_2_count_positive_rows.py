"""A repair: a compiled function that prints and reads values, so that its graph breaks in each iteration."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import (
    every_second_column,
    fixed_case,
    float64,
    transposed_case,
    without_columns,
    without_rows,
)
from course_utils.tasks.torch_inputs import normal


def count_positive_rows_slow(x):
    """Return the number of rows of the matrix x whose sum is above 0, as an int64 scalar tensor."""
    count = 0
    for row in x:
        if row.sum().item() > 0:
            count += 1
    return torch.tensor(count)


def _decided_by_the_last_column(generator):
    x = normal(generator, 4, 5000).abs() / 1000
    x[:, -1] = torch.tensor([-9.0, 9.0, -9.0, 9.0])
    return (x,)


TASK = Task(
    id="count_positive_rows",
    title="Count without a graph break",
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
        fixed_case("rows with a sum of exactly 0, and of 1e-38", [[1.0, -1.0], [0.0, 0.0], [2e-38, -1e-38]]),
        fixed_case("infinity and NaN", [[inf, 1.0], [nan, 1.0], [-inf, 1.0], [inf, -inf]]),
    ),
    worst=(
        fixed_case("sums of 1/1024 and of −1/1024", [[1.0, -1.0 + 2**-10], [-1.0, 1.0 - 2**-10]]),
        Case("a float64 sum of 2⁻⁴⁰", lambda _: (torch.tensor([[1.0, -1.0 + 2**-40]], dtype=torch.float64),)),
        Case("5,000 columns, the last of which decides", _decided_by_the_last_column),
        Case("rows that all count", lambda g: (normal(g, 33_000, 1).abs() + 1,)),
    ),
    race_size=512,
    story=prose(
        """
        A program has `@torch.compile` above the loop below and a `print` in every iteration to show the progress. It
        is no faster than without a compiler. Each `.item()` reads a value in Python, each `print` runs in Python, and both end the graph
        inside a loop, so nothing is compiled. Write `count_positive_rows(x)` so that the compiler captures the whole
        function in one graph. Drop the progress reports: a single pass has no progress to report.
        """
    ),
    rules=prose(
        """
        - `x` is a float32 or float64 matrix. The result is an **int64 tensor** without dimensions; a caller that needs a
          Python number reads it outside.
        - Here you practice capturing a function in one graph. At size 512, eager code can still be faster.
        """
    ),
    limits=(at_most(1, "graphs"), at_most(10, "ops"), at_most(0, "syncs")),
    target=5.0,
    cost=lambda size: Cost(reads=4 * size * (size + 1), writes=8),
    ways={"eager": lambda x: (x.sum(1) > 0).sum()},
    hints=items(
        """
        - What does the `if` decide for one row? Express this decision for all rows at once, as a tensor of True and
          False.
        - To count the True values, sum them: the sum of a bool tensor is an int64 tensor.
        - Return `(x.sum(1) > 0).sum()`, without a `print` and without reading a value in Python.
          `graphs(count_positive_rows, (torch.randn(4, 3),))` shows the remaining graph breaks.
        """
    ),
    mistakes=(
        Mistake("This counts positive values: count each row once, by its sum.", lambda x: (x > 0).sum()),
        Mistake("A row with a sum of exactly 0 counts here: compare with `>`.", lambda x: (x.sum(1) >= 0).sum()),
        Mistake("This counts columns with a positive sum: sum each row, along axis 1.", lambda x: (x.sum(0) > 0).sum()),
    ),
)
