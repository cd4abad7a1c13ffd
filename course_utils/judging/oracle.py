"""What the slow loop says: in the inputs' own precision, for dtype, shape and rounding, and in double precision, for the truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from course_utils.frameworks import tensor_trees
from course_utils.tasks import Task


@dataclass(frozen=True)
class Expected:
    """The slow loop's result on one input.

    Attributes:
        native: computed as the learner would run it.
        inputs: what it was computed from, untouched.
        precisely: computes the result in double precision; None where ``native`` is as good as it gets.
    """

    native: Any
    inputs: tuple
    precisely: Callable[[], Any] | None = None

    @cached_property
    def exact(self) -> Any:
        """Computed in float64 (complex128) from widened inputs, once it is asked for: a slow loop takes its time."""
        return self.native if self.precisely is None else self.precisely()


def expected(task: Task, inputs: tuple) -> Expected:
    """Ask the slow loop; it works on copies."""
    native = task.slow(*tensor_trees.fresh(inputs))
    if task.same is not None or task.tolerance == 0 or not tensor_trees.is_widened_by(inputs):
        return Expected(native, inputs)
    return Expected(native, inputs, lambda: task.slow(*tensor_trees.widen(inputs)))
