"""The three words that a lesson uses: ``task`` shows an exercise, ``hint`` helps, ``check`` tells how it went."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from course_utils.core.errors import CourseError
from course_utils.frameworks import devices
from course_utils.judging import describe, tampering
from course_utils.judging.answer import Answer
from course_utils.judging.difference import type_phrase
from course_utils.judging.judge import judge
from course_utils.judging.speed_position import measure_speed_position
from course_utils.judging.verdict import TaskFailed, Verdict
from course_utils.learner import progress_file
from course_utils.learner.stub import is_stub
from course_utils.tasks import Task, TaskMissing, load


class CheckError(CourseError):
    """``check`` was called with something that it cannot check."""


def task(task_id: str) -> Task:
    """The exercise with that name; as the last line of a cell it shows its card.

    Raises:
        TaskMissing: when there is none; the message offers near names.
        FrameworkMissing: when its framework is not installed.
    """
    return load(_id(task_id))


def hint(task_id: str) -> None:
    """Print the task's next hint; after the last one, that one again.

    Raises:
        TaskMissing: when there is no such task.
    """
    print(next_hint(load(_id(task_id))))


def next_hint(wanted: Task) -> str:
    """The next hint as a line of text; progress remembers how many were taken."""
    if not wanted.hints and not wanted.points:
        return "There is no hint for this turn: one way is folded up below its cell."
    if not wanted.hints:
        return f"There is no hint for {wanted.id}: the slow loop says all."
    taken = progress_file.read()["hints"].get(wanted.id, 0)
    number = progress_file.record_hint(wanted.id) if taken < len(wanted.hints) else len(wanted.hints)
    ending = " (This was the last one.)" if number == len(wanted.hints) else ""
    return f"Hint {number} of {len(wanted.hints)}: {wanted.hints[number - 1]}{ending}"


def check(function: Callable[..., Any]) -> Verdict | None:
    """Check an answer; its name tells which task it belongs to.

    Prints the lines of the verdict and keeps the points; a right answer is then placed beside the lesson's ways and the
    machine's limit. As the last line of a cell, the verdict shows its card with the measured figures. A task without
    points, in a lesson, may stay unwritten: then one sentence says so.

    Raises:
        TaskFailed: when the answer is wrong; the message says for which input and why.
        CheckError: when ``function`` is no function with a name.
        TaskMissing: when no task has its name.
        FrameworkMissing: when the task's framework is not installed.
    """
    wanted = _wanted(function)
    if not wanted.points and is_stub(function):
        print(f"{wanted.id} is not written yet: replace the ... and run the cell again.")
        return None
    verdict = judge(wanted, Answer(function, wanted))
    if verdict.printed:
        print(f"{wanted.id} printed:\n{verdict.printed}\n")
    if verdict.warnings_text:
        print(f"A warning came while {wanted.id} ran:\n{verdict.warnings_text}\n")
    # Practice asks for few things: what it does not ask for is not worth a line.
    print("\n".join(str(line) for line in verdict.lines if wanted.points or line.status != "not asked"))
    _keep(wanted, verdict)
    if verdict.message is not None:
        raise TaskFailed(describe.wrap_message(verdict.message))
    return _placed(wanted, function, verdict)


def _placed(wanted: Task, function: Callable[..., Any], verdict: Verdict) -> Verdict:
    """A right verdict with the answer's place on it; of a challenge the best share of the limit is kept."""
    speed_position = measure_speed_position(wanted, function)
    if wanted.level == 3 and speed_position is not None and speed_position.share is not None:
        progress_file.record_share(wanted.id, speed_position.share, devices.describe())
    return replace(verdict, speed_position=speed_position)


def _keep(wanted: Task, verdict: Verdict) -> None:
    if wanted.points:
        progress_file.record_task(
            wanted.id, verdict.points, wanted.points, verdict.ratio.value if verdict.ratio else None
        )
    elif verdict.right:
        progress_file.record_practice(wanted.id)


def _id(given: Any) -> Any:
    """The task's name, also where a learner gives the function, as ``check`` wants it."""
    return getattr(given, "__name__", given)


def _wanted(function: Any) -> Task:
    """The function's task; one that was made inside another function is mostly what a decorator put in its place."""
    name = _name(function)
    try:
        return load(name)
    except TaskMissing as missing:
        outside, inside, _ = getattr(function, "__qualname__", "").rpartition(".<locals>.")
        if not inside and hasattr(function, "__wrapped__"):
            raise TaskMissing(
                f"check goes by the name behind def, and no task is called {name!r}: give that function the task's name, and "
                "write what wraps it as a decorator in the line above."
            ) from None
        if not inside:
            raise
        maker = outside.rpartition(".")[2]
        raise TaskMissing(
            f"{missing} It was made inside {maker}: if @{maker} stands above your function, it hides the name; take that "
            f"line away, or write @functools.wraps above {name}."
        ) from None


def _name(function: Any) -> str:
    if isinstance(function, str):
        raise CheckError(f"check takes the function itself, not its name: check({function}).")
    if not callable(function) or isinstance(function, type):
        raise CheckError(
            f"check takes your function, as in check(double), without parentheses; this is {type_phrase(function)}."
        )
    name = getattr(function, "__name__", "<lambda>")
    if name == "<lambda>":
        raise CheckError(
            "This function has no name, and the name tells its task; write it with def, as in the exercise."
        )
    return name


tampering.seal()
