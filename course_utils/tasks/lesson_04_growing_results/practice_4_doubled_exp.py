"""In-place work on what the backward pass still needs, mended."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import float64
from course_utils.tasks.torch_inputs import normal


def doubled_exp_slow(x):
    """Twice the exponential of each value of x, one by one."""
    return torch.stack([2 * value.exp() for value in x])


TASK = Task(
    id="doubled_exp",
    title="A gradient, mended",
    points=0,
    level=1,
    slow=doubled_exp_slow,
    inputs=lambda size, generator: (normal(generator, size),),
    edge_cases=(float64((3,)),),
    limits=(at_most(4, "ops"),),
    gradients=True,
    mistakes=(
        Mistake("The factor of 2 is missing.", lambda x: x.exp()),
        Mistake("x is doubled before its exponential is taken, not after.", lambda x: (2 * x).exp()),
    ),
    sources=("S1.6",),
)
