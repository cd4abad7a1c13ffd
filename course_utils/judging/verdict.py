"""What a check found: three lines that never vary, a message if something is wrong, and the measured figures for the card."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from course_utils.counting import Counts
from course_utils.ground.errors import CourseError
from course_utils.ground.wording import counted
from course_utils.tasks import Task
from course_utils.timing import Ratio

_MARKS = {"right": "✓", "wrong": "✗", "not asked": "–"}


class TaskFailed(CourseError):
    """The answer is wrong; the message says for which input, what was expected, and the mistake's name where it has one."""


@dataclass(frozen=True)
class Line:
    """One line of a verdict: ``name`` is correct, unlooped or fast; ``status`` right, wrong or not asked."""

    name: str
    status: str
    text: str

    def __str__(self) -> str:
        return f"{_MARKS[self.status]} {self.name:<10}{self.text}"


@dataclass(frozen=True)
class Verdict:
    """What a check found.

    Attributes:
        task: the task that was checked.
        lines: up to three lines, as far as the check came; they hold no figure that varies.
        message: what is wrong, None when all is right.
        counts: size → what one call did there.
        ratio: how many times faster than the slow loop, with its interval; None where nothing was raced.
        inconclusive: whether the race could not tell; that costs nothing.
        signature: the machine that measured the ratio.
        printed: what the learner's function printed in its first call.
        remarked: the warnings of that call, and what it wrote to stderr.
    """

    task: Task
    lines: tuple[Line, ...] = ()
    message: str | None = None
    counts: dict[int, Counts] = field(default_factory=dict)
    ratio: Ratio | None = None
    inconclusive: bool = False
    signature: str = ""
    printed: str = ""
    remarked: str = ""

    @property
    def right(self) -> bool:
        """Whether nothing is wrong."""
        return self.message is None

    @property
    def points(self) -> int:
        """The task's points for a right answer, else none."""
        return self.task.points if self.right else 0

    def with_line(self, name: str, status: str, text: str) -> Verdict:
        """This verdict and one line more."""
        return replace(self, lines=(*self.lines, Line(name, status, text)))

    def __str__(self) -> str:
        of = counted(self.task.points, "point")
        return f"{self.task.id}: right, {of}" if self.right else f"{self.task.id}: not right yet, 0 of {of}"

    __repr__ = __str__
