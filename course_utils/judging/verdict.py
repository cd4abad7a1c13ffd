"""What a check found: three lines that never vary, a message if something is wrong, and the measured figures for the card.

A verdict is plain data: it can be compared, pickled, and written as JSON. It knows its task by name and holds none of it.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from course_utils.core.errors import CourseError
from course_utils.core.wording import pluralize
from course_utils.counting import Counts
from course_utils.judging.speed_position import Placement
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
        task: the id of the task that was checked.
        title: the task's title.
        of: the points that a right answer earns.
        race_size: the size at which answers race the slow loop.
        target: the speed-up over the slow loop that is wanted there; None where nothing is raced.
        lines: up to three lines, as far as the check came; they hold no figure that varies.
        message: what is wrong, None when all is right.
        counts: size → what one call did there.
        ratio: how many times faster than the slow loop, with its interval; None where nothing was raced.
        inconclusive: whether the race could not tell; that costs nothing.
        signature: the machine that measured the ratio.
        placement: where a right answer stands beside the lesson's ways and the limit; None where nobody has placed it.
        printed: what the learner's function printed in its first call.
        remarked: the warnings of that call, and what it wrote to stderr.
    """

    task: str
    title: str
    of: int
    race_size: int
    target: float | None = None
    lines: tuple[Line, ...] = ()
    message: str | None = None
    counts: Mapping[int, Counts] = field(default_factory=dict)
    ratio: Ratio | None = None
    inconclusive: bool = False
    signature: str = ""
    placement: Placement | None = None
    printed: str = ""
    remarked: str = ""

    @classmethod
    def on(cls, task: Task) -> Verdict:
        """The verdict with which a check of ``task`` begins: nothing is found yet."""
        return cls(task.id, task.title, task.points, task.race_size, task.target)

    @property
    def right(self) -> bool:
        """Whether nothing is wrong."""
        return self.message is None

    @property
    def points(self) -> int:
        """The task's points for a right answer, else none."""
        return self.of if self.right else 0

    def with_line(self, name: str, status: str, text: str) -> Verdict:
        """This verdict and one line more."""
        return replace(self, lines=(*self.lines, Line(name, status, text)))

    def to_json(self) -> str:
        """The verdict as a JSON object."""
        return json.dumps(dataclasses.asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Verdict:
        """The verdict that ``to_json`` wrote.

        Raises:
            ValueError, TypeError, KeyError, AttributeError: for text that is no such verdict.
        """
        data = json.loads(text)
        lines = tuple(Line(**line) for line in data.pop("lines"))
        counts = {
            int(size): Counts(**{**found, "sync_causes": tuple(found["sync_causes"])})
            for size, found in data.pop("counts").items()
        }
        ratio, placement = data.pop("ratio"), data.pop("placement")
        return cls(
            lines=lines,
            counts=counts,
            ratio=None if ratio is None else Ratio(**ratio),
            placement=None if placement is None else Placement.from_dict(placement),
            **data,
        )

    def __str__(self) -> str:
        of = pluralize(self.of, "point")
        if self.right:
            return f"{self.task}: right, {of}" if self.of else f"{self.task}: right"
        return f"{self.task}: not right yet, 0 of {of}"

    __repr__ = __str__
