"""Newton's square root for many values at once: the loop over the steps remains, and the loop over the values
disappears.

Converged values must not change anymore. 0 and infinity have converged before the first step, and another step would turn
them into NaN, so that an answer that keeps stepping is detected.
"""

from __future__ import annotations

import torch

from course_utils.frameworks.tensor_interface import FLOATING
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import uniform

STEPS = 6  # In counts and in the race.


def newton_sqrt_slow(x, steps):
    """Return square roots by Newton's method: y starts at x and becomes (y + x / y) / 2, at most steps times."""
    result = x.clone()
    for i in range(len(x)):
        for _ in range(steps):
            if result[i] * result[i] == x[i]:
                break  # converged: keep it unchanged
            result[i] = (result[i] + x[i] / result[i]) / 2
    return result


def _inputs(size, generator):
    """Return random values; some are 0, 1 or infinity, which have converged from the start."""
    x = uniform(generator, 20.0, 90.0, size)
    x[1::6], x[3::6], x[5::6] = 0.0, 1.0, torch.inf
    return x, STEPS if size >= 8 else int(generator.integers(1, 4))


def _without_mask(x, steps):
    y = x.clone()
    for _ in range(steps):
        y = (y + x / y) / 2
    return y


def _until_one_converges(x, steps):
    y = x.clone()
    for _ in range(steps):
        if bool((y * y == x).any()):
            break
        y = (y + x / y) / 2
    return y


def masked(x, steps):
    """Every value takes every step, and converged values keep their old value."""
    y = x
    for _ in range(steps):
        y = torch.where(y * y == x, y, (y + x / y) / 2)
    return y.clone()


def python_scalars(x, steps):
    """Run the same loops on Python numbers."""
    roots = []
    for number in x.tolist():
        y = number
        for _ in range(steps):
            if y * y == number:
                break
            y = (y + number / y) / 2
        roots.append(y)
    return torch.tensor(roots, dtype=x.dtype, device=x.device)


TASK = Task(
    id="newton_sqrt",
    title="Newton's square root for a whole vector",
    points=2,
    level=1,
    slow=newton_sqrt_slow,
    inputs=_inputs,
    dtypes={"x": FLOATING},
    edge_cases=(
        fixed_case("values of which some have converged", [4.0, 0.0, 1.0, torch.inf, 9.0], rest=(3,)),
        fixed_case("an empty vector", [], rest=(3,)),
        fixed_case("no steps", [2.0, 3.0], rest=(0,)),
        fixed_case("one step", [2.0, 0.25, 50.0], rest=(1,)),
        fixed_case("very large and very small values", [3e38, 1e30, 1e-30, 2.0], rest=(4,)),
        Case("4,200 values and one step", lambda g: (uniform(g, 0.5, 90.0, 4200), 1)),
    ),
    worst=(
        fixed_case("zeros, a tiny value and a huge one", [0.0, 1e-20, 0.0, 1e20], rest=(9,)),
        fixed_case("values that all converge in the same step", [4.0, 4.0, 4.0], rest=(9,)),
        Case(
            "450 steps from values far apart",
            lambda _: (torch.tensor([1e-300, 1e300, 3, 0, 1e10], dtype=torch.float64), 450),
        ),
        Case("float16 values below 1e-4", lambda _: (torch.tensor([2e-7, 1e-5, 6e-5], dtype=torch.float16), 4)),
    ),
    race_size=160,
    story=prose(
        """
        A chip that can't compute square roots uses Newton's method: start at y = x, and replace y with (y + x / y) / 2 again and
        again. Each step needs the step before, so the loop over the steps stays. The values are independent of each
        other. Write `newton_sqrt(x, steps)` for a vector of values, with the same result as the loop.
        """
    ),
    rules=prose(
        """
        - `x` is a vector of a floating dtype; its values are 0 or more and can be infinite. `steps` is a Python
          integer, 0 or more. The result is a new tensor with the shape and dtype of `x`, and `x` is not modified.
        - A value with y · y equal to x has converged and doesn't change anymore. The others continue.
        - The number of tensor operations may grow with the steps, but not with the number of values. The counts use 6
          steps.
        """
    ),
    tolerance=4e-6,
    of_each_value=True,
    limits=(at_most(80, "ops"), at_most(0, "syncs")),
    target=10.0,
    cost=lambda size: Cost(reads=4 * size, writes=4 * size, launches=STEPS),
    ways={"Python numbers": python_scalars, "whole vector, masked": masked},
    hints=items(
        """
        - Keep the loop over the steps, and remove the loop over the values: y may be the whole vector.
        - The converged values are a mask: `y * y == x`. `torch.where` selects, value by value, between the old y and
          the new one.
        - In each step, `y = torch.where(y * y == x, y, (y + x / y) / 2)`. Start with `y = x.clone()`.
        """
    ),
    mistakes=(
        Mistake(
            "Converged values took the step too: 0 / 0 and infinity / infinity are NaN. Keep the old y for them.",
            _without_mask,
        ),
        Mistake(
            "All values stop when the first one converges: stop each value on its own.",
            _until_one_converges,
        ),
        Mistake(
            "This is the exact square root, which so few steps don't reach: take `steps` steps of Newton's method.",
            lambda x, steps: x.sqrt(),
        ),
        Mistake("One step too many was taken: take `steps` steps.", lambda x, steps: newton_sqrt_slow(x, steps + 1)),
        Mistake(
            "One step too few was taken: take `steps` steps.", lambda x, steps: newton_sqrt_slow(x, max(0, steps - 1))
        ),
    ),
    sources=("S0.1",),
)
