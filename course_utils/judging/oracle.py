"""What the slow loop says: in the inputs' own precision, for dtype, shape and rounding, and in double precision, for the truth."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from course_utils.frameworks import tensor_trees
from course_utils.judging.judged_output import judged_function
from course_utils.tasks import Task


@dataclass(frozen=True)
class Expected:
    """The slow loop's result on one input.

    Attributes:
        native: computed as the learner would run it.
        inputs: what it was computed from, untouched.
        precisely: computes the result in double precision; None where ``native`` is as good as it gets.
        detached: whether a result that keeps its graph is wrong.
    """

    native: Any
    inputs: tuple
    precisely: Callable[[], Any] | None = None
    detached: bool = False

    @cached_property
    def exact(self) -> Any:
        """Computed in float64 (complex128) from widened inputs, once it is asked for: a slow loop takes its time."""
        return self.native if self.precisely is None else self.precisely()


def run_slow_loop(task: Task, inputs: tuple) -> Expected:
    """Ask the slow loop; it works on copies."""
    slow = judged_function(task, task.slow)
    native = slow(*tensor_trees.copy_inputs(inputs))
    if task.same is not None or task.tolerance == 0 or not tensor_trees.can_upcast(inputs):
        return Expected(native, inputs, detached=task.detached)
    return Expected(native, inputs, lambda: slow(*tensor_trees.upcast(inputs)), task.detached)


@dataclass(frozen=True)
class Oracle:
    """The slow loop with a memory, since it takes its time; one for all who judge many answers with one seed.

    Inputs are known again by their bytes, or by their identity where they hold what has none, such as a lambda.
    """

    _known: dict[tuple[str, bytes | int], Expected] = field(default_factory=dict, repr=False)

    def __call__(self, task: Task, inputs: tuple) -> Expected:
        """What ``expected`` says."""
        try:
            asked: tuple[str, bytes | int] = task.id, pickle.dumps(inputs)
        except Exception:  # noqa: BLE001 - each kind of object has its own error for not being picklable
            asked = task.id, id(inputs)  # what is remembered keeps its inputs, so that no other gets their identity
        if asked not in self._known:
            self._known[asked] = run_slow_loop(task, inputs)
        return self._known[asked]
