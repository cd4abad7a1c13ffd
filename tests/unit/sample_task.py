"""Two small tasks for the check's own tests: an exercise on the sum of each row, and a practice task on the columns."""

import torch

from course_utils.tasks import Case, Mistake, Task
from course_utils.tasks.at_most import at_most


def row_sums_slow(x):
    """Return the sum of each row of x, shape (rows, columns)."""
    sums = torch.zeros(x.shape[0], dtype=x.dtype, device=x.device)
    for row in range(x.shape[0]):
        for column in range(x.shape[1]):
            sums[row] += x[row, column]
    return sums


def normal(*shape, dtype=torch.float32):
    return lambda generator: (torch.from_numpy(generator.standard_normal(shape)).to(dtype),)


ROW_SUMS = Task(
    id="row_sums",
    title="The sum of each row",
    points=2,
    level=1,
    slow=row_sums_slow,
    inputs=lambda size, generator: normal(size, size + 1)(generator),
    edge_cases=(
        Case("no rows", normal(0, 3)),
        Case("float64 values", normal(2, 3, dtype=torch.float64)),
        Case("a transposed matrix", lambda generator: (normal(4, 3)(generator)[0].T,)),
    ),
    count_sizes=(4, 16),
    race_size=40,
    story="Sum up.",
    rules="- A few operations.",
    limits=(
        at_most(4, "ops"),
        at_most(
            lambda x: 100 + 3 * x.numel() * x.element_size(), "bytes", "three times the bytes of `x`, and 100 bytes"
        ),
        at_most(0, "syncs"),
    ),
    target=5.0,
    hints=("Think.", "Think of `sum`."),
    mistakes=(Mistake("These are the sums of the columns.", lambda x: x.sum(0)),),
    timeout_s=20.0,  # a busy machine must not turn a verdict into a time-out
)


def column_sums_slow(x):
    """Return the sum of each column of x, shape (rows, columns)."""
    return row_sums_slow(x.T)


PRACTICE = Task(
    id="column_sums",
    title="The sum of each column",
    points=0,
    level=1,
    slow=column_sums_slow,
    inputs=lambda size, generator: normal(size, size + 1)(generator),
)
