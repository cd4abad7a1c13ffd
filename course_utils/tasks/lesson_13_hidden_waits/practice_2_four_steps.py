"""Practice: the results of four operations on the device, with one transfer there and one back."""

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
    """Return the results of sin, exp, sqrt and log, applied one after the other on device, as rows of a host tensor."""
    rows = []
    for step in (torch.sin, torch.exp, torch.sqrt, torch.log):
        x = step(x.to(device)).cpu()
        rows.append(x)
    return torch.stack(rows)


def _last_result_four_times(x, device):
    return torch.stack([four_steps_slow(x, device)[-1]] * len(STEPS))


def _each_step_of_x(x, device):
    return torch.stack([step(x) for step in STEPS])


TASK = Task(
    id="four_steps",
    title="Four results, one transfer back",
    points=0,
    level=1,
    slow=four_steps_slow,
    inputs=lambda size, generator: (uniform(generator, 0, 3, size), "cpu"),
    edge_cases=(
        Case("an empty vector", lambda g: (uniform(g, 0, 3, 0), "cpu")),
        infinity_and_nan([-2.0, inf, nan, 4.0], rest=("cpu",)),
        Case("5,000 values", lambda g: (uniform(g, 0, 3, 5000), "cpu")),
        Case("float64 values", lambda g: (uniform(g, 0, 3, 5, dtype=torch.float64), "cpu")),
    ),
    worst="Each value goes through the same four operations.",
    story=prose(
        """
        Write `four_steps(x, device)`: all four results as the rows of one tensor on the host, with two transfers: one
        to the device, one back.
        """
    ),
    limits=(at_most(2, "transfers"),),
    hints=(
        "Call `x = x.to(device)` before the loop. Where can the four results become one tensor?",
        "`torch.stack` on the device makes one tensor of the four results, which one `.cpu()` transfers.",
    ),
    mistakes=(
        Mistake("Each row holds the last result: keep the result of every step.", _last_result_four_times),
        Mistake("Each step starts from `x` here: start from the result of the step before.", _each_step_of_x),
    ),
    sources=("S1.1",),
)
