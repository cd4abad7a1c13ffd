"""Practice of check and hint: a formula that is applied to a whole tensor."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import float64, random_case
from course_utils.tasks.torch_inputs import normal


def celsius_slow(fahrenheit):
    """Every reading in degrees Celsius: 32 °F are 0 °C, and nine more degrees Fahrenheit are five more degrees Celsius."""
    result = torch.empty_like(fahrenheit)
    for i in range(len(fahrenheit)):
        result[i] = (fahrenheit[i] - 32) * 5 / 9
    return result


TASK = Task(
    id="celsius",
    title="Degrees Celsius",
    points=0,
    level=1,
    slow=celsius_slow,
    inputs=lambda size, generator: (normal(generator, size, scale=90),),
    edge_cases=(random_case("no readings", (0,)), random_case("a matrix of readings", (3, 4)), float64((5,))),
    limits=(at_most(6, "ops"), at_most(0, "syncs")),
    hints=(
        "Write the formula as if there were one reading: a tensor takes part in arithmetic like a number.",
        "32 comes off first, from all readings at once: (fahrenheit - 32).",
        "What is left is to take five ninths of it: * 5 / 9.",
    ),
    mistakes=(
        Mistake("32 comes off first: put the difference into parentheses.", lambda x: x - 32 * 5 / 9),
        Mistake("32 comes off first, before the readings are multiplied.", lambda x: x * 5 / 9 - 32),
        Mistake(
            "Nine degrees Fahrenheit are five degrees Celsius, not the other way round.", lambda x: (x - 32) * 9 / 5
        ),
        Mistake("This is the way back, from Celsius to Fahrenheit.", lambda x: x * 9 / 5 + 32),
    ),
)
