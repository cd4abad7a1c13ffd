"""``grade``: the marks of one submission."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import final

from course_utils.core.errors import CourseError
from course_utils.grading.mark import TaskMark
from course_utils.grading.submission import Submission


class CageMissing(CourseError):
    """This machine offers no cage for foreign code; the message names what is missing and the remedy."""


@final
class Zygotes:
    """Warm processes, one per framework, from which each answer's child is forked; a context that ends them.

    Args:
        caged: whether children are caged; without a cage a learner's code may read your files and open connections.

    Raises:
        CageMissing: on entry, if this machine offers no cage and ``caged`` is true.
    """

    def __init__(self, *, caged: bool = True) -> None:
        self.caged = caged

    def __enter__(self) -> Zygotes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


def grade(
    submission: Submission,
    *,
    caged: bool = True,
    on_mark: Callable[[TaskMark], None] | None = None,
    zygotes: Zygotes | None = None,
    tasks: tuple[str, ...] = (),
) -> tuple[TaskMark, ...]:
    """The marks of the lesson's tasks, in the lesson's order.

    Args:
        submission: the cells of one student.
        caged: whether to cage children; ignored if ``zygotes`` is given.
        on_mark: called after each task with its mark, so that a journal can be written.
        zygotes: warm processes that several submissions share; new ones unless given.
        tasks: the ids of the tasks to grade; all tasks of the lesson with points unless given, so that an interrupted
            submission continues.

    Raises:
        CageMissing: this machine offers no cage and ``caged`` is true.
        TaskMissing: no lesson of this name has tasks.
    """
    raise NotImplementedError
