"""What a call comes to: what it returns or, where the task names arguments to write, what stands in those afterwards."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from course_utils import frameworks
from course_utils.tasks import Task

RETURN_VALUE = "what it returns"
"""Under this name stands what a function returns, where that counts beside what it writes."""


def judged_function(task: Task, function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` as it is judged: with ``task.writes`` it gives name → argument, of a module its tensors by name."""
    if not task.writes:
        return function
    places = {name: list(inspect.signature(task.slow).parameters).index(name) for name in task.writes}

    def written(*inputs: Any) -> dict[str, Any]:
        returned = function(*inputs)
        beside = {RETURN_VALUE: returned} if task.returns else {}
        return beside | {name: _with_parts(inputs[place]) for name, place in places.items()}

    return written


def _with_parts(value: Any) -> Any:
    framework = frameworks.of(value)
    return dict(framework.named_tensors(value)) if framework.is_module(value) else value
