"""The exercise of lesson 00: a warm-up that shows how an exercise and its check work.

It is meant to be easy; nothing here teaches more than the first lesson does.
"""

from __future__ import annotations

import torch

from course_utils.tasks.prose import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import every_second, normal, whole


def double_slow(x):
    """Twice every value of x, one value after the other."""
    result = torch.empty_like(x)
    for i in range(len(x)):
        result[i] = 2 * x[i]
    return result


DOUBLE = Task(
    id="double",
    title="Twice every value",
    points=1,
    lesson="00_start_here",
    slow=double_slow,
    inputs=lambda size, generator: (normal(generator, size),),
    edge_cases=(
        Case("an empty tensor", lambda generator: (normal(generator, 0),)),
        Case("a matrix", lambda generator: (normal(generator, 3, 4),)),
        Case("three dimensions", lambda generator: (normal(generator, 2, 3, 2),)),
        Case("a matrix turned on its side", lambda generator: (normal(generator, 3, 4).T,)),
        Case("every second value of a longer tensor", lambda generator: (every_second(normal(generator, 5)),)),
        Case("float64 values", lambda generator: (normal(generator, 5, dtype=torch.float64),)),
        Case("whole numbers", lambda generator: (whole(generator, -9, 10, 5),)),
        Case("int32 values", lambda generator: (whole(generator, -9, 10, 5, dtype=torch.int32),)),
        Case("zero and the largest numbers that float32 holds", lambda _: (torch.tensor([0.0, 3.4e38, -3.4e38]),)),
        Case("the smallest numbers that float32 holds", lambda _: (torch.tensor([1e-45, -1e-40, 1.2e-38]),)),
        Case("infinity and NaN", lambda _: (torch.tensor([float("inf"), float("-inf"), float("nan"), 1.0]),)),
    ),
    count_sizes=(8, 3000),
    race_size=3000,
    story=prose(
        """
        A scale was read at half of its gain: every reading shows half of the true weight. Write `double(x)`, which
        gives the true weights.
        """
    ),
    counts=prose(
        """
        - The result has the shape and the dtype of `x`, a tensor of any shape; `x` itself stays as it was.
        - A few tensor operations, however many readings there are.
        """
    ),
    max_ops=6,
    target=20.0,
    hints=items(
        """
        - The loop asks for one value at a time. What would you write if x were a plain number?
        - Arithmetic on a tensor applies to all of its values at once.
        - One product of a number and the whole tensor is enough.
        """
    ),
    mistakes=(
        Mistake("This is the square of each value: `**` raises to a power, `*` multiplies.", lambda x: x**2),
        Mistake("This adds 2 to each value instead of multiplying it by 2.", lambda x: x + 2),
        Mistake("This is half of each value, not twice.", lambda x: x / 2),
        Mistake("These are the values themselves, not twice the values.", lambda x: x.clone()),
        Mistake(
            "This is x after itself, twice as long: a list behaves so, a tensor's values are multiplied.",
            lambda x: torch.cat([x, x]),
        ),
    ),
)

TASKS = (DOUBLE,)
