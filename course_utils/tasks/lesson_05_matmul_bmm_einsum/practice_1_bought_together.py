"""Practice: a table of counts as a product of a matrix and its transpose; choose the axis that is summed."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import without_rows
from course_utils.tasks.torch_inputs import integers


def bought_together_slow(baskets):
    """Return the table whose entry (i, j) is the number of baskets that hold both item i and item j."""
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
    reference=lambda baskets: baskets.T @ baskets,
    inputs=lambda size, generator: (integers(generator, 0, 2, size + 2, size, dtype=torch.float32),),
    bounded=("baskets",),
    edge_cases=(
        without_rows(3),
        Case("one basket", lambda g: (integers(g, 0, 2, 1, 4, dtype=torch.float32),)),
        Case("1,100 items", lambda g: (integers(g, 0, 2, 4, 1100, dtype=torch.float32),)),
        Case("70,001 baskets that hold both items", lambda _: (torch.ones(70_001, 2),)),
        Case("float64 values", lambda g: (integers(g, 0, 2, 4, 3, dtype=torch.float64),)),
    ),
    worst="The values are 0 and 1, and float32 holds their sums exactly.",
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "This compares baskets with baskets: a product sums over the columns of the left matrix, so put the baskets there.",
            lambda baskets: baskets @ baskets.T,
        ),
    ),
)
