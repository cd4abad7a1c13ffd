"""Practice of in-place steps: three steps with one tensor alive at a time."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, random_case
from course_utils.tasks.torch_inputs import normal


def log_running_sum_slow(x):
    """Return the logarithm of the running sum of exp(x), down the rows."""
    result = torch.empty_like(x)
    total = torch.zeros_like(x[0])
    for i in range(len(x)):
        total = total + x[i].exp()
        result[i] = total.log()
    return result


TASK = Task(
    id="log_running_sum",
    title="Three steps in one buffer",
    points=0,
    level=1,
    slow=log_running_sum_slow,
    inputs=lambda size, generator: (normal(generator, size, 4 + size // 8),),
    edge_cases=(random_case("a single row", (1, 3)), float64((4, 2))),
    worst=(
        Case("a single column of 5,000 rows", lambda g: (normal(g, 5000, 1),)),
        random_case("600 columns", (3, 600)),
        fixed_case("values from -80 to 80", [[-80.0, -40.0], [-78.0, 0.0], [80.0, 40.0]]),
    ),
    # For a single row, log(exp(x)) can equal x exactly, which would hide that an answer overwrote x.
    sizes=(2, 3, 5, 17),
    count_sizes=(8, 256),
    limits=(
        at_most(16, "ops"),
        at_most(lambda x: 3 * x.nbytes // 2 + 64, "peak bytes", "1.5 times the bytes of `x` plus 64 bytes"),
        at_most(0, "syncs"),
    ),
    mistakes=(
        Mistake("The sum runs along each row: use `dim=0` to sum down the rows.", lambda x: x.exp().cumsum(1).log()),
        Mistake("The logarithm is missing: apply `log_()` last.", lambda x: x.exp().cumsum(0)),
    ),
)
