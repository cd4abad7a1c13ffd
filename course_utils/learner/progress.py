"""``progress``: what a learner has done so far.

``progress()`` shows it, ``progress.export(path)`` writes it to a file for a teacher, ``progress.reset(confirm=True)``
deletes it. ``progress_file`` stores it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from course_utils.core.errors import CourseError
from course_utils.core.wording import format_percent, format_short_ratio, pluralize
from course_utils.learner import certificate, progress_file


class ProgressError(CourseError):
    """Progress could not be exported, or ``reset`` was called without ``confirm=True``."""


@dataclass(frozen=True)
class Progress:
    """What a learner has done so far, as plain data.

    Attributes:
        tasks: task id → ``{"points", "of", "ratio", "date"}``, the best of all attempts; with ``"interval"`` and
            ``"machine"`` of the ratio, if the course measured them.
        races: race id → ``{"ratio", "device", "date"}``, the best of all runs.
        guesses: prediction id → the guessed number or choice.
        settled: prediction id → whether the guess was right, once that was measured.
        practice: id of a practice task → the day on which it was solved.
        hints: task id → how many hints the learner has read.
        shares: id of a challenge → ``{"share", "machine", "date"}``, the best share of a machine's limit; 1.0 is the
            limit.
        attempts: id of a task with a report → its measured attempts, see ``report``.
        reports: id of such a task → ``{"sentences", "attempt"}``, the learner's report.
    """

    tasks: dict[str, dict[str, Any]]
    races: dict[str, dict[str, Any]]
    guesses: dict[str, float | str]
    settled: dict[str, bool]
    practice: dict[str, str]
    hints: dict[str, int]
    shares: dict[str, dict[str, Any]]
    attempts: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    reports: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def points(self) -> float:
        """Return the points earned in all tasks that the learner tried."""
        return sum(entry["points"] for entry in self.tasks.values())

    @property
    def of(self) -> float:
        """Return the points that these tasks are worth."""
        return sum(entry["of"] for entry in self.tasks.values())

    @property
    def has_certificate(self) -> bool:
        """Return whether the capstone is passed."""
        return certificate.is_earned(vars(self))

    @property
    def predictions(self) -> str:
        """Return how many of the judged predictions were right, in words."""
        judged, waiting = len(self.settled), len(self.guesses.keys() - self.settled.keys())
        if not judged:
            return f"{pluralize(waiting, 'prediction')} still to be judged"
        text = f"{sum(self.settled.values())} of {pluralize(judged, 'prediction')} right"
        return f"{text}, {waiting} still to be judged" if waiting else text

    def __str__(self) -> str:
        if not (self.tasks or self.races or self.guesses or self.practice):
            return "Nothing done yet: run a race, or solve a task."
        lines = [f"{self.points:g} of {self.of:g} points in {pluralize(len(self.tasks), 'task')} tried"]
        for name, entry in self.tasks.items():
            line = f"  {name:<24} {entry['points']:g}/{entry['of']:g}"
            lines.append(line if entry["ratio"] is None else f"{line}  {format_short_ratio(entry['ratio'])}")
        if self.practice:
            lines.append(f"{pluralize(len(self.practice), 'practice task')} solved in the lessons")
        if self.guesses:
            lines.append(self.predictions)
        if self.shares:
            lines.append("Challenges, your best share of the limit")
        lines += [f"  {name:<24} {share_phrase(entry)}" for name, entry in self.shares.items()]
        if self.races:
            lines.append("Best speed-ups")
        for name, entry in self.races.items():
            lines.append(f"  {name:<24} {format_short_ratio(entry['ratio'])} on {entry['device']}")
        if self.has_certificate:
            report = (
                "" if certificate.WHOLE in self.reports else f" report({certificate.WHOLE}) adds your report to it."
            )
            lines.append(f"Capstone passed: progress.certificate() writes your certificate.{report}")
        return "\n".join(lines)

    __repr__ = __str__


def share_phrase(entry: Mapping[str, Any]) -> str:
    """Return a stored share in words: ``"62 % of the limit on Intel …"``."""
    return f"{format_percent(entry['share'])} of the limit on {entry['machine']}"


def _write(path: str | os.PathLike[str], text: str, what: str) -> Path:
    target = Path(path)
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as refused:
        raise ProgressError(
            f"{what} could not be written to {str(path)!r} ({refused.strerror}); choose a file in a folder that you can "
            "write to."
        ) from refused
    return target


class _ProgressCommand:
    """The type of ``progress``."""

    def __repr__(self) -> str:
        return (
            "progress() shows your progress, progress.export(path) writes it to a file, progress.certificate() writes "
            "the capstone's certificate, and progress.reset(confirm=True) deletes all progress."
        )

    def __call__(self) -> Progress:
        """Return the learner's progress; as the last line of a cell it shows its card."""
        tables = progress_file.read()
        return Progress(**{each.name: tables[each.name] for each in fields(Progress)})

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write all progress to one JSON file, for a teacher or for another machine, and return its path.

        Raises:
            ProgressError: the file cannot be written.
        """
        text = progress_file.as_text(progress_file.read() | {"exported": progress_file.today()})
        return _write(path, text, "Progress")

    def certificate(self, path: str | os.PathLike[str] = "certificate.html", name: str = "") -> Path:
        """Write the capstone's certificate, an HTML file that prints on one A4 page, and return its path.

        Args:
            path: the file to write.
            name: your name; without it the page has a line to write on.

        Raises:
            CertificateMissing: the capstone is not passed yet.
            ProgressError: the file cannot be written.
        """
        return _write(path, certificate.certificate_html(progress_file.read(), name), "The certificate")

    def reset(self, confirm: bool = False) -> None:
        """Delete all progress, if ``confirm`` is True.

        Raises:
            ProgressError: ``confirm`` is not True; nothing is deleted.
        """
        if confirm is not True:
            raise ProgressError(
                "This deletes all points, races and guesses; call `progress.reset(confirm=True)` to confirm it."
            )
        progress_file.clear()


progress = _ProgressCommand()
