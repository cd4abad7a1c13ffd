"""Four operations in a row on the device: there once, home once."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import uniform
from course_utils.tasks.unwrap import prose

STEPS = torch.sin, torch.exp, torch.sqrt, torch.log


def four_steps_slow(x, device):
    """The logarithm of the root of e to the sine of x, on the host, computed on device."""
    for step in (torch.sin, torch.exp, torch.sqrt, torch.log):
        x = step(x.to(device)).cpu()
    return x


def _up_to(steps):
    def mistake(x, device):
        for step in STEPS[:steps]:
            x = step(x)
        return x

    return mistake


TASK = Task(
    id="four_steps",
    title="There once, home once",
    points=0,
    level=1,
    slow=four_steps_slow,
    inputs=lambda size, generator: (uniform(generator, 0, 3, size), "cpu"),
    edge_cases=(
        Case("an empty vector", lambda g: (uniform(g, 0, 3, 0), "cpu")),
        Case("float64 values", lambda g: (uniform(g, 0, 3, 5, dtype=torch.float64), "cpu")),
    ),
    story=prose("Write `four_steps(x, device)` with two transfers: one there, one home."),
    limits=(at_most(2, "transfers"),),
    hints=("x = x.to(device) before the loop, x.cpu() after it.",),
    mistakes=(Mistake("The last of the four steps, the logarithm, is missing.", _up_to(3)),),
    sources=("S1.1",),
)
