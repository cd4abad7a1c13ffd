"""Practice: a formula for one row, written for all rows at once."""

from math import nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, random_case
from course_utils.tasks.torch_inputs import normal


def halfway_slow(a, b):
    """Return the midpoint of a and b in each row."""
    result = torch.empty_like(a)
    for i in range(len(a)):
        result[i] = (a[i] + b[i]) / 2
    return result


TASK = Task(
    id="halfway",
    title="Halfway between two columns",
    points=0,
    level=1,
    slow=halfway_slow,
    inputs=lambda size, generator: (normal(generator, size), normal(generator, size)),
    edge_cases=(
        random_case("no rows", (0,), (0,)),
        float64((4,), (4,)),
        random_case("5,000 rows", (5000,), (5000,)),
        fixed_case("equal values and NaN", [2.0, nan, -3.0], [2.0, 1.0, nan]),
        fixed_case("very large values", [1e30, -3e30], [3e30, 2e30]),
        fixed_case("very small values", [1e-30, -3e-30], [3e-30, 2e-30]),
    ),
    worst="Each value of the result depends on one value of each input, whatever the size.",
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    hints=("Add the two columns first, then halve the sum: `(a + b) / 2`.",),
    mistakes=(
        Mistake("Only `b` is halved: halve the sum of `a` and `b`.", lambda a, b: a + b / 2),
        Mistake("This is the sum: divide it by 2.", lambda a, b: a + b),
        Mistake("This is half of the difference: take half of the sum.", lambda a, b: (a - b) / 2),
    ),
)
