"""Practice of the first compiled function: a chain of cheap operations in one graph."""

from __future__ import annotations

from math import inf

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, random_case
from course_utils.tasks.torch_inputs import normal


def shrink_slow(x, limit):
    """Return each value of the vector x moved toward 0 by limit, or 0 if it would cross 0."""
    out = torch.zeros_like(x)
    for i in range(len(x)):
        if x[i] > limit:
            out[i] = x[i] - limit
        elif x[i] < -limit:
            out[i] = x[i] + limit
    return out


TASK = Task(
    id="shrink",
    title="Shrink toward zero",
    points=0,
    level=1,
    slow=shrink_slow,
    reference=lambda x, limit: x - x.clamp(-limit, limit),
    inputs=lambda size, generator: (normal(generator, size), 0.5),
    edge_cases=(
        fixed_case("values exactly at the limit", [-0.5, 0.5, 0.0, 2.0], rest=(0.5,)),
        fixed_case("small values and a small limit", [3e-7, -5e-7, 1e-7, 0.0], rest=(2e-7,)),
        float64((4,), rest=(0.1,)),
        random_case("5,000 values and a limit of 2", (5000,), rest=(2,)),
        fixed_case("infinite values and a limit of 0", [inf, -inf, 0.0, -2.0], rest=(0.0,)),
    ),
    worst="Each value depends on one value of `x`; values at the limit are edge cases.",
    limits=(at_most(1, "graphs"), at_most(16, "ops")),
    mistakes=(
        Mistake(
            "The values beyond the limit are unchanged: move them toward 0 by `limit`.",
            lambda x, limit: x * (x.abs() > limit),
        ),
        Mistake(
            "The sign is lost: multiply by the sign of `x`.",
            lambda x, limit: (x.abs() - limit).clamp(min=0),
        ),
    ),
)
