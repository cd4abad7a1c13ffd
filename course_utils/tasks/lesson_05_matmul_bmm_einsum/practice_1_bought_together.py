"""Practice: a table of counts is a product of a table with itself, turned; which axis is summed is the question."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import without_rows
from course_utils.tasks.torch_inputs import integers


def bought_together_slow(baskets):
    """Entry (i, j): in how many baskets both item i and item j lie."""
    counts = baskets.new_zeros(baskets.shape[1], baskets.shape[1])
    for i in range(baskets.shape[1]):
        for j in range(baskets.shape[1]):
            counts[i, j] = (baskets[:, i] * baskets[:, j]).sum()
    return counts


TASK = Task(
    id="bought_together",
    title="Items that are bought together",
    points=0,
    level=1,
    slow=bought_together_slow,
    inputs=lambda size, generator: (integers(generator, 0, 2, size + 2, size, dtype=torch.float32),),
    edge_cases=(without_rows(3),),
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "This compares baskets with baskets. A product sums over the columns on the left: the baskets must stand there.",
            lambda baskets: baskets @ baskets.T,
        ),
    ),
)
