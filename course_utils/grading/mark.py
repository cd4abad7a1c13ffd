"""``TaskMark``: the points of one task of one submission, as plain data that converts to and from JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

VerdictWord = Literal["right", "wrong", "untried", "stopped", "refused"]


@dataclass(frozen=True)
class TaskMark:
    """The result of one task.

    Attributes:
        lesson: the lesson's name, such as ``"03_element_loops"``.
        task_id: the task's id.
        points: the points that the answer earns.
        of: the points of a right answer.
        verdict: right; wrong; untried: the stub is unchanged or missing; stopped: the process of the answer was ended, for
            time, memory or a crash; refused: it could not be judged, which is not the student's fault and costs no points.
        message: the check's message to the student, in plain text; "" for a right answer.
        mistake: the name of the mistake that explains a wrong result; None if none is recognized.
        seconds: how long the grading of this task took.
        counted_in: where the operations were counted: by the parent, or in a fresh child if the parent cannot count
            them.
    """

    lesson: str
    task_id: str
    points: int
    of: int
    verdict: VerdictWord
    message: str = ""
    mistake: str | None = None
    seconds: float = 0.0
    counted_in: Literal["parent", "child"] = "parent"
