"""``grade``: the marks of one submission."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import perf_counter
from types import TracebackType
from typing import Any, final

from course_utils import tasks as course_tasks
from course_utils.core.errors import CourseError, summarize_error
from course_utils.grading import framework_codecs
from course_utils.grading.cage import Rights, keep_freed_memory
from course_utils.grading.child_handle import Child, ChildStopped
from course_utils.grading.mark import TaskMark, VerdictWord
from course_utils.grading.remote_answer import RemoteAnswer
from course_utils.grading.shared_race_data import SharedRaceData
from course_utils.grading.submission import AnswerCell, Submission
from course_utils.grading.zygote_handle import CageMissing, Zygote
from course_utils.judging import Oracle, Verdict, judge
from course_utils.tasks import Task

__all__ = ["CageMissing", "Zygotes", "grade"]

CELL_S = 5.0
_RACE_S = 1.0
_NOT_WRITTEN = "is not written yet"


@final
class Zygotes:
    """Warm processes, one per framework, that fork a child for each answer. As a context manager it ends them.

    Args:
        caged: whether children are caged; without a cage a learner's code may read your files and open connections.

    Raises:
        CageMissing: on the first use of a framework, if this machine offers no cage and ``caged`` is true.
    """

    def __init__(self, *, caged: bool = True) -> None:
        self._caged = caged
        self._zygotes: dict[str, Zygote] = {}
        self._echoes: dict[str, Child] = {}
        # The class shares one seed, unknown to children, so that each slow loop runs once for all submissions.
        self._race_data: dict[str, SharedRaceData] = {}
        self.seed, self.oracle = random.SystemRandom().randrange(2**63), Oracle()
        keep_freed_memory()  # Children do the same, so neither side of a race gets more new pages than the other.

    def __enter__(self) -> Zygotes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for framework in list(self._zygotes):
            self.drop(framework)

    def of(self, framework: str) -> Zygote:
        """Return the zygote of a framework, which starts when it is first used."""
        if framework not in self._zygotes:
            self._zygotes[framework] = Zygote(framework, self._caged)
        return self._zygotes[framework]

    def echo(self, framework: str) -> Child:
        """Return the echo child, whose round trips the race's clock subtracts."""
        echo = self._echoes.get(framework)
        if echo is None or not echo.is_alive:
            echo = self._echoes[framework] = self.of(framework).child({"role": "echo"})
        return echo

    def race_data(self, task: Task) -> SharedRaceData:
        """Return what the races of a task share."""
        if task.id not in self._race_data:
            self._race_data[task.id] = SharedRaceData(task)
        return self._race_data[task.id]

    def drop(self, framework: str) -> None:
        """End the zygote of a framework with all of its children."""
        self._echoes.pop(framework, None)
        zygote = self._zygotes.pop(framework, None)
        if zygote is not None:
            zygote.close()


def grade(
    submission: Submission,
    *,
    zygotes: Zygotes,
    on_mark: Callable[[TaskMark], None] | None = None,
    tasks: tuple[str, ...] = (),
) -> tuple[TaskMark, ...]:
    """Return the marks of the lesson's tasks, in the lesson's order.

    Args:
        submission: the cells of one student.
        zygotes: warm processes, which several submissions share.
        on_mark: called after each task with its mark, so that a journal can be written.
        tasks: the ids of the tasks to grade; all tasks of the lesson with points unless given, so that an interrupted
            submission continues.

    Raises:
        CageMissing: this machine offers no cage, and the children of ``zygotes`` are caged.
        TaskMissing: no lesson of this name has tasks.
    """
    marks, skipped = [], set[int]()
    for task_id in tasks or course_tasks.ids(submission.lesson):
        mark = _grade_task(submission, task_id, zygotes, skipped)
        marks.append(mark)
        if on_mark is not None:
            on_mark(mark)
    return tuple(marks)


def _grade_task(submission: Submission, task_id: str, zygotes: Zygotes, skipped: set[int]) -> TaskMark:
    """Return the mark of one task; ``skipped``: the cells that ended their process before."""
    start = perf_counter()

    def mark(verdict: VerdictWord, message: str = "", of: int = 0, **more: Any) -> TaskMark:
        points = of if verdict == "right" else 0
        seconds = round(perf_counter() - start, 3)
        return TaskMark(submission.lesson, task_id, points, of, verdict, message, seconds=seconds, **more)

    try:
        task = course_tasks.load(task_id)
    except CourseError as error:
        return mark("refused", str(error))
    try:
        return _judge(submission, task, zygotes, skipped, mark)
    except CageMissing:
        raise
    except (CourseError, OSError) as error:
        zygotes.drop(framework_codecs.process_framework(task.framework))
        return mark("refused", f"{task_id} could not be judged: {summarize_error(error)}", task.points)


def _judge(
    submission: Submission, task: Task, zygotes: Zygotes, skipped: set[int], mark: Callable[..., TaskMark]
) -> TaskMark:
    cells = _cells_of(submission, task.id)
    if not cells:
        return mark("untried", f"There is no answer to {task.id}.", task.points)
    framework = framework_codecs.process_framework(task.framework)
    if task.starts_processes and not zygotes.of(framework).may_start_processes:
        message = f"{task.id} starts processes, for which this machine has no cage: run its check yourself and enter the points."
        return mark("refused", message, task.points)

    def start() -> tuple[Child, Any]:
        return _start(zygotes.of(framework), task, cells, skipped)

    try:
        answer = RemoteAnswer(task, start, lambda: zygotes.echo(framework), zygotes.race_data(task))
    except ChildStopped as stopped:
        return mark("stopped", f"The cells of {task.id} could not be run: {stopped}.", task.points)
    try:
        if not answer.is_defined:
            own = [cell.index for cell in cells if cell.task_id == task.id]
            if set(own) & skipped:
                return mark(
                    "stopped", f"The cell that defines {task.id} ends its process, or runs without end.", task.points
                )
            return mark("untried", f"No cell defines {task.id}.", task.points)
        verdict = judge(task, answer, zygotes.seed, zygotes.oracle, _RACE_S)
        return _mark_of(verdict, task, answer, mark)
    finally:
        answer.close()


def _mark_of(verdict: Verdict, task: Task, answer: RemoteAnswer, mark: Callable[..., TaskMark]) -> TaskMark:
    if verdict.message is None:
        return mark("right", "", task.points, counted_in=answer.counted_in)
    word: VerdictWord = "wrong"
    if _NOT_WRITTEN in verdict.message:
        word = "untried"
    elif answer.stop_message is not None and (
        answer.stop_message in verdict.message or "was stopped" in verdict.message
    ):
        word = "stopped"
    mistake = next((each.name for each in task.mistakes if each.name in verdict.message), None)
    return mark(word, verdict.message, task.points, mistake=mistake, counted_in=answer.counted_in)


def _cells_of(submission: Submission, task_id: str) -> list[AnswerCell]:
    """Return the cells up to the last one that answers the task, as a notebook runs them; none if no cell answers it."""
    answers = [place for place, cell in enumerate(submission.cells) if cell.task_id == task_id]
    return list(submission.cells[: answers[-1] + 1]) if answers else []


def _start(zygote: Zygote, task: Task, cells: list[AnswerCell], skipped: set[int]) -> tuple[Child, Any]:
    """Return a child that has run the cells, and its description of the function.

    A cell that hangs, or that ends its process, is skipped in another child.

    Raises:
        ChildStopped: no child gets to the end of the cells.
    """
    compiles = any("compile" in cell.source or "triton" in cell.source for cell in cells)
    rights = Rights.START_PROCESSES if task.starts_processes else Rights.COMPILE if compiles else Rights.COMPUTE
    while True:
        running: int | None = None
        labels = [[f"<cell {cell.index}>", cell.source] for cell in cells if cell.index not in skipped]
        child = zygote.child({"role": "answer", "cells": labels, "function": task.id}, rights)
        by_label = {f"<cell {cell.index}>": cell.index for cell in cells}
        try:
            while True:
                child.allow(CELL_S)
                message, _ = child.receive()
                if "ready" in message:
                    ready = message["ready"]
                    return child, None if ready is None else dict(ready) | {"compiles": compiles}
                running = by_label.get(str(message.get("cell")))
        except ChildStopped:
            child.close()
            if running is None or running in skipped:
                raise
            skipped.add(running)
