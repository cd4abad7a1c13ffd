"""``progress``: the page that shows what a learner has done, the file for a teacher, and a new beginning.

``progress()`` is the page to look at, ``progress.export(path)`` writes the file, ``progress.reset(confirm=True)`` forgets.
It keeps nothing itself: that is the store's.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_utils.core.errors import CourseError
from course_utils.core.wording import format_percent, format_short_ratio, pluralize
from course_utils.learner import progress_file


class ProgressError(CourseError):
    """Progress could not be exported, or was about to be forgotten without a yes."""


@dataclass(frozen=True)
class Progress:
    """What was done so far, as plain data.

    Attributes:
        tasks: task id → ``{"points", "of", "ratio", "date"}``, the best of all tries.
        races: race id → ``{"ratio", "device", "date"}``, the best of all runs.
        guesses: prediction's id → the number or the choice that was guessed.
        settled: prediction's id → whether the guess was right, where that was measured.
        practice: id of a task without points → the day on which it was solved.
        hints: task id → hints taken.
        shares: challenge's id → ``{"share", "machine", "date"}``, the best share of a machine's limit, 1.0 being the limit.
    """

    tasks: dict[str, dict[str, Any]]
    races: dict[str, dict[str, Any]]
    guesses: dict[str, float | str]
    settled: dict[str, bool]
    practice: dict[str, str]
    hints: dict[str, int]
    shares: dict[str, dict[str, Any]]

    @property
    def points(self) -> float:
        """Points earned, over all tasks tried."""
        return sum(entry["points"] for entry in self.tasks.values())

    @property
    def of(self) -> float:
        """Points that the tasks tried could earn."""
        return sum(entry["of"] for entry in self.tasks.values())

    @property
    def predictions(self) -> str:
        """How many guesses were right, of those that were judged."""
        judged, waiting = len(self.settled), len(self.guesses.keys() - self.settled.keys())
        if not judged:
            return f"{pluralize(waiting, 'prediction')} still to be judged"
        told = f"{sum(self.settled.values())} of {pluralize(judged, 'prediction')} right"
        return f"{told}, {waiting} still to be judged" if waiting else told

    def __str__(self) -> str:
        if not (self.tasks or self.races or self.guesses or self.practice):
            return "Nothing done yet: run a race, or solve a task."
        lines = [f"{self.points:g} of {self.of:g} points in {pluralize(len(self.tasks), 'task')} tried"]
        for name, entry in self.tasks.items():
            told = f"  {name:<24} {entry['points']:g}/{entry['of']:g}"
            lines.append(told if entry["ratio"] is None else f"{told}  {format_short_ratio(entry['ratio'])}")
        if self.practice:
            lines.append(f"{pluralize(len(self.practice), 'practice task')} solved in the lessons")
        if self.guesses:
            lines.append(self.predictions)
        if self.shares:
            lines.append("Challenges, as near to the limit as you came")
        lines += [f"  {name:<24} {share_phrase(entry)}" for name, entry in self.shares.items()]
        if self.races:
            lines.append("Best speed-ups")
        for name, entry in self.races.items():
            lines.append(f"  {name:<24} {format_short_ratio(entry['ratio'])} on {entry['device']}")
        return "\n".join(lines)

    __repr__ = __str__


def share_phrase(entry: Mapping[str, Any]) -> str:
    """A kept share in words: ``"62 % of the limit on Intel …"``."""
    return f"{format_percent(entry['share'])} of the limit on {entry['machine']}"


class _Verb:
    """What the name ``progress`` does; there is one."""

    def __repr__(self) -> str:
        return (
            "progress() shows what you have done, progress.export(path) writes it to a file, "
            "progress.reset(confirm=True) forgets it."
        )

    def __call__(self) -> Progress:
        """The page to look at."""
        kept = progress_file.read()
        return Progress(
            kept["tasks"],
            kept["races"],
            kept["guesses"],
            kept["settled"],
            kept["practice"],
            kept["hints"],
            kept["shares"],
        )

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write everything as one JSON file, for a teacher or for another machine; returns where it is.

        Raises:
            ProgressError: when the file cannot be written.
        """
        target = Path(path)
        try:
            target.write_text(
                progress_file.as_text(progress_file.read() | {"exported": progress_file.today()}), encoding="utf-8"
            )
        except OSError as refused:
            raise ProgressError(
                f"Progress could not be written to {str(path)!r} ({refused.strerror}); choose a file in a folder that you can write to."
            ) from refused
        return target

    def reset(self, confirm: bool = False) -> None:
        """Forget everything, if ``confirm`` is True.

        Raises:
            ProgressError: without ``confirm``; nothing is forgotten then.
        """
        if confirm is not True:
            raise ProgressError(
                "This would forget all points, races and guesses; `progress.reset(confirm=True)` does it."
            )
        progress_file.clear()


progress = _Verb()
