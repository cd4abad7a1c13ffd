"""Moodle's grading worksheet: the file that an instructor downloads from an assignment, fills in and uploads again.

Moodle reads the columns Identifier, Grade, Last modified (grade) and Feedback comments, by their English names if the
page was English (mod/assign/feedback/offline/importgradeslib.php). It skips a row without a grade.
"""

from __future__ import annotations

import csv
import html
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from course_utils import tasks
from course_utils.core.errors import CourseError
from course_utils.grading.grades_csv import safe_cell
from course_utils.grading.notebook_marks import GradedNotebook, by_student, total

_ID, _NAME, _GRADE, _MOST, _FEEDBACK = "Identifier", "Full name", "Grade", "Maximum Grade", "Feedback comments"
_LOCKED = "Grade can be changed"


class WorksheetUnreadable(CourseError):
    """The file is not a grading worksheet of Moodle."""


@dataclass(frozen=True)
class Worksheet:
    """A downloaded worksheet.

    Attributes:
        path: its file.
        columns: the names in its first row.
        rows: the other rows, each as long as ``columns``.
    """

    path: Path
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read_worksheet(path: Path) -> Worksheet:
    """Return the worksheet in a file.

    Raises:
        WorksheetUnreadable: the file cannot be read, or lacks a column.
    """
    try:
        lines = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
    except (OSError, ValueError, csv.Error) as error:
        raise WorksheetUnreadable(f"The worksheet {str(path)!r} cannot be read ({error}); download it again.") from None
    columns = tuple(lines[0]) if lines else ()
    missing = [name for name in (_ID, _GRADE) if name not in columns]
    if missing:
        raise WorksheetUnreadable(
            f"The worksheet {str(path)!r} has no column {missing[0]!r}; set Moodle's language to English, and download "
            "the grading worksheet of the assignment."
        )
    rows = (tuple(line + [""] * len(columns))[: len(columns)] for line in lines[1:] if line)
    return Worksheet(path, columns, tuple(rows))


def fill_in(worksheet: Worksheet, graded: Sequence[GradedNotebook]) -> tuple[str, list[str]]:
    """Return the worksheet's text with grades and feedback, and sentences on what could not be filled in.

    The assignment's lessons are those that half of the students handed in. A grade is the worksheet's maximum
    times the share of these lessons' points that the student earned. If a task could not be judged, the row stays as
    it was.
    """
    students = by_student(graded)
    lessons = _assigned_lessons(students)
    numbers = {works[0].notebook.sender.number: student for student, works in students.items()}
    notes, filled = [], set()
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(worksheet.columns)
    for line in worksheet.rows:
        row = dict(zip(worksheet.columns, line, strict=True))
        number, name = _number(row[_ID]), row.get(_NAME, "")
        student = numbers.get(number) if number else None
        if student is None and name in students:
            student = name
        if student is not None:
            filled.add(student)
            notes += _fill_in_row(row, student, students[student], lessons)
        writer.writerow(row.values())
    notes += [f"{student} is not in the worksheet." for student in students if student not in filled]
    return "\ufeff" + stream.getvalue(), notes  # Moodle writes the byte order mark too


def _assigned_lessons(students: dict[str, list[GradedNotebook]]) -> tuple[str, ...]:
    """Return the lessons that at least half of the students handed in; all lessons if none reaches half."""
    counts = Counter(
        lesson for works in students.values() for lesson in {each.notebook.lesson for each in works} - {""}
    )
    frequent = [lesson for lesson, count in counts.items() if 2 * count >= len(students)]
    return tuple(sorted(frequent or counts))


def _fill_in_row(row: dict[str, str], student: str, works: list[GradedNotebook], lessons: tuple[str, ...]) -> list[str]:
    """Change the row's grade and feedback; return sentences on what is missing."""
    counted = [each for each in works if each.notebook.lesson in lessons]
    missing = sorted(set(lessons) - {each.notebook.lesson for each in works})
    summary = total(counted or works)
    # A file whose lesson is unknown may belong to the missing lesson.
    unknown = bool(missing) and any(not each.notebook.lesson for each in works)
    if summary.refused or unknown:
        return [f"{student} has no grade in the worksheet, because something could not be judged."]
    if row.get(_LOCKED, "Yes") == "No":
        return [f"{student} has no grade in the worksheet, because Moodle has locked it."]
    of = sum(tasks.points_of(task_id) for lesson in lessons for task_id in tasks.ids(lesson))
    try:
        most = float(row.get(_MOST, "").replace(",", "."))
    except ValueError:
        most = float(of)
    row[_GRADE] = f"{sum(total([each]).points for each in counted) / of * most:.5f}".rstrip("0").rstrip(".")
    if _FEEDBACK in row:
        row[_FEEDBACK] = _feedback(works)
    return [f"{student} did not hand in {lesson}." for lesson in missing]


def _feedback(works: list[GradedNotebook]) -> str:
    """Return the marks as HTML, which Moodle expects there, in one line."""
    lines = []
    for each in works:
        for mark in each.marks:
            message = html.escape(mark.message).replace("\n", "<br>")
            name = html.escape(mark.task_id)
            lines.append(f"<li>{name}: {mark.points} of {mark.of}{' – ' if message else ''}{message}</li>")
    return safe_cell(f"<p>{total(works)}</p><ul>{''.join(lines)}</ul>")


def _number(identifier: str) -> str:
    """Return the number at the end of "Participant 1234"."""
    digits = re.search(r"\d+$", identifier.strip())
    return digits[0] if digits else ""
