"""Makes the output that a check judges: the return value or, if the task names arguments to write, their contents."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from course_utils import frameworks
from course_utils.tasks import Task

RETURN_VALUE = "what it returns"
"""The name of the return value if it counts in addition to the written arguments."""


def judged_function(task: Task, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``function`` itself; if the task has ``writes``, a function that returns name → argument, or name → tensor
    for a module."""
    if not task.writes:
        return function
    positions = {name: list(inspect.signature(task.slow).parameters).index(name) for name in task.writes}

    def written(*inputs: Any) -> dict[str, Any]:
        returned = function(*inputs)
        result = {RETURN_VALUE: returned} if task.returns else {}
        return result | {name: _tensors_by_name(inputs[position]) for name, position in positions.items()}

    return written


def _tensors_by_name(value: Any) -> Any:
    framework = frameworks.of(value)
    return dict(framework.named_tensors(value)) if framework.is_module(value) else value
