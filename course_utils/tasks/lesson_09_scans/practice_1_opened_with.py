"""Practice of the running sum: accounts that were not empty at the start."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import random_case
from course_utils.tasks.torch_inputs import normal


def opened_with_slow(start, paid):
    """The balances after every day of accounts that held start before the first one."""
    out = torch.empty_like(paid)
    balance = start
    for day in range(len(paid)):
        balance = balance + paid[day]
        out[day] = balance
    return out


TASK = Task(
    id="opened_with",
    title="Accounts that were not empty",
    points=0,
    level=1,
    slow=opened_with_slow,
    inputs=lambda size, generator: (normal(generator, 3), normal(generator, size, 3)),
    edge_cases=(random_case("no days", (3,), (0, 3)), random_case("one account", (1,), (4, 1))),
    limits=(at_most(6, "ops"),),
    mistakes=(
        Mistake("What the accounts held at the start is missing.", lambda start, paid: paid.cumsum(0)),
        Mistake(
            "There is a row too many: the start itself is no day.",
            lambda start, paid: torch.cat([start[None], paid]).cumsum(0),
        ),
        Mistake("The start is paid in again on every day.", lambda start, paid: (paid + start).cumsum(0)),
    ),
)
