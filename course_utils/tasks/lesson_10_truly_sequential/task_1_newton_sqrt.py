"""Newton's root for many numbers at once: the loop over the steps stays, the one over the numbers goes.

Numbers that have arrived must be left alone. Zero and infinity have arrived before the first step, and a step would make
NaN of them; so whoever steps on is seen.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import uniform
from course_utils.tasks.unwrap import items, prose

STEPS = 6  # where it is counted and raced


def newton_sqrt_slow(x, steps):
    """Each number's root as Newton finds it: from y = x on, y becomes (y + x / y) / 2, at most steps times."""
    result = x.clone()
    for i in range(len(x)):
        for _ in range(steps):
            if result[i] * result[i] == x[i]:
                break  # it has arrived, and is touched no more
            result[i] = (result[i] + x[i] / result[i]) / 2
    return result


def _inputs(size, generator):
    """Some numbers have arrived when they come: 0, 1 and infinity."""
    x = uniform(generator, 20.0, 90.0, size)
    x[1::6], x[3::6], x[5::6] = 0.0, 1.0, torch.inf
    return x, STEPS if size >= 8 else int(generator.integers(1, 4))


def _all_step_on(x, steps):
    y = x.clone()
    for _ in range(steps):
        y = (y + x / y) / 2
    return y


def _until_one_arrives(x, steps):
    y = x.clone()
    for _ in range(steps):
        if bool((y * y == x).any()):
            break
        y = (y + x / y) / 2
    return y


def all_at_once(x, steps):
    """Every number takes every step, and those that have arrived keep what they had."""
    y = x
    for _ in range(steps):
        y = torch.where(y * y == x, y, (y + x / y) / 2)
    return y.clone()


def in_python(x, steps):
    """The same loops on Python's numbers."""
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
    title="Newton's root, for all at once",
    points=2,
    level=1,
    slow=newton_sqrt_slow,
    inputs=_inputs,
    edge_cases=(
        fixed_case("numbers of which some have arrived", [4.0, 0.0, 1.0, torch.inf, 9.0], rest=(3,)),
        fixed_case("an empty vector", [], rest=(3,)),
        fixed_case("no steps", [2.0, 3.0], rest=(0,)),
        fixed_case("one step", [2.0, 0.25, 50.0], rest=(1,)),
        fixed_case("very large and very small numbers", [1e30, 1e-30, 2.0], rest=(4,)),
    ),
    race_size=160,
    story=prose(
        """
        A chip that has no square root takes Newton's: start at y = x, and let y become (y + x / y) / 2 again and again.
        Each step needs the step before, so the loop over the steps stays. The numbers do not need each other. Write
        `newton_sqrt(x, steps)` for a vector of them, as after the given loop.
        """
    ),
    rules=prose(
        """
        - `x` is a vector of numbers, 0 or more, infinity included; `steps` is a Python number, 0 or more. The result has the
        shape and dtype of `x`, and `x` stays as it was.
        - A number whose y·y is x has arrived, and is touched no more. Others go on.
        - The tensor operations may follow the steps, and not how many numbers there are: at most 80 for 6 steps.
        - Python waits for no value.
        """
    ),
    limits=(at_most(80, "ops"), at_most(0, "syncs")),
    target=10.0,
    cost=lambda size: Cost(reads=4 * size, writes=4 * size, launches=STEPS),
    ways={"Python numbers": in_python, "all at once": all_at_once},
    hints=items(
        """
        - Keep the loop over the steps, and take the one over the numbers away: y may be the whole vector.
        - Who has arrived is a mask: y * y == x. `torch.where` chooses, number by number, between the old y and the new one.
        - In each step: y = torch.where(y * y == x, y, (y + x / y) / 2). Begin with y = x.clone().
        """
    ),
    mistakes=(
        Mistake(
            "Numbers that had arrived took the step as well: 0 / 0 and infinity / infinity are NaN. Keep the old y there.",
            _all_step_on,
        ),
        Mistake(
            "All stop when the first has arrived: each number stops on its own, and the others go on.",
            _until_one_arrives,
        ),
        Mistake("This is the root itself; after so few steps Newton is not there yet.", lambda x, steps: x.sqrt()),
        Mistake("One step too many was taken.", lambda x, steps: newton_sqrt_slow(x, steps + 1)),
        Mistake("One step too few was taken.", lambda x, steps: newton_sqrt_slow(x, max(0, steps - 1))),
    ),
    sources=("S0.1",),
)
