"""Practice: the machine on which each claim does worst, when some machines measured nothing."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import normal


def worst_machine_slow(ratios):
    """Return the column of each row's smallest value that isn't NaN, the first of equal ones; -1 if all are NaN."""
    worst = []
    for row in ratios:
        best = -1
        for column in range(len(row)):
            if not torch.isnan(row[column]) and (best < 0 or row[column] < row[best]):
                best = column
        worst.append(best)
    return torch.tensor(worst, dtype=torch.int64, device=ratios.device)


def _with_gaps(generator, rows, columns):
    ratios = normal(generator, rows, columns).exp()
    return (ratios.masked_fill(normal(generator, rows, columns) > 0.5, nan),)


TASK = Task(
    id="worst_machine",
    title="The machine on which a claim does worst",
    points=0,
    level=1,
    slow=worst_machine_slow,
    inputs=lambda size, generator: _with_gaps(generator, size, size // 2 + 2),
    edge_cases=(
        fixed_case(
            "nothing measured, equal ratios, infinity, another row's smallest ratio",
            [[nan, nan], [2.0, 2.0], [inf, nan], [nan, inf], [2.0, 1.0]],
        ),
        fixed_case(
            "ratios near the largest float32, infinity and NaN", [[nan, 3e38], [inf, 3e38], [3.000005e38, 3e38]]
        ),
        Case("4,099 claims", lambda g: _with_gaps(g, 4099, 2)),
        Case("4,099 machines", lambda _: (torch.arange(4099.0).flip(0)[None],)),
        Case("one machine", lambda _: (torch.tensor([[2.0], [nan]]),)),
        Case("no claims", lambda _: (torch.zeros(0, 3),)),
        Case("float64 ratios that nearly equal 1", lambda g: (1 + 1e-12 * normal(g, 4, 6, dtype=torch.float64),)),
    ),
    worst="Comparisons are exact; NaN, ties and nearly equal ratios are edge cases.",
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "NaN counts here, but it means that the machine measured nothing: leave it out.",
            lambda ratios: ratios.argmin(1),
        ),
        Mistake(
            "A row without any measurement gives a column: return −1.",
            lambda ratios: ratios.nan_to_num(inf, posinf=inf).argmin(1),
        ),
        Mistake(
            "This is the machine on which the claim does best: return the worst.",
            lambda ratios: torch.where(ratios.isnan().all(1), -1, ratios.nan_to_num(-inf, posinf=inf).argmax(1)),
        ),
    ),
)
