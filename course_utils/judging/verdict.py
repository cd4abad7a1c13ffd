"""``Verdict``: the result of a check: three lines that never vary, a message if something is wrong, and the measured figures.

A verdict is plain data that can be compared, pickled and written as JSON. It stores its task's id, not the task.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from course_utils.core.errors import CourseError
from course_utils.core.plain_data import from_data, to_data
from course_utils.core.wording import pluralize
from course_utils.counting import Counts
from course_utils.judging.speed_position import SpeedPosition
from course_utils.tasks import Task
from course_utils.timing import Ratio

_MARKS = {"right": "✓", "wrong": "✗", "not asked": "–"}


class TaskFailed(CourseError):
    """The answer is wrong; the message names the input, the expected result and, if known, the mistake."""


class AnswerEnded(TaskFailed):
    """The process of the answer has ended, so that nothing more can be asked of it."""


class WrongCall(TaskFailed):
    """A call raises an error, changes an input or returns a wrong result, at whatever step of the check."""


class WrongResult(WrongCall):
    """The answer's result differs from the slow loop's.

    Attributes:
        shows_inputs: whether the message shows the inputs' values.
        cause: the sentence in the message on the likely cause; "" if none is recognized.
    """

    def __init__(self, message: str, shows_inputs: bool = True, cause: str = "") -> None:
        super().__init__(message)
        self.shows_inputs, self.cause = shows_inputs, cause


@dataclass(frozen=True)
class Line:
    """One line of a verdict: ``name`` is correct, unlooped or fast; ``status`` is right, wrong or not asked."""

    name: str
    status: str
    text: str

    def __str__(self) -> str:
        return f"{_MARKS[self.status]} {self.name:<10}{self.text}"


@dataclass(frozen=True)
class Verdict:
    """The result of a check.

    Attributes:
        task: the task's id.
        title: the task's title.
        max_points: the points of a right answer.
        race_size: the size at which answers race the slow loop.
        target: the required speed-up over the slow loop there; None if nothing is raced.
        lines: up to three lines, one for each step that the check reached; they hold no figure that varies.
        message: what is wrong; None for a right answer.
        counts: size → what one call did there.
        compiled: whether a compiler runs any of the answer; its operations are then counted as they are written.
        ratio: the measured speed-up over the slow loop, with its interval; None if nothing was raced.
        inconclusive: whether the race could not decide, which costs no points.
        signature: the machine that measured the ratio.
        speed_position: the time of a right answer next to the lesson's versions and the machine's limit; None if it was
            not measured.
        printed: what the learner's function printed in its first call.
        warnings_text: the warnings of that call, and what it wrote to stderr.
    """

    task: str
    title: str
    max_points: int
    race_size: int
    target: float | None = None
    lines: tuple[Line, ...] = ()
    message: str | None = None
    counts: Mapping[int, Counts] = field(default_factory=dict)
    compiled: bool = False
    ratio: Ratio | None = None
    inconclusive: bool = False
    signature: str = ""
    speed_position: SpeedPosition | None = None
    printed: str = ""
    warnings_text: str = ""

    @classmethod
    def for_task(cls, task: Task) -> Verdict:
        """Return the empty verdict with which a check of ``task`` begins."""
        return cls(task.id, task.title, task.points, task.race_size, task.target)

    @property
    def right(self) -> bool:
        """Return whether nothing is wrong."""
        return self.message is None

    @property
    def points(self) -> int:
        """Return ``max_points`` for a right answer, else 0."""
        return self.max_points if self.right else 0

    def with_line(self, name: str, status: str, text: str) -> Verdict:
        """Return this verdict with one more line."""
        return replace(self, lines=(*self.lines, Line(name, status, text)))

    def to_json(self) -> str:
        """Return the verdict as a JSON object."""
        return json.dumps(to_data(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Verdict:
        """Return the verdict that ``to_json`` wrote.

        Raises:
            ValueError: ``text`` is not such a verdict.
        """
        return from_data(cls, json.loads(text))

    def __str__(self) -> str:
        max_points = pluralize(self.max_points, "point")
        if self.right:
            return f"{self.task}: right, {max_points}" if self.max_points else f"{self.task}: right"
        return f"{self.task}: not right yet, 0 of {max_points}"

    __repr__ = __str__
