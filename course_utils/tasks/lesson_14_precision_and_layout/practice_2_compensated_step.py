"""Practice: one step of Kahan's compensated sum (Kahan 1965)."""

from __future__ import annotations

import torch

from course_utils.tasks.join_wrapped_lines import prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import uniform


def compensated_step_slow(total, lost, value):
    """Return the new total of each element, and the part that its rounding lost."""
    totals, losses = torch.empty_like(total), torch.empty_like(total)
    for i in range(len(total)):
        wanted = value[i] + lost[i]
        totals[i] = total[i] + wanted
        losses[i] = wanted - (totals[i] - total[i])
    return totals, losses


def _step(generator, size, dtype=torch.float32):
    return (
        uniform(generator, 1000, 2000, size, dtype=dtype),
        uniform(generator, 1e-5, 2e-5, size, dtype=dtype),
        uniform(generator, 0.1, 0.9, size, dtype=dtype),
    )


def _with_opposite_signs(generator):
    total, lost, value = _step(generator, 5)
    return total, -lost, -value


def _without_the_past(total, lost, value):
    new = total + value
    return new, value - (new - total)


def _of_the_wrong_sign(total, lost, value):
    wanted = value + lost
    new = total + wanted
    return new, (new - total) - wanted


TASK = Task(
    id="compensated_step",
    title="One step of a compensated sum",
    points=0,
    level=1,
    slow=compensated_step_slow,
    inputs=lambda size, generator: _step(generator, size),
    tolerance=0,
    edge_cases=(
        Case("nothing lost so far", lambda g: (_step(g, 5)[0], torch.zeros(5), _step(g, 5)[2])),
        Case("negative values", lambda g: tuple(-each for each in _step(g, 5))),
        Case("a negative value and a negative loss", _with_opposite_signs),
        Case("float16 values", lambda g: _step(g, 5, torch.float16)),
        Case("bfloat16 values", lambda g: _step(g, 5, torch.bfloat16)),
        Case("float64 values", lambda g: _step(g, 5, torch.float64)),
    ),
    worst="A step is four operations on each element alone.",
    story=prose("Write `compensated_step(total, lost, value)`, which returns the new `total` and the new `lost`."),
    mistakes=(
        Mistake("The loss of earlier steps is missing: add `lost` to the value first.", _without_the_past),
        Mistake(
            "`lost` has the wrong sign: it is the part of the summand that is missing from the total.",
            _of_the_wrong_sign,
        ),
    ),
)
