"""How many tokens each expert was given: a group-by that only counts."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers


def expert_load_slow(chosen, experts):
    """How often each of the numbers 0 to experts - 1 stands in chosen."""
    load = torch.zeros(experts, dtype=torch.int64, device=chosen.device)
    for i in range(len(chosen)):
        load[chosen[i]] += 1
    return load


TASK = Task(
    id="expert_load",
    title="Tokens for each expert",
    points=0,
    level=1,
    slow=expert_load_slow,
    inputs=lambda size, generator: (integers(generator, 0, size + 1, 2 * size), size + 2),
    edge_cases=(
        Case("no tokens", lambda _: (torch.zeros(0, dtype=torch.int64), 3)),
        Case("all tokens for one expert", lambda _: (torch.full((5,), 1), 4)),
    ),
    limits=(at_most(6, "ops"),),
    mistakes=(
        Mistake(
            "The last experts, who were given nothing, are missing: say how many there are.",
            lambda chosen, experts: torch.bincount(chosen),
        ),
        Mistake(
            "Each expert has one token at most: of many additions at one place, only one is kept.",
            lambda chosen, experts: torch.bincount(chosen, minlength=experts).clamp(max=1),
        ),
    ),
)
