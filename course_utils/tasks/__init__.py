"""The exercises' specifications: one module a lesson, each with a tuple ``TASKS`` of its ``Task`` values.

This file is the index. It answers what exists without importing a lesson's framework; a lesson's module, and with it the
framework, is imported when one of its tasks is asked for.
"""

from __future__ import annotations

import difflib
import importlib

from course_utils.ground.errors import CourseError
from course_utils.tasks.task import Case, Mistake, Task

__all__ = ["INDEX", "Case", "FrameworkMissing", "Mistake", "Task", "TaskMissing", "lesson_of", "load", "names"]

INDEX: dict[str, tuple[str, ...]] = {
    "lesson_00_start_here": ("double",),
    "lesson_01_time_it_honestly": ("honest_time", "ratio_interval", "break_even"),
    "lesson_03_element_loops": ("clip_and_scale", "tiled_add", "step_states"),
    "lesson_07_batch_independent_work": ("project_heads", "ensemble_forward", "per_sample_grads"),
    "lesson_09_scans": ("running_total", "decayed_sum", "max_drawdown", "queue_wait"),
    "lesson_11_tensorflow_loops": ("wave_cube", "repeated_sqrt", "scale_by", "descend", "first_above"),
    "lesson_13_hidden_waits": ("loss_history", "normalize_batches", "clip_outliers"),
}
"""Lesson module → the ids of its tasks, in the lesson's order. A new task is one word here and one value there."""


class TaskMissing(CourseError):
    """No task has that name; the message offers near ones."""


class FrameworkMissing(CourseError):
    """The task's framework is not installed here."""


def names() -> tuple[str, ...]:
    """Every task's id, in the course's order."""
    return tuple(name for ids in INDEX.values() for name in ids)


def lesson_of(task_id: str) -> str:
    """The lesson that a task belongs to, as its files are called: ``"03_element_loops"``.

    Raises:
        TaskMissing: when no task has that id.
    """
    return _module_of(task_id).removeprefix("lesson_")


def load(task_id: str) -> Task:
    """The task with that id.

    Raises:
        TaskMissing: when there is none; the message offers near names.
        FrameworkMissing: when the lesson's framework is not installed.
    """
    name = _module_of(task_id)
    try:
        module = importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as missing:
        if missing.name not in ("torch", "tensorflow"):
            raise
        raise FrameworkMissing(
            f"The task {task_id!r} needs {missing.name}, which is not installed here; `pip install {missing.name}` brings it."
        ) from missing
    return next(task for task in module.TASKS if task.id == task_id)


def _module_of(task_id: str) -> str:
    for module, ids in INDEX.items():
        if task_id in ids:
            return module
    near = difflib.get_close_matches(str(task_id), names(), n=3, cutoff=0.5)
    offer = f"did you mean {' or '.join(near)}?" if near else f"the tasks are: {', '.join(names())}."
    raise TaskMissing(f"There is no task called {task_id!r}; {offer}")
