"""Practice of the associative scan: its first step, which combines neighbors."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, random_case
from course_utils.tasks.torch_inputs import normal


def neighbor_sums_slow(x):
    """Return the sums of rows 0 and 1, rows 2 and 3, and so on; a last row without a neighbor is dropped."""
    out = torch.empty_like(x[: len(x) // 2])
    for pair in range(len(x) // 2):
        out[pair] = x[2 * pair] + x[2 * pair + 1]
    return out


TASK = Task(
    id="neighbor_sums",
    title="Sums of neighbors",
    points=0,
    level=1,
    slow=neighbor_sums_slow,
    inputs=lambda size, generator: (normal(generator, size, 2 + size // 2),),
    edge_cases=(
        random_case("an even number of rows", (6, 2)),
        random_case("an odd number of rows", (7, 2)),
        float64((7, 2)),
        fixed_case("an infinite value in the first row", [[torch.inf], [1.0], [2.0], [3.0]]),
    ),
    worst="Each sum has two terms, whatever the other rows are.",
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake("Every row is added to the next one: use each row only once.", lambda x: x[:-1] + x[1:]),
        Mistake("Only every second row is here: add its neighbor.", lambda x: x[: len(x) // 2 * 2 : 2] + 0),
    ),
)
