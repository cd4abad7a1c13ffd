"""Room for the states of a simulation, with the dtype and on the device of the tensor that it starts from."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import float64, int64, random_case
from course_utils.tasks.torch_inputs import normal


def room_for_slow(x, steps):
    """Zeros for as many tensors like x as there are steps."""
    return torch.stack([x * 0 for _ in range(steps)])


TASK = Task(
    id="room_for",
    title="Room of the right kind",
    points=0,
    level=1,
    slow=room_for_slow,
    inputs=lambda size, generator: (normal(generator, size, 3), size),
    edge_cases=(
        random_case("a single number without a dimension", (), rest=(3,)),
        float64((2, 3), rest=(2,)),
        int64((2, 3), rest=(2,)),
    ),
    limits=(at_most(2, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The room has torch's default dtype, float32: a float64 state that is written there loses half of its digits.",
            lambda x, steps: torch.zeros(steps, *x.shape),
        ),
        Mistake("This is room for one state; `steps` of them are wanted.", lambda x, steps: torch.zeros_like(x)),
    ),
    sources=("S0.7",),
)
