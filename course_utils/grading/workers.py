"""Grading in several processes of this machine: ``GradingProcess``, and ``grade_here`` for a class."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterator, Sequence
from typing import final

from course_utils import tasks
from course_utils.core.plain_data import from_data, to_data
from course_utils.core.processes import ChildProcess, ChildProcessFailed
from course_utils.grading.grade_submission import CageMissing
from course_utils.grading.intake import SubmittedNotebook
from course_utils.grading.mark import TaskMark
from course_utils.grading.submission import Submission

GRADER = "course_utils.grading.grade_submission"
"""The module that grades; it offers ``Zygotes`` and ``grade``."""

Job = tuple[SubmittedNotebook, tuple[str, ...]]
"""A student's notebook and the ids of its tasks that have no mark yet."""

_ATTEMPTS = 2
"""How often a task is tried if its grading process ends."""


def refused_mark(lesson: str, task_id: str, message: str) -> TaskMark:
    """Return the mark of a task that could not be judged, which costs no points."""
    return TaskMark(lesson, task_id, 0, tasks.points_of(task_id) if task_id else 0, "refused", message)


@final
class GradingProcess:
    """A process that grades, and starts again if it ends.

    Args:
        caged: whether learners' code is caged.
        grader: the name of the module that grades.
    """

    def __init__(self, caged: bool, grader: str = GRADER) -> None:
        options = [] if caged else ["--uncaged"]
        self._arguments = ["-m", "course_utils.grading.worker", grader, str(os.getpid()), *options]
        self._process: ChildProcess | None = None
        self._stopped = False

    def marks(self, submission: Submission, task_ids: Sequence[str]) -> Iterator[TaskMark]:
        """Yield the mark of each task as soon as it is known.

        Raises:
            CageMissing: this machine offers no cage.
        """
        left, attempts = list(task_ids), 0
        while left and not self._stopped:
            problem = ""
            for answer in self._answers(submission, left):
                if "no_cage" in answer:
                    raise CageMissing(answer["no_cage"])
                if "mark" in answer:
                    mark = from_data(TaskMark, answer["mark"])
                    left.remove(mark.task_id)
                    attempts = 0
                    yield mark
                problem = answer.get("failed", "")
            attempts += 1
            if left and (problem or attempts == _ATTEMPTS):
                yield refused_mark(submission.lesson, left.pop(0), _could_not_judge(problem))
                attempts = 0

    def stop(self) -> None:
        """End the process immediately and start no other one; may be called from any thread."""
        self._stopped = True
        self._close()

    def _close(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None

    def _answers(self, submission: Submission, task_ids: Sequence[str]) -> Iterator[dict]:
        """Yield the process's answers to one job, until the job is done or fails, or the process ends."""
        if self._process is None:
            self._process = ChildProcess(self._arguments, accepts_input=True)
        self._process.send({"submission": to_data(submission), "tasks": list(task_ids)})
        try:
            for answer in self._process.answers():
                yield answer
                if "mark" not in answer:
                    return
        except ChildProcessFailed as failed:
            yield {"ended": str(failed)}
        self._close()


def _could_not_judge(problem: str) -> str:
    reason = problem or "The process that graded it ended twice."
    return f"This task could not be judged, which costs no points. {reason}"


def grade_here(
    jobs: Sequence[Job], workers: int, caged: bool, grader: str = GRADER
) -> Iterator[tuple[SubmittedNotebook, TaskMark]]:
    """Yield the marks of all jobs as they become known; closing the generator stops the processes.

    Raises:
        CageMissing: this machine offers no cage.
    """
    waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
    for job in jobs:
        waiting.put(job)
    marks: queue.SimpleQueue[tuple[SubmittedNotebook, TaskMark] | BaseException | None] = queue.SimpleQueue()
    processes = [GradingProcess(caged, grader) for _ in range(min(workers, len(jobs)))]

    def serve(process: GradingProcess) -> None:
        try:
            while not stopped.is_set():
                work, task_ids = waiting.get_nowait()
                for mark in process.marks(work.submission, task_ids):
                    marks.put((work, mark))
        except queue.Empty:
            marks.put(None)
        except BaseException as error:  # noqa: BLE001 - raised in the thread that reads
            marks.put(error)

    stopped = threading.Event()
    threads = [threading.Thread(target=serve, args=(each,), daemon=True) for each in processes]
    try:
        for thread in threads:
            thread.start()
        running = len(threads)
        while running:
            result = marks.get()
            if isinstance(result, BaseException):
                raise result
            if result is None:
                running -= 1
            else:
                yield result
    finally:
        stopped.set()
        for process in processes:
            process.stop()
