"""Practice of doubling: one round of it."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_inputs import normal


def doubling_round_slow(y, k, decay):
    """Each row and, where there is one, the row k places back, faded by decay to the power k."""
    out = y.clone()
    for t in range(k, len(y)):
        out[t] = y[t] + decay**k * y[t - k]
    return out


TASK = Task(
    id="doubling_round",
    title="One round of doubling",
    points=0,
    level=1,
    slow=doubling_round_slow,
    inputs=lambda size, generator: (normal(generator, size + 1, 2), max(1, size // 4), 0.5),
    limits=(at_most(10, "ops"),),
    mistakes=(
        Mistake(
            "What comes from k rows back is k steps older: it fades by decay**k.",
            lambda y, k, decay: torch.cat([y[:k], y[k:] + decay * y[:-k]]),
        ),
        Mistake(
            "The first k rows are missing: they have nothing to add, and stay as they are.",
            lambda y, k, decay: y[k:] + decay**k * y[:-k],
        ),
        Mistake(
            "roll goes round in a circle: the first k rows get the last ones, and should get nothing.",
            lambda y, k, decay: y + decay**k * y.roll(k, 0),
        ),
    ),
)
