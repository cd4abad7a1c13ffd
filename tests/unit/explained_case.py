"""A function whose costliest line a person has marked, and how `explain` disagrees with that person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from load_tolerance import ATTEMPTS

REASONS = {"launches", "syncs", "transfers", "allocation", "traffic", "compute", "python", "limit", "unknown"}
TOLERANCE = 0.15  # The lines may differ from the call by this share.


@dataclass(frozen=True)
class Case:
    """A function as a learner writes it; its costliest line ends with the comment ``# costliest of <id>``.

    Attributes:
        make_inputs: makes the arguments of one ``explain``, which may call the function with them as often as it likes.
        reasons: each reason that is right for that line, with why.
    """

    id: str
    file: str
    function: Callable[..., Any]
    make_inputs: Callable[[], tuple[Any, ...]]
    reasons: Mapping[str, str]

    @property
    def line(self) -> int:
        """Return the number of the marked line, from the source itself."""
        lines = Path(self.file).read_text(encoding="utf-8").splitlines()
        (number,) = (number for number, line in enumerate(lines, 1) if line.endswith(f"  # costliest of {self.id}"))
        return number


@dataclass(frozen=True)
class Result:
    """What `explain` finds in a case: the costliest line, its reason, and the seconds of all lines and of the call."""

    id: str
    place: str
    reason: str
    lines_s: float
    measured_s: float

    def miss(self, case: Case) -> str | None:
        """Return how the line or the reason differs from the person's, or None."""
        wanted = f"{Path(case.file).name}:{case.line}"
        if self.place == wanted and self.reason in case.reasons:
            return None
        return f"{self.id}: expected {' or '.join(case.reasons)} at {wanted}, found {self.reason} at {self.place}"

    def gap(self) -> str | None:
        """Return how the lines' seconds fail to add up to the call's, or None."""
        if abs(self.lines_s - self.measured_s) <= TOLERANCE * self.measured_s:
            return None
        return f"{self.id}: the lines add up to {self.lines_s:.3g} s of {self.measured_s:.3g} s"


def explain_case(case: Case) -> Result:
    """Explain a case."""
    from course_utils import explain

    explanation = explain(case.function, *case.make_inputs())
    return Result(
        id=case.id,
        place=f"{Path(explanation.costliest.file).name}:{explanation.costliest.number}",
        reason=explanation.costliest.reason,
        lines_s=sum(line.seconds for line in explanation.lines),
        measured_s=explanation.measured_s,
    )


def find_undisturbed(case: Case) -> Result:
    """Return the first result that agrees with the person, else the last: a busy machine may disturb an attempt."""
    for _ in range(ATTEMPTS - 1):
        seen = explain_case(case)
        if seen.miss(case) is None:
            return seen
    return explain_case(case)


def messages(complaints: Iterable[str | None]) -> list[str]:
    """Return the complaints that are not None."""
    return [complaint for complaint in complaints if complaint]
