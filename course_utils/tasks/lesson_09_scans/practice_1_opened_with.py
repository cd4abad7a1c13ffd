"""Practice of the running sum: accounts with an opening balance."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, random_case
from course_utils.tasks.torch_inputs import normal


def opened_with_slow(start, paid):
    """Return the balances after each day for accounts that start with ``start``."""
    out = torch.empty_like(paid)
    balance = start
    for day in range(len(paid)):
        balance = balance + paid[day]
        out[day] = balance
    return out


def _inputs(size, generator):
    accounts = 3 + size // 2
    return normal(generator, accounts), normal(generator, size, accounts)


TASK = Task(
    id="opened_with",
    title="Opening balances",
    points=0,
    level=1,
    slow=opened_with_slow,
    inputs=_inputs,
    edge_cases=(random_case("no days", (3,), (0, 3)), random_case("one account", (1,), (4, 1)), float64((3,), (5, 3))),
    worst=(
        Case("values of about a billionth", lambda g: (normal(g, 3, scale=1e-9), normal(g, 5, 3, scale=1e-9))),
        fixed_case("an infinite payment on the last day", [1.0], [[1.0], [2.0], [torch.inf]]),
    ),
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake("The opening balance is missing: add `start`.", lambda start, paid: paid.cumsum(0)),
        Mistake(
            "The result has one row too many: the opening balance isn't a day.",
            lambda start, paid: torch.cat([start[None], paid]).cumsum(0),
        ),
        Mistake(
            "The opening balance is added again on every day: add it once.",
            lambda start, paid: (paid + start).cumsum(0),
        ),
    ),
)
