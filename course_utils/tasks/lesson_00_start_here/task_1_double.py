"""Twice each value: an easy exercise that shows how exercises and their check work."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.frameworks.tensor_interface import NUMBERS
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import (
    cases_at_the_ends,
    fixed_case,
    infinity_and_nan,
    random_case,
    transposed_case,
    without_rows,
)
from course_utils.tasks.torch_inputs import normal


def double_slow(x):
    """Return twice each value of x, computed one value after the other."""
    result = torch.empty_like(x)
    for i in range(len(x)):
        result[i] = 2 * x[i]
    return result


TASK = Task(
    id="double",
    title="Twice each value",
    points=1,
    level=1,
    slow=double_slow,
    inputs=lambda size, generator: (normal(generator, size),),
    dtypes={"x": NUMBERS},
    edge_cases=(
        random_case("an empty tensor", (0,)),
        random_case("a matrix", (3, 4)),
        random_case("three dimensions", (2, 3, 2)),
        random_case("four dimensions", (2, 1, 3, 2)),
        random_case("5,000 values", (5000,)),
        transposed_case(70, 3),
        without_rows(4),
        fixed_case("a matrix of integers that float64 rounds", [[2**53 + 1, -(2**53) - 3]]),
        # Doubled, the first two values are just out of range in a signed dtype.
        *cases_at_the_ends(
            "values, some of which wrap around",
            lambda ends: ([ends.max // 2 + 1, ends.min // 2 - (ends.min < 0), ends.max, 3],),
        ),
        fixed_case("zero and values near both ends of float32", [0.0, 3.4e38, -3.4e38]),
        fixed_case("tiny float32 values", [1e-45, -1e-40, 1.2e-38]),
        infinity_and_nan([inf, -inf, nan, 1.0]),
    ),
    worst="Each value of the result depends on one value of each input, whatever the size.",
    count_sizes=(8, 3000),
    race_size=3000,
    story=prose(
        """
        A scale ran at half of its gain, so each reading shows half of the true weight. Write `double(x)`, which returns
        the true weights for the readings `x`.
        """
    ),
    rules=prose(
        """
        - `x` is a tensor with one dimension or more, of floats or integers, and doesn't change. The result has its shape and dtype.
        Integers wrap around, as in the loop.
        """
    ),
    limits=(at_most(6, "ops"), at_most(0, "syncs")),
    target=20.0,
    hints=items(
        """
        - The loop handles one value at a time. What would you write if `x` were a number?
        - Arithmetic on a tensor applies to all of its values at once.
        - Multiply the whole tensor by 2: `2 * x`.
        """
    ),
    mistakes=(
        Mistake("This is the square of each value: multiply by 2, not by the value itself.", lambda x: x**2),
        Mistake("2 is added to each value: multiply by 2.", lambda x: x + 2),
        Mistake("This is half of each value: multiply by 2.", lambda x: x / 2),
        Mistake("The values are unchanged: multiply by 2.", lambda x: x.clone()),
        Mistake(
            "The values are repeated, so the result is twice as long: `2 * x` repeats a list but multiplies a tensor.",
            lambda x: torch.cat([x, x]),
        ),
    ),
)
