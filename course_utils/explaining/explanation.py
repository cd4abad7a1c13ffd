"""``Explanation``: the cost of a call, line by line, and what to do about it. Plain values; nothing here measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from course_utils.core.plain_data import to_data
from course_utils.core.wording import count_times, format_duration, format_percent, pluralize
from course_utils.counting.line_work import LineWork
from course_utils.explaining import explanation_text
from course_utils.explaining.compiled_line_parts import Part

WORTH = 0.05  # A gain of less than this share of the call is not worth a sentence.
MANY_LINES, LEAST_LINE = 40, 0.002  # If there are more lines, those below this share of the call have one row together.
LEAST_MODULE = 0.02  # A module that takes less than this share of the call has no row.
WIDE_SPREAD = 0.25  # If the quartiles are further apart than this share of the median, the machine was busy.


def share_in_words(share: float) -> str:
    """Return a line's share of a call: "61 %"; a share below 0.1 % is "0 %"."""
    return format_percent(share) if share >= 0.001 else "0\N{NO-BREAK SPACE}%"


@dataclass(frozen=True)
class Line:
    """One statement of the learner's code.

    Attributes:
        file, number: its file and line number; "" and 0 for what the call does outside the learner's lines.
        function: the function that contains it, such as ``"Block.forward"``; "" outside any function.
        source: its first line of code.
        seconds: the time of all its runs, without the lines that it calls.
        counts: its operations, bytes and synchronizations.
        floor_s: the least time that any version of the line takes on this machine; NaN if the machine's limits are not known.
        reason: why it takes longer than ``floor_s``: ``launches``, ``syncs``, ``transfers``, ``allocation``, ``traffic``, ``compute`` or
            ``python``; ``limit`` if it hardly does; ``unknown`` if the measurements do not decide.
        finding: the reason in words, to follow "It".
        advice: what to do about it.
        lesson: number and topic of the lesson that teaches the remedy, "" if there is none.
        parts: the work inside it, if it runs compiled code, or the modules that it runs; their seconds add up to its own.
    """

    file: str
    number: int
    function: str
    source: str
    seconds: float
    counts: LineWork
    floor_s: float
    reason: str
    finding: str
    advice: str
    lesson: str
    parts: tuple[Part, ...] = ()

    @property
    def is_compiled(self) -> bool:
        """Return whether it runs compiled code, so that its counts are of what is written, not of what ran."""
        return self.counts.compiled_calls > 0 or any(part.kind != "module" for part in self.parts)

    @property
    def remedy(self) -> str:
        """Return what to do, and the lesson that teaches it."""
        return self.advice + (f" See lesson {self.lesson}." if self.lesson else "")


@dataclass(frozen=True)
class Submodule:
    """One module of a model that the call runs.

    Attributes:
        name: its name in the model, such as ``"blocks.0.attn"``; the model itself has its class's name.
        kind: its class.
        depth: the number of modules that contain it.
        runs: how often it ran.
        seconds: the time of all its runs, with the modules inside it.
        floor_s: the least time of its work on this machine; NaN if the machine's limits are not known.
        reason, finding, advice: why it takes longer, and what helps, as for a ``Line``.
    """

    name: str
    kind: str
    depth: int
    runs: int
    seconds: float
    floor_s: float
    reason: str
    finding: str
    advice: str


@dataclass(frozen=True, repr=False)
class Explanation:
    """The cost of one call.

    Attributes:
        name: the function's name.
        measured_s: seconds of the plain call, the median.
        quartiles_s: the first and the third quartile of these seconds.
        floor_s: the least time on this machine for its inputs, results and products, each moved once, and at most
            ``measured_s``; NaN if the machine's limits are not known.
        first_call_s: seconds of the first call, if it compiled what later calls reuse; else None.
        lines: in the order of the code; their seconds add up to ``measured_s``.
        runs: how often the call ran for these measurements.
        device, threads, machine, date, versions: where and when it was measured.
        notes: sentences about how it was measured.
        modules: the modules that the call runs, each followed by those inside it.
        uncompiled_s: seconds of a call without the compiler, in which the modules were timed because compiled code runs them;
            else None.
    """

    name: str
    measured_s: float
    quartiles_s: tuple[float, float]
    floor_s: float
    lines: tuple[Line, ...]
    runs: int
    device: str
    threads: int
    machine: str
    date: str
    versions: dict[str, str]
    notes: tuple[str, ...] = ()
    first_call_s: float | None = None
    modules: tuple[Submodule, ...] = ()
    uncompiled_s: float | None = None

    @property
    def costliest(self) -> Line:
        """Return the line that takes the most time."""
        return max(self.lines, key=lambda line: line.seconds)

    @property
    def title(self) -> str:
        """Return the function's name and its time, with the quartiles if they are far apart."""
        low, high = self.quartiles_s
        if high - low <= WIDE_SPREAD * self.measured_s:
            return f"{self.name}: {format_duration(self.measured_s)}"
        spread = f"half of the calls took {format_duration(low)} to {format_duration(high)}"
        return f"{self.name}: ≈ {format_duration(self.measured_s)} ({spread})"

    def headline(self) -> str:
        """Return what the costliest line costs, why, and what helps; if it runs at its limit, also where more can be
        gained.
        """
        line = self.costliest
        text = f"{self._name(line)} takes {self.share_of(line.seconds)} of the call: it {line.finding}. {line.remedy}"
        other = self._most_to_gain() if line.reason == "limit" else None
        if other is not None:
            name = self._name(other)
            text += f" Next, {name[0].lower()}{name[1:]} takes {self.share_of(other.seconds)}: it {other.finding}. {other.remedy}"
        return text

    def groups(self, lines: Sequence[Line] | None = None) -> list[tuple[str, list[Line]]]:
        """Return ``lines``, or all lines, grouped by function, each group with its heading; the heading is "" if all lines
        belong to one function.
        """
        groups = [list(each) for _, each in groupby(lines or self.lines, key=lambda line: (line.file, line.function))]
        is_only_function = len({(line.file, line.function) for line in self.lines if line.number}) <= 1
        return [("" if is_only_function else self._heading(each[0]), each) for each in groups]

    def shown_lines(self) -> tuple[list[Line], list[Line]]:
        """Return the lines that have a row, and the lines that share one row, because a very long table is hard to read."""
        if len(self.lines) <= MANY_LINES:
            return list(self.lines), []
        least_s = LEAST_LINE * self.measured_s
        return (
            [line for line in self.lines if line.seconds >= least_s],
            [line for line in self.lines if line.seconds < least_s],
        )

    def signature(self) -> str:
        """Return where and when it was measured, and how often the code ran."""
        libraries = [f"{name} {number}" for name, number in self.versions.items() if name not in ("python", "numpy")]
        place = [self.device] if self.device != "cpu" else []
        threads, runs = pluralize(self.threads, "thread"), f"ran {count_times(self.runs)}"
        return " · ".join([self.machine, *place, threads, *libraries, self.date[:10], runs])

    def to_dict(self) -> dict[str, Any]:
        """Return all fields and the headline as plain data for JSON."""
        # JSON has no keys that are tuples.
        works = (replace(line.counts, traffic={}, compiled_operations={}) for line in self.lines)
        lines = tuple(replace(line, counts=work) for line, work in zip(self.lines, works))
        return {**to_data(replace(self, lines=lines)), "headline": self.headline()}

    def shown_modules(self) -> list[Submodule]:
        """Return the modules that have a row; [] if none of them is inside another one."""
        shown = [module for module in self.modules if module.seconds >= LEAST_MODULE * self.modules_call_s]
        return shown if any(module.depth for module in shown) else []

    @property
    def modules_call_s(self) -> float:
        """Return the seconds of the call that the modules' times are shares of."""
        return self.uncompiled_s or self.measured_s

    def modules_title(self) -> str:
        """Return a title for the modules' times if they come from a call without the compiler; else ""."""
        if self.uncompiled_s is None:
            return ""
        text = f"The modules in a call without the compiler, which took {format_duration(self.uncompiled_s)}"
        is_compiled = any(line.is_compiled for line in self.lines)
        return text + "; compiled code does not run them one by one" * is_compiled + ":"

    def share_of(self, seconds: float, whole_s: float | None = None) -> str:
        """Return a time's share of the call, or of ``whole_s``, as ``share_in_words`` writes it."""
        return share_in_words(seconds / (whole_s or self.measured_s or 1))

    def __str__(self) -> str:
        return explanation_text.full_text(self)

    def __repr__(self) -> str:
        return explanation_text.counts_text(self)

    def _name(self, line: Line) -> str:
        """Return the line's name at the start of a sentence."""
        if not line.number:
            return "The compiled call" if line.is_compiled else "The call itself"
        is_only_function = len({(each.file, each.function) for each in self.lines if each.number}) <= 1
        return f"Line {line.number}" + ("" if is_only_function or not line.function else f" of `{self._heading(line)}`")

    def _heading(self, line: Line) -> str:
        """Return the name of the line's function; with its file or cell if two have a function of that name."""
        if not line.function:
            return "outside all functions" if line.number else "outside all lines"
        files = list(dict.fromkeys(each.file for each in self.lines if each.function == line.function))
        if len(files) < 2:
            return line.function
        place = (
            Path(line.file).name if Path(line.file).is_file() else f"cell {files.index(line.file) + 1} of {len(files)}"
        )
        return f"{line.function} ({place})"

    def _most_to_gain(self) -> Line | None:
        """Return the line with the largest distance from its floor; None if that distance is not ``WORTH`` a sentence."""
        lines = [line for line in self.lines if line.number and line.reason != "limit"]
        best = max(lines, key=lambda line: line.seconds - line.floor_s, default=None)
        return best if best is not None and best.seconds - best.floor_s >= WORTH * self.measured_s else None
