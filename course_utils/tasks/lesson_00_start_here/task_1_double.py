"""Twice every value: a warm-up that shows how an exercise and its check work.

It is meant to be easy; nothing here teaches more than the first lesson does.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import (
    fixed_case,
    float64,
    infinity_and_nan,
    int32,
    integer_case,
    noncontiguous_case,
    random_case,
    transposed_case,
)
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose


def double_slow(x):
    """Twice every value of x, one value after the other."""
    result = torch.empty_like(x)
    for i in range(len(x)):
        result[i] = 2 * x[i]
    return result


TASK = Task(
    id="double",
    title="Twice every value",
    points=1,
    level=1,
    slow=double_slow,
    inputs=lambda size, generator: (normal(generator, size),),
    edge_cases=(
        random_case("an empty tensor", (0,)),
        random_case("a matrix", (3, 4)),
        random_case("three dimensions", (2, 3, 2)),
        transposed_case(4, 3),
        noncontiguous_case("every second value of a longer tensor", (5,)),
        float64((5,)),
        integer_case((5,)),
        int32((5,)),
        fixed_case("zero and the largest numbers that float32 holds", [0.0, 3.4e38, -3.4e38]),
        fixed_case("the smallest numbers that float32 holds", [1e-45, -1e-40, 1.2e-38]),
        infinity_and_nan([inf, -inf, nan, 1.0]),
    ),
    count_sizes=(8, 3000),
    race_size=3000,
    story=prose(
        """
        A scale was read at half of its gain: every reading shows half of the true weight. Write `double(x)`, which
        gives the true weights.
        """
    ),
    rules=prose(
        """
        - The result has the shape and the dtype of `x`, a tensor of any shape; `x` itself stays as it was.
        - A few tensor operations, however many readings there are.
        """
    ),
    limits=(at_most(6, "ops"), at_most(0, "syncs")),
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
