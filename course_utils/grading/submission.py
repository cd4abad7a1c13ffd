"""``Submission``: the code cells of one student's notebook, as plain data that converts to and from JSON."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AnswerCell:
    """A code cell that is run in a child.

    Attributes:
        task_id: the id of the task that the cell answers; "" for a helper cell, such as imports.
        source: the cell's code as the student wrote it; it may hold anything.
        index: the cell's position in the notebook, counted from 0.
    """

    task_id: str
    source: str
    index: int


@dataclass(frozen=True)
class Submission:
    """What one student handed in for one lesson.

    Attributes:
        student: the student's name or id, as the reports show it.
        lesson: the lesson's name, such as ``"03_element_loops"``.
        cells: helper cells and answers in the order in which they run; setup cells and checks are left out.
    """

    student: str
    lesson: str
    cells: tuple[AnswerCell, ...]
