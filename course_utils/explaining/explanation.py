"""``Explanation``: the cost of a call, line by line, and what to do about it. Plain values; nothing here measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from course_utils.core.plain_data import to_data
from course_utils.core.wording import count_times, format_duration, format_percent, pluralize
from course_utils.counting.line_work import LineWork

WORTH = 0.05  # A gain of less than this share of the call is not worth a sentence.


def share_in_words(share: float) -> str:
    """Return a line's share of a call: "61 %"; a share below 0.1 % is "0 %"."""
    return format_percent(share) if share >= 0.001 else "0\N{NO-BREAK SPACE}%"


@dataclass(frozen=True)
class Line:
    """One statement of the learner's code.

    Attributes:
        file, number: its file and line number; "" and 0 for what the call does outside the learner's lines.
        source: its first line of code.
        seconds: the time of all its runs, without the lines that it calls.
        counts: its operations, bytes and synchronizations.
        floor_s: the least time that any version of the line takes on this machine.
        reason: why it takes longer: ``launches``, ``syncs``, ``transfers``, ``allocation``, ``traffic``, ``compute`` or
            ``python``; ``limit`` if it hardly does.
        finding: the reason in words, to follow "It".
        advice: what to do about it.
        lesson: number and topic of the lesson that teaches the remedy, "" if there is nothing to do.
    """

    file: str
    number: int
    source: str
    seconds: float
    counts: LineWork
    floor_s: float
    reason: str
    finding: str
    advice: str
    lesson: str

    @property
    def where(self) -> str:
        """The line's name in a sentence."""
        return f"Line {self.number}" if self.number else "The call itself"


@dataclass(frozen=True, repr=False)
class Explanation:
    """The cost of one call.

    Attributes:
        name: the function's name.
        measured_s: seconds of the plain call.
        floor_s: the least time on this machine for its inputs, results and products, each moved once; NaN if the
            machine's limits are not known.
        lines: in the order of the code; their seconds add up to ``measured_s``.
        runs: the number of runs that this took.
        device, threads, machine, date, versions: where and when it was measured.
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
        """The line that takes the most time."""
        return max(self.lines, key=lambda line: line.seconds)

    def headline(self) -> str:
        """Return what the costliest line costs, why, and what helps; next to a line at its limit also where more can be gained."""
        line = self.costliest
        text = f"{line.where} takes {self._share(line)} of the call: it {line.finding}. {_remedy(line)}"
        other = self._most_to_gain() if line.reason == "limit" else None
        if other is not None:
            text += f" The next to look at: {other.where.lower()} takes {self._share(other)} and {other.finding}. {_remedy(other)}"
        return text

    def _share(self, line: Line) -> str:
        return share_in_words(line.seconds / (self.measured_s or 1))

    def _most_to_gain(self) -> Line | None:
        """The line whose distance from its floor is largest, None if that is next to nothing."""
        lines = [line for line in self.lines if line.number and line.reason != "limit"]
        best = max(lines, key=lambda line: line.seconds - line.floor_s, default=None)
        return best if best is not None and best.seconds - best.floor_s >= WORTH * self.measured_s else None

    def signature(self) -> str:
        """Return where and when it was measured, and how often the code ran."""
        libraries = [f"{name} {number}" for name, number in self.versions.items() if name not in ("python", "numpy")]
        place = [self.device] if self.device != "cpu" else []
        return " · ".join(
            [
                self.machine,
                *place,
                pluralize(self.threads, "thread"),
                *libraries,
                self.date[:10],
                f"ran {count_times(self.runs)}",
            ]
        )

    def counts_text(self) -> str:
        """Return the counts of each line as a table; no figure varies from run to run or from machine to machine.

        Time outside all lines has a row only if an operation ran there: whether such a row exists must not depend on the clock.
        """
        return self._table(
            [line for line in self.lines if line.number or line.counts.ops],
            ["line", "runs", "operations", "bytes moved", "bytes allocated", "syncs", ""],
            lambda line: [
                f"{line.number or ''}", f"{line.counts.runs:,}", f"{line.counts.ops:,}",
                f"{line.counts.reads + line.counts.writes:,}", f"{line.counts.bytes:,}", f"{line.counts.syncs:,}",
                line.source,
            ],
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON: all fields and the headline."""
        # JSON has no keys that are triples of byte counts.
        lines = tuple(replace(line, counts=replace(line.counts, traffic={})) for line in self.lines)
        return {**to_data(replace(self, lines=lines)), "headline": self.headline()}

    def __str__(self) -> str:
        """Return the whole explanation as text."""
        table = self._table(
            self.lines,
            ["line", "seconds", "share", "floor", "reason", ""],
            lambda line: [
                f"{line.number or ''}", format_duration(line.seconds), share_in_words(line.seconds / (self.measured_s or 1)),
                format_duration(line.floor_s), line.reason, line.source,
            ],
        )  # fmt: skip
        return "\n".join(
            [f"{self.name}: {format_duration(self.measured_s)}", table, self.headline(), *self.notes, self.signature()]
        )

    def __repr__(self) -> str:
        return self.counts_text()

    def _table(self, lines: Iterable[Line], heads: list[str], cells: Callable[[Line], list[str]]) -> str:
        rows = [heads, *map(cells, lines)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(heads) - 1)]
        return "\n".join(
            "  ".join([cell.rjust(width) for cell, width in zip(row, widths)] + [row[-1]]).rstrip() for row in rows
        )


def _remedy(line: Line) -> str:
    return line.advice + (f" See lesson {line.lesson}." if line.lesson else "")
