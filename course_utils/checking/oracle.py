"""What the slow loop says: in the inputs' own precision, for dtype, shape and rounding, and in double precision, for the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from course_utils.checking import trees
from course_utils.tasks import Task


@dataclass(frozen=True)
class Expected:
    """The slow loop's result on one input.

    Attributes:
        native: computed as the learner would run it.
        exact: computed in float64 (complex128) from widened inputs; the same as ``native`` where nothing is floating.
        inputs: what it was computed from, untouched.
    """

    native: Any
    exact: Any
    inputs: tuple


def expected(task: Task, inputs: tuple) -> Expected:
    """Ask the slow loop; it works on copies."""
    native = task.slow(*trees.fresh(inputs))
    widened = task.same is None and task.tolerance != 0 and trees.is_widened_by(inputs)
    return Expected(native, task.slow(*trees.widen(inputs)) if widened else native, inputs)
