"""Practice of scalar work: a switch with memory, computed with Python numbers instead of a tensor's elements."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import uniform


def heater_on_slow(readings, low, high):
    """Return whether the heater is on after each reading: it turns on below low, off above high, and starts off."""
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
    title="A switch with hysteresis",
    points=0,
    level=1,
    slow=heater_on_slow,
    inputs=lambda size, generator: (uniform(generator, 15, 25, size), 18.0, 22.0),
    edge_cases=(
        Case("no readings", lambda g: (uniform(g, 15, 25, 0), 18.0, 22.0)),
        fixed_case("thresholds of -1 and 0", [0.5, -0.5, -1.5, 0.0, 0.5], rest=(-1.0, 0.0)),
        Case(
            "float64 readings just beyond the thresholds",
            lambda _: (torch.tensor([18 - 2e-12, 20.0, 22 + 2e-12], dtype=torch.float64), 18.0, 22.0),
        ),
        fixed_case(
            "readings between the thresholds and beyond them", [20.0, 17.0, 20.0, 23.0, 20.0, 17.0], rest=(18.0, 22.0)
        ),
        fixed_case("other thresholds", [5.75, 5.25, 6.0, 8.125, 8.5, 18.0, 4.5, 12.0], rest=(5.5, 8.25)),
        fixed_case("readings exactly at the thresholds", [17.0, 22.0, 22.5, 18.0], rest=(18.0, 22.0)),
        fixed_case("readings just beyond the thresholds", [18 - 2e-6, 20.0, 22 + 2e-6, 20.0], rest=(18.0, 22.0)),
    ),
    worst=(
        Case(
            "5,000 readings, all but one between the thresholds",
            lambda g: (torch.cat([torch.tensor([20.0, 17.0]), uniform(g, 18, 22, 4998)]), 18.0, 22.0),
        ),
    ),
    story=prose(
        """
        Write `heater_on(readings, low, high)`: one bool per reading, True if the heater is on after it. Run the loop on
        Python numbers. Both thresholds are numbers that the dtype of the readings can represent.
        """
    ),
    limits=(at_most(2, "ops"),),
    hints=items(
        """
        - Loop over `readings.tolist()`, collect True and False in a list, and make one tensor from it at the end:
          `torch.tensor(on, dtype=torch.bool, device=readings.device)`.
        """
    ),
    mistakes=(
        Mistake(
            "The heater turns off between the thresholds: keep its state there.",
            lambda readings, low, high: readings < low,
        ),
        Mistake(
            "The states are inverted: the heater starts off and turns on below `low`.",
            lambda r, low, high: ~heater_on_slow(r, low, high),
        ),
    ),
    sources=("S0.1",),
)
