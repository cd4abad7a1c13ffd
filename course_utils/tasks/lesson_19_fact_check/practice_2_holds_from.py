"""Practice: the first size from which a version is faster at every size, by a running product from the right."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import normal


def holds_from_slow(faster):
    """Return each row's first column from which every value is True, or -1 if the last value is False."""
    columns = []
    for row in faster:
        first = -1
        for column in range(len(row) - 1, -1, -1):
            if not row[column]:
                break
            first = column
        columns.append(first)
    return torch.tensor(columns, dtype=torch.int64, device=faster.device)


TASK = Task(
    id="holds_from",
    title="The size from which a claim is true",
    points=0,
    level=1,
    slow=holds_from_slow,
    inputs=lambda size, generator: (normal(generator, size, size // 2 + 2) > -0.7,),
    edge_cases=(
        fixed_case(
            "always, never, an interruption, only the last, only the first",
            [[True] * 4, [False] * 4, [True, False, True, True], [False] * 3 + [True], [True] + [False] * 3],
        ),
        Case("no claims", lambda _: (torch.zeros(0, 4, dtype=torch.bool),)),
        Case("4,099 sizes", lambda _: (torch.arange(4099) > torch.tensor([[-1], [42], [4000], [4098]]),)),
        Case("4,099 claims", lambda g: (normal(g, 4099, 2) > 0,)),
        Case("one size", lambda _: (torch.tensor([[True], [False]]),)),
    ),
    worst="Values are True or False, and the edge cases hold each kind of row.",
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "This is the first column with True: the claim must be true at all larger sizes, too.",
            lambda faster: torch.where(faster.any(1), faster.int().argmax(1), -1),
        ),
        Mistake(
            "This is the number of True values at the end of the row: subtract it from the number of columns.",
            lambda faster: faster.flip(1).long().cumprod(1).sum(1),
        ),
        Mistake(
            "A row whose last value is False gives the number of columns: return −1.",
            lambda faster: faster.shape[1] - faster.flip(1).long().cumprod(1).sum(1),
        ),
    ),
)
