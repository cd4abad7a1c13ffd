"""The commands of a lesson: ``task`` shows an exercise, ``hint`` prints a hint, ``check`` judges an answer."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from course_utils.core.errors import CourseError
from course_utils.core.line_breaks import break_lines
from course_utils.frameworks import devices
from course_utils.judging import describe, patched_tools
from course_utils.judging.answer import Answer
from course_utils.judging.difference import type_phrase
from course_utils.judging.judge import judge
from course_utils.judging.speed_position import measure_speed_position
from course_utils.judging.verdict import TaskFailed, Verdict
from course_utils.learner import activity_listeners, progress_file
from course_utils.learner.recognize_stub import is_stub
from course_utils.tasks import Task, TaskMissing, load
from course_utils.tasks.what_counts import what_counts


class CheckError(CourseError):
    """``check`` was called with something that it cannot check."""


def task(task_id: str) -> Task:
    """Return the exercise with this name; as the last line of a cell it shows its card.

    Raises:
        TaskMissing: no task has this name; the message offers similar names.
        FrameworkMissing: the task's framework is not installed.
    """
    return load(_id_of(task_id))


def hint(task_id: str) -> None:
    """Print the task's next hint; after the last hint, print the last one again.

    Raises:
        TaskMissing: no task has this name.
        FrameworkMissing: the task's framework is not installed.
    """
    print(break_lines(next_hint(load(_id_of(task_id)))))


def next_hint(task: Task) -> str:
    """Return the next hint as a line of text; the progress file stores how many hints a learner has read."""
    if not task.hints and not task.points:
        return "This practice task has no hints; unfold the solution below its cell."
    if not task.hints:
        return f"{task.id} has no hints: the slow loop shows everything that you need."
    number = progress_file.read()["hints"].get(task.id, 0)
    if number < len(task.hints):
        number = progress_file.record_hint(task.id)
    ending = " (This was the last one.)" if number == len(task.hints) else ""
    return f"Hint {number} of {len(task.hints)}: {task.hints[number - 1]}{ending}"


def check(function: Callable[..., Any]) -> Verdict | None:
    """Check an answer to the task that has the function's name, and return the verdict; None for unwritten practice.

    It prints the lines of the verdict and stores the points. It compares the speed of a right answer with the lesson's
    versions and the machine's limit. As the last line of a cell, the verdict shows its card with the measured figures.

    Raises:
        TaskFailed: the answer is wrong; the message names the input and the reason.
        CheckError: ``function`` is not a function with a name.
        TaskMissing: no task has this name.
        FrameworkMissing: the task's framework is not installed.
        KernelsMissing: the task needs Triton, which is not installed.
    """
    task = _task_of(function)
    if not task.points and is_stub(function):
        counts = what_counts(task)
        print(f"{task.id} is not written yet: replace the ... and run the cell again.")
        if counts:
            print(f"What counts:\n{break_lines(counts)}")
        return None
    verdict = judge(task, Answer(function, task))
    if verdict.printed:
        print(f"{task.id} printed:\n{verdict.printed}\n")
    if verdict.warnings_text:
        print(f"{task.id} caused a warning:\n{verdict.warnings_text}\n")
    # Practice checks only a part of the steps, so it prints only those lines.
    print("\n".join(str(line) for line in verdict.lines if task.points or line.status != "not asked"))
    _record(task, verdict)
    if verdict.message is not None:
        raise TaskFailed(describe.wrap_message(verdict.message))
    return _with_speed(verdict, task, function)


def _with_speed(verdict: Verdict, task: Task, function: Callable[..., Any]) -> Verdict:
    """Return the verdict with the answer's speed; the best share of the limit is stored for a challenge."""
    if os.environ.get("NBGRADER_EXECUTION") == "autograde":
        return verdict  # Grading needs no card, and nbgrader gives no points if a race writes to stderr.
    speed_position = measure_speed_position(task, function)
    if task.level == 3 and speed_position is not None and speed_position.share is not None:
        progress_file.record_share(task.id, speed_position.share, devices.describe())
    return replace(verdict, speed_position=speed_position)


def _record(task: Task, verdict: Verdict) -> None:
    activity_listeners.announce("task", task.id, verdict.right)
    if task.points:
        ratio, interval = None, None
        if verdict.ratio is not None:
            ratio, low, high = verdict.ratio.value, verdict.ratio.low, verdict.ratio.high
            interval = None if low is None or high is None else (low, high)
        progress_file.record_task(task.id, verdict.points, task.points, ratio, interval, verdict.signature)
    elif verdict.right:
        progress_file.record_practice(task.id)


def _id_of(task: Any) -> Any:
    """Return the task's name; a learner may pass the function instead, as to ``check``."""
    return getattr(task, "__name__", task)


def _task_of(function: Any) -> Task:
    name = _name(function)
    try:
        return load(name)
    except TaskMissing as missing:
        outside, inside, _ = getattr(function, "__qualname__", "").rpartition(".<locals>.")
        if not inside and hasattr(function, "__wrapped__"):
            raise TaskMissing(
                f"check finds the task by your function's name, and no task is called {name!r}: give the function "
                "after def the task's name, and write its wrapper as a decorator in the line above."
            ) from None
        if not inside:
            raise
        # A function from inside another function is usually the wrapper that a decorator returned.
        maker = outside.rpartition(".")[2]
        raise TaskMissing(
            f"{missing} The function {name} was created inside {maker}: if @{maker} is above your function, it hides "
            f"the name; delete that line, or write @functools.wraps above {name}."
        ) from None


def _name(function: Any) -> str:
    if isinstance(function, str):
        raise CheckError(f"check takes the function itself, not its name: check({function}).")
    if not callable(function) or isinstance(function, type):
        raise CheckError(
            f"check takes your function without parentheses, as in check(double); this is {type_phrase(function)}."
        )
    name = getattr(function, "__name__", "<lambda>")
    if name == "<lambda>":
        raise CheckError(
            "This function has no name, and check finds the task by the name; write the function with def, as in the "
            "exercise."
        )
    return name


patched_tools.remember_originals()
