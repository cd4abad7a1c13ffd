"""Practice of wavefronts: one step, from one diagonal of a table to the next."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import prose
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, random_case
from course_utils.tasks.torch_inputs import normal


def next_front_slow(front, costs):
    """Return for each row its cost plus the smaller value of front in that row and in the row above, if any."""
    new = torch.empty_like(front)
    for i in range(len(front)):
        least = front[i]
        if i > 0 and front[i - 1] < least:
            least = front[i - 1]
        new[i] = costs[i] + least
    return new


TASK = Task(
    id="next_front",
    title="From one front to the next",
    points=0,
    level=1,
    slow=next_front_slow,
    inputs=lambda size, generator: (normal(generator, size), normal(generator, size)),
    edge_cases=(
        random_case("a single row", (1,), (1,)),
        random_case("4,200 rows", (4200,), (4200,)),
        fixed_case("rows without a path", [torch.inf, 0.5, torch.inf, 2.0], [1.0, 2.0, torch.inf, 4.0]),
        float64((5,), (5,)),
    ),
    worst="Each value follows from three others, whatever the remaining rows are.",
    story=prose("Write `next_front(front, costs)`: one value per row, without a loop."),
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    hints=("The first row has no row above: `torch.cat([front[:1], torch.minimum(front[1:], front[:-1])])`.",),
    mistakes=(
        Mistake(
            "This uses the row below: a path comes from the row above.",
            lambda front, costs: costs + torch.cat([torch.minimum(front[:-1], front[1:]), front[-1:]]),
        ),
        Mistake(
            "The first row uses the last one: the first row has no row above it.",
            lambda front, costs: costs + torch.minimum(front, front.roll(1)),
        ),
        Mistake("The costs are missing: add them.", lambda f, c: torch.cat([f[:1], torch.minimum(f[1:], f[:-1])])),
    ),
)
