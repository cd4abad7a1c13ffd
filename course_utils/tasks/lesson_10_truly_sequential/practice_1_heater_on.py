"""Practice of scalar work: a switch that remembers, on Python's numbers instead of a tensor's."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import uniform
from course_utils.tasks.unwrap import prose


def heater_on_slow(readings, low, high):
    """For each reading whether the heater is on after it: on from below low until above high, off at first."""
    on = torch.zeros(len(readings), dtype=torch.bool, device=readings.device)
    state = False
    for i in range(len(readings)):
        if readings[i] < low:
            state = True
        elif readings[i] > high:
            state = False
        on[i] = state
    return on


TASK = Task(
    id="heater_on",
    title="A switch that remembers",
    points=0,
    level=1,
    slow=heater_on_slow,
    inputs=lambda size, generator: (uniform(generator, 15, 25, size), 18.0, 22.0),
    edge_cases=(
        Case("no readings", lambda g: (uniform(g, 15, 25, 0), 18.0, 22.0)),
        fixed_case("a heater that stays on between both marks", [20.0, 17.0, 20.0, 23.0, 20.0], rest=(18.0, 22.0)),
        fixed_case("readings just at the marks", [17.0, 22.0, 22.5, 18.0], rest=(18.0, 22.0)),
    ),
    story=prose(
        "Write `heater_on(readings, low, high)`: whether the heater is on after each reading, one bool each, with the loop in Python's numbers."
    ),
    limits=(at_most(2, "ops"),),
    hints=(
        "Go through readings.tolist(), collect True and False in a list, and make one tensor of it at the end: torch.tensor(on, dtype=torch.bool, device=readings.device).",
    ),
    mistakes=(
        Mistake(
            "Between the two marks the heater stays as it was; here it goes off.",
            lambda readings, low, high: readings < low,
        ),
        Mistake(
            "The heater is off at first, and goes on below `low`.", lambda r, low, high: ~heater_on_slow(r, low, high)
        ),
    ),
    sources=("S0.1",),
)
