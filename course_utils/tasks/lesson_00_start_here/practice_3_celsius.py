"""Practice of `check` and `hint`: a formula applied to a whole tensor."""

from math import nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, random_case, transposed_case, without_rows
from course_utils.tasks.torch_inputs import normal


def celsius_slow(fahrenheit):
    """Return each reading in degrees Celsius: 32 °F is 0 °C, and a rise of 9 °F is a rise of 5 °C."""
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
    edge_cases=(
        random_case("no readings", (0,)),
        random_case("a matrix of readings", (3, 4)),
        transposed_case(4, 3),
        without_rows(4),
        random_case("three dimensions", (2, 3, 2)),
        float64((5,)),
        random_case("5,000 readings", (5000,)),
        fixed_case("a missing reading, NaN", [nan, 50.0]),
    ),
    worst="Each value of the result depends on one value of each input, whatever the size.",
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    hints=(
        "Write the formula for one reading: arithmetic works on a tensor as it does on a number.",
        "Subtract 32 from all readings first: `(fahrenheit - 32)`.",
        "Then multiply by five ninths: `* 5 / 9`.",
    ),
    mistakes=(
        Mistake(
            "Only 32 is multiplied by five ninths: subtract it first, then multiply the difference.",
            lambda x: x - 32 * 5 / 9,
        ),
        Mistake("32 is subtracted after the multiplication: subtract it first.", lambda x: x * 5 / 9 - 32),
        Mistake(
            "The factor is upside down: a rise of nine degrees Fahrenheit is a rise of five degrees Celsius.",
            lambda x: (x - 32) * 9 / 5,
        ),
        Mistake("This converts from Celsius to Fahrenheit: invert the formula.", lambda x: x * 9 / 5 + 32),
    ),
)
