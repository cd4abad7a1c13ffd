"""``Oracle``: the slow loop's results, in the inputs' own precision and, for the true values, in double precision."""

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
        native: computed in the inputs' own dtypes.
        inputs: what it was computed from, unchanged.
        precisely: computes the result in double precision; None if ``native`` is exact.
        detached: whether a result that keeps the graph of its gradient is wrong.
        used: the inputs as the slow loop left them.
    """

    native: Any
    inputs: tuple
    precisely: Callable[[], Any] | None = None
    detached: bool = False
    used: tuple = ()

    @cached_property
    def exact(self) -> Any:
        """Computed in float64 (complex128) from widened inputs when it is first needed: a slow loop takes its time."""
        return self.native if self.precisely is None else self.precisely()


def run_slow_loop(task: Task, inputs: tuple, reference: Callable[..., Any] | None = None) -> Expected:
    """The result of the slow loop on copies of ``inputs``.

    Args:
        reference: a function to ask instead of the slow loop.
    """
    slow = judged_function(task, reference or task.slow)
    used = tensor_trees.copy_inputs(inputs)
    native = slow(*used)
    if task.same is not None or task.tolerance == 0 or not tensor_trees.can_upcast(inputs):
        return Expected(native, inputs, None, task.detached, used)
    return Expected(native, inputs, lambda: slow(*tensor_trees.upcast(inputs)), task.detached, used)


@dataclass(frozen=True)
class Oracle:
    """The slow loop with a memory of its results; answers that are judged with one seed share it.

    Inputs are recognized by their bytes, or by their identity if they hold something without bytes, such as a lambda.
    """

    _known: dict[tuple[str, bytes | int], Expected] = field(default_factory=dict, repr=False)

    def __call__(self, task: Task, inputs: tuple, at_count_size: bool = False) -> Expected:
        """The slow loop's result; at a size at which work is counted, that of ``task.reference`` if the task has one."""
        try:
            key: tuple[str, bytes | int] = task.id, pickle.dumps(inputs)
        except Exception:  # noqa: BLE001 - each kind of object has its own error for not being picklable
            key = task.id, id(inputs)  # the result keeps its inputs alive, so no other inputs get their identity
        if key not in self._known:
            self._known[key] = run_slow_loop(task, inputs, task.reference if at_count_size else None)
        return self._known[key]
