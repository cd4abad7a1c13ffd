"""Practice of combining steps: two that add and hold at a least value, as one of the same kind."""

import torch

from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_inputs import normal


def two_queue_steps_slow(a, b, c, d):
    """The pair (p, q) of the one step max(y + p, q) that makes of any y what first max(y + a, b) and then max(y + c, d) make."""
    return a + c, torch.maximum(b + c, d)


TASK = Task(
    id="two_queue_steps",
    title="Two steps of a queue in one",
    points=0,
    level=1,
    slow=two_queue_steps_slow,
    inputs=lambda size, generator: tuple(normal(generator, size) for _ in range(4)),
    sizes=(2, 3, 5, 17),  # of one number Python's max returns an input itself; of more it is told what is wrong
    mistakes=(
        Mistake(
            "The least value of the first step must go through the second one, too: it becomes b + c there.",
            lambda a, b, c, d: (a + c, torch.maximum(b, d)),
        ),
        Mistake(
            "These are the steps in the wrong order: c and d come second.",
            lambda a, b, c, d: (a + c, torch.maximum(d + a, b)),
        ),
    ),
)
