"""``GradedNotebook``: a student's notebook with its marks, and what the reports compute from several of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from course_utils.core.wording import pluralize
from course_utils.grading.intake import SubmittedNotebook
from course_utils.grading.mark import TaskMark


@dataclass(frozen=True)
class GradedNotebook:
    """A student's notebook for one lesson, and the marks of its tasks in the lesson's order."""

    notebook: SubmittedNotebook
    marks: tuple[TaskMark, ...]


@dataclass(frozen=True)
class Total:
    """A sum of marks.

    Attributes:
        points: the points earned.
        of: the points that the judged tasks are worth; a task that could not be judged costs no points.
        refused: the number of tasks that could not be judged.
        seconds: how long the grading took.
    """

    points: int
    of: int
    refused: int
    seconds: float

    def __str__(self) -> str:
        text = f"{self.points} of {pluralize(self.of, 'point')}"
        return f"{text}, {pluralize(self.refused, 'task')} not judged" if self.refused else text


def total(graded: Iterable[GradedNotebook]) -> Total:
    """Return the sum over all marks."""
    marks = [mark for each in graded for mark in each.marks]
    judged = [mark for mark in marks if mark.verdict != "refused"]
    return Total(
        sum(mark.points for mark in judged),
        sum(mark.of for mark in judged),
        len(marks) - len(judged),
        sum(mark.seconds for mark in marks),
    )


def by_student(graded: Iterable[GradedNotebook]) -> dict[str, list[GradedNotebook]]:
    """Return student → the graded notebooks, in the order of ``graded``."""
    students: dict[str, list[GradedNotebook]] = {}
    for each in graded:
        students.setdefault(each.notebook.sender.student, []).append(each)
    return students
