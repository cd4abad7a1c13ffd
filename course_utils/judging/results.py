"""What a call comes to: what it returns or, where the task names arguments to write, what stands in those afterwards."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from course_utils.tasks import Task


def result_of(task: Task, function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` as it is judged: with ``task.writes`` it gives name → argument, whatever it returns itself."""
    if not task.writes:
        return function
    places = {name: list(inspect.signature(task.slow).parameters).index(name) for name in task.writes}

    def written(*inputs: Any) -> dict[str, Any]:
        function(*inputs)
        return {name: inputs[place] for name, place in places.items()}

    return written
