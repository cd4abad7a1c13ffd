"""Practice of fixing a graph break: an `if` on a tensor becomes a selection."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import normal


def upright_slow(x):
    """Return the vector x, negated if its sum is below 0."""
    if x.sum().item() < 0:
        return -x
    return x.clone()


TASK = Task(
    id="upright",
    title="Flip by the sign of the sum",
    points=0,
    level=1,
    slow=upright_slow,
    inputs=lambda size, generator: (normal(generator, size),),
    edge_cases=(
        fixed_case("a sum below 0", [1.0, -2.0]),
        fixed_case("a sum above 0", [-1.0, 2.0]),
        fixed_case("a sum of exactly 0", [-1.0, 1.0]),
        fixed_case("large values with a small sum", [100000.0, -100001.0]),
        fixed_case("a tiny sum below 0", [1e-20, -2e-20]),
        fixed_case("an infinite value", [-inf, 1.0]),
        fixed_case("no values", []),
        fixed_case("5,000 values, the last of which decides", [1.0] * 4999 + [-6000.0]),
        fixed_case("a sum that is NaN", [nan, 1.0]),
        Case("a float64 sum of -2⁻⁴⁰", lambda _: (torch.tensor([1.0, -1.0 - 2**-40], dtype=torch.float64),)),
    ),
    worst="The sum decides alone; its sign and 0 are edge cases.",
    limits=(at_most(1, "graphs"), at_most(0, "syncs")),
    mistakes=(
        Mistake("Each value is made positive: negate the vector as a whole or not at all.", lambda x: x.abs()),
        Mistake(
            "A product with the sum's sign is 0 or NaN if the sum is: negate `x` only if its sum is below 0.",
            lambda x: x * x.sum().sign(),
        ),
    ),
)
