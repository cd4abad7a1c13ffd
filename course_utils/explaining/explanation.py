"""``Explanation``: what a call costs, line by line, and what to do first. Plain values; nothing here measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from course_utils.core.wording import counted, duration, how_often, percent
from course_utils.counting.line_work import LineWork

WORTH = 0.05  # of a call: to gain less than that is nothing to begin with


def share_in_words(share: float) -> str:
    """A line's share of a call: "61 %", and no digits of what is next to nothing."""
    return percent(share) if share >= 0.001 else "0\N{NO-BREAK SPACE}%"


@dataclass(frozen=True)
class Line:
    """One statement of the learner's code, by its first line.

    Attributes:
        file, number: where it stands; "" and 0 for what the call does outside of the learner's lines.
        source: its first line.
        seconds: its own, in all of its runs; other lines' are theirs.
        counts: what it did.
        floor_s: the least that any way to write it takes on this machine.
        reason: why it takes longer: ``launches``, ``waits``, ``transfers``, ``fresh``, ``passes``, ``arithmetic`` or
            ``python``; ``limit`` where it hardly does.
        told: the reason in words, to follow "It".
        advice: what to do about it.
        lesson: number and topic of the lesson that teaches that, "" where there is nothing to do.
    """

    file: str
    number: int
    source: str
    seconds: float
    counts: LineWork
    floor_s: float
    reason: str
    told: str
    advice: str
    lesson: str

    @property
    def where(self) -> str:
        """What a sentence calls it."""
        return f"Line {self.number}" if self.number else "The call itself"


@dataclass(frozen=True, repr=False)
class Explanation:
    """What one call costs.

    Attributes:
        name: the function.
        measured_s: seconds of the call, as it is.
        floor_s: the least that its inputs, results and products take on this machine, each moved once; NaN where the
            machine's limits are not known.
        lines: in the order of the code; their seconds add up to ``measured_s``.
        runs: how often the code ran for this.
        device, threads, machine, date, versions: where it was measured.
        notes: sentences about how it was measured.
    """

    name: str
    measured_s: float
    floor_s: float
    lines: tuple[Line, ...]
    runs: int
    device: str
    threads: int
    machine: str
    date: str
    versions: dict[str, str]
    notes: tuple[str, ...] = ()

    @property
    def costliest(self) -> Line:
        """The line with the most seconds."""
        return max(self.lines, key=lambda line: line.seconds)

    @property
    def first(self) -> Line:
        """The line to begin with: the one that most can be gained at, or the costliest where that is next to nothing.

        What a call takes outside of all lines, without an operation, is nobody's to change: only where it is the most.
        """
        worth = [line for line in self.lines if line.number or line.counts.ops or line is self.costliest]
        gains = [line for line in worth if line.reason != "limit"] or worth
        best = max(gains, key=lambda line: line.seconds - line.floor_s)
        return self.costliest if best.seconds - best.floor_s < WORTH * self.measured_s else best

    def sentence(self) -> str:
        """What to do first, and which lesson teaches it."""
        line = self.first
        share = share_in_words(line.seconds / (self.measured_s or 1))
        told = f"{line.where} takes {share} of the call: it {line.told}. {line.advice}"
        return told + (f" Lesson {line.lesson}, shows how." if line.lesson else "")

    def signature(self) -> str:
        """Where and when it was measured, and how often the code ran."""
        libraries = [f"{name} {number}" for name, number in self.versions.items() if name not in ("python", "numpy")]
        place = [self.device] if self.device != "cpu" else []
        return " · ".join(
            [
                self.machine,
                *place,
                counted(self.threads, "thread"),
                *libraries,
                self.date[:10],
                f"ran {how_often(self.runs)}",
            ]
        )

    def steady_text(self) -> str:
        """What the call did, with no figure that varies from run to run or from machine to machine.

        What did nothing outside of all lines is left out: how long it takes, by which the bill shows it or not, varies.
        """
        return self._table(
            [line for line in self.lines if line.number or line.counts.ops],
            ["line", "runs", "operations", "bytes moved", "new bytes", "waits", ""],
            lambda line: [
                f"{line.number or ''}", f"{line.counts.runs:,}", f"{line.counts.ops:,}",
                f"{line.counts.reads + line.counts.writes:,}", f"{line.counts.fresh:,}", f"{line.counts.waits:,}",
                line.source,
            ],
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "name": self.name,
            "measured_s": self.measured_s,
            "floor_s": self.floor_s,
            "runs": self.runs,
            "device": self.device,
            "threads": self.threads,
            "machine": self.machine,
            "date": self.date,
            "versions": dict(self.versions),
            "notes": list(self.notes),
            "sentence": self.sentence(),
            "lines": [
                {
                    "file": line.file,
                    "number": line.number,
                    "source": line.source,
                    "seconds": line.seconds,
                    "floor_s": line.floor_s,
                    "reason": line.reason,
                    "lesson": line.lesson,
                    "counts": line.counts.to_dict(),
                }
                for line in self.lines
            ],
        }

    def __str__(self) -> str:
        """Everything in words, as ``print`` shows it."""
        table = self._table(
            self.lines,
            ["line", "seconds", "share", "floor", "reason", ""],
            lambda line: [
                f"{line.number or ''}", duration(line.seconds), share_in_words(line.seconds / (self.measured_s or 1)),
                duration(line.floor_s), line.reason, line.source,
            ],
        )  # fmt: skip
        return "\n".join(
            [f"{self.name}: {duration(self.measured_s)}", table, self.sentence(), *self.notes, self.signature()]
        )

    def __repr__(self) -> str:
        return self.steady_text()

    def _table(self, lines: Iterable[Line], heads: list[str], cells: Callable[[Line], list[str]]) -> str:
        rows = [heads, *map(cells, lines)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(heads) - 1)]
        return "\n".join(
            "  ".join([cell.rjust(width) for cell, width in zip(row, widths)] + [row[-1]]).rstrip() for row in rows
        )
