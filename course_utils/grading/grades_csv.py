"""``grades.csv``: one row per task, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from course_utils.grading.notebook_marks import GradedNotebook

COLUMNS = ("student", "lesson", "task", "points", "of", "verdict", "message")


def grades_csv(graded: Iterable[GradedNotebook]) -> str:
    """Return the table as text."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in graded:
        for mark in each.marks:
            row = (
                each.notebook.sender.student,
                mark.lesson,
                mark.task_id,
                mark.points,
                mark.of,
                mark.verdict,
                mark.message,
            )
            writer.writerow([safe_cell(str(value)) for value in row])
    return stream.getvalue()


def safe_cell(text: str) -> str:
    """Return ``text``, after an apostrophe if a spreadsheet would run it as a formula.

    >>> safe_cell("=1+1"), safe_cell("Jane")
    ("'=1+1", 'Jane')
    """
    text = text.replace("\0", "").replace("\r", "\n").encode("utf-8", "replace").decode("utf-8")
    # The full-width signs count too: some spreadsheets convert them.
    return f"'{text}" if text.lstrip().startswith(tuple("=+-@＝＋－＠")) or text.startswith(("\t", "\n")) else text
