"""Practice: four operations in a row on the device, with one transfer there and one back."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import infinity_and_nan
from course_utils.tasks.torch_inputs import uniform

STEPS = torch.sin, torch.exp, torch.sqrt, torch.log


def four_steps_slow(x, device):
    """Return log(sqrt(exp(sin(x)))) on the host, computed on device."""
    for step in (torch.sin, torch.exp, torch.sqrt, torch.log):
        x = step(x.to(device)).cpu()
    return x


def _first_steps(steps):
    def mistake(x, device):
        for step in STEPS[:steps]:
            x = step(x)
        return x

    return mistake


TASK = Task(
    id="four_steps",
    title="One transfer there, one back",
    points=0,
    level=1,
    slow=four_steps_slow,
    inputs=lambda size, generator: (uniform(generator, 0, 3, size), "cpu"),
    edge_cases=(
        Case("an empty vector", lambda g: (uniform(g, 0, 3, 0), "cpu")),
        infinity_and_nan([-2.0, inf, nan, 4.0], rest=("cpu",)),
        Case("float64 values", lambda g: (uniform(g, 0, 3, 5, dtype=torch.float64), "cpu")),
    ),
    worst="Each value goes through the same four operations.",
    story=prose("Write `four_steps(x, device)` with two transfers: one to the device, one back."),
    limits=(at_most(2, "transfers"),),
    hints=("Call `x = x.to(device)` before the loop and `x.cpu()` after it.",),
    mistakes=(Mistake("The last of the four steps, the logarithm, is missing.", _first_steps(3)),),
    sources=("S1.1",),
)
