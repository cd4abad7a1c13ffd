"""Practice of combining steps: two queue steps (add, then clamp from below) as one step of the same form."""

from math import inf, nan

import torch

from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, random_case
from course_utils.tasks.torch_inputs import normal


def two_queue_steps_slow(a, b, c, d):
    """Return the pair (p, q) of one step max(y + p, q) that equals max(y + a, b) followed by max(y + c, d)."""
    return a + c, torch.maximum(b + c, d)


TASK = Task(
    id="two_queue_steps",
    title="Two steps of a queue in one",
    points=0,
    level=1,
    slow=two_queue_steps_slow,
    inputs=lambda size, generator: tuple(normal(generator, size) for _ in range(4)),
    edge_cases=(
        float64((3,), (3,), (3,), (3,)),
        random_case("tensors of 2,000 rows and 2 columns", *[(2000, 2)] * 4),
        fixed_case(
            "bounds of minus infinity and NaN",
            *([1.0, 2.0, -3.0, 1.0, 2.0], [-inf, 0.5, -inf, nan, 1.0]),
            *([0.5, -1.0, 2.0, 1.0, 0.5], [2.0, -inf, -inf, 1.0, nan]),
        ),
    ),
    worst=(
        fixed_case(
            "bounds that are equal or far apart", *([1.0, 2.0, -3.0], [0.5, 1.0, -1e9], [0.5, 0.25, 1], [1.0, -1e9, 3])
        ),
    ),
    sizes=(2, 3, 5, 17),  # With one value, Python's max would return an input itself.
    mistakes=(
        Mistake(
            "The first step's lower bound passes through the second step too: it becomes b + c.",
            lambda a, b, c, d: (a + c, torch.maximum(b, d)),
        ),
        Mistake(
            "The steps are combined in the wrong order: (c, d) comes second.",
            lambda a, b, c, d: (a + c, torch.maximum(d + a, b)),
        ),
    ),
)
