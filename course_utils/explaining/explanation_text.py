"""Shows an ``Explanation`` as text: in full, as ``print`` does, and by its counts, which never vary."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from course_utils.core.wording import format_duration

if TYPE_CHECKING:
    from course_utils.explaining.explanation import Explanation, Line

Row = list[str] | str
"""The cells of a row; a string is a heading."""


def floor_text(floor_s: float) -> str:
    """Return a floor as a duration; "" if the limits of the machine are not known."""
    return "" if math.isnan(floor_s) else format_duration(floor_s)


def full_text(explanation: Explanation) -> str:
    """Return the title, the table of lines with the work inside them, the modules, the headline and the notes."""

    def rows(line: Line) -> list[Row]:
        own = [
            f"{line.number or ''}", format_duration(line.seconds), explanation.share_of(line.seconds),
            floor_text(line.floor_s), line.reason, line.source,
        ]  # fmt: skip
        parts = [
            ["", format_duration(part.seconds), explanation.share_of(part.seconds), "", "", f"  {part.label}"]
            for part in line.parts
            if part.seconds  # Overhead shorter than the spread of the parts' times is unknown, so it is 0.
        ]
        return [own, *parts]

    shown, hidden = explanation.shown_lines()
    rest_s = sum(line.seconds for line in hidden)
    rest: list[Row] = [
        ["", format_duration(rest_s), explanation.share_of(rest_s), "", "", f"{len(hidden)} other lines"]
    ]
    first = explanation.first_call_s
    return "\n".join(
        [
            explanation.title,
            *([] if first is None else [f"first call: {format_duration(first)}, once, to compile"]),
            _table(
                explanation, shown, ["line", "seconds", "share", "floor", "reason", ""], rows, rest if hidden else []
            ),
            *([_module_tree(explanation)] if explanation.shown_modules() else []),
            explanation.headline(),
            *explanation.notes,
            explanation.signature(),
        ]
    )


def counts_text(explanation: Explanation) -> str:
    """Return the counts of each line as a table; no figure varies from run to run or from machine to machine.

    Time outside all lines has a row only if an operation ran there: whether such a row exists must not depend on the clock.
    """

    def rows(line: Line) -> list[Row]:
        counts = line.counts
        if not line.number and not counts.ops:
            return []
        source = line.source + "  (compiled; counted as written)" * line.is_compiled
        figures = (counts.runs, counts.ops, counts.reads + counts.writes, counts.bytes, counts.syncs)
        precision = "≥ " if counts.is_cut_short else "≈ " * counts.is_extrapolated
        runs, *others = (f"{figure:,}" for figure in figures)
        number_and_runs = [f"{line.number}", runs] if line.number else ["", ""]  # Only runs of lines are counted.
        return [[*number_and_runs, *(precision + figure for figure in others), source]]

    heads = ["line", "runs", "operations", "bytes moved", "bytes allocated", "syncs", ""]
    return _table(explanation, explanation.lines, heads, rows)


def _table(
    explanation: Explanation,
    lines: Sequence[Line],
    heads: list[str],
    rows: Callable[[Line], list[Row]],
    rest: Sequence[Row] = (),
) -> str:
    table: list[Row] = [heads]
    for heading, group in explanation.groups(lines):
        shown = [row for line in group for row in rows(line)]
        table += ([heading] if heading and shown else []) + shown
    return _align([*table, *rest])


def _module_tree(explanation: Explanation) -> str:
    rows: list[Row] = [["seconds", "share", "floor", "reason", "module"]]
    for module in explanation.shown_modules():
        figures = [
            format_duration(module.seconds),
            explanation.share_of(module.seconds, explanation.modules_call_s),
            floor_text(module.floor_s),
        ]
        rows.append([*figures, module.reason, f"{'  ' * module.depth}{module.name} ({module.kind})"])
    title = explanation.modules_title()
    return (f"{title}\n" if title else "") + _align(rows)


def _align(rows: Iterable[Row]) -> str:
    """Return the rows as text, with all columns but the last aligned to the right."""
    rows = list(rows)
    tables = [row for row in rows if not isinstance(row, str)]
    widths = [max(len(row[column]) for row in tables) for column in range(len(tables[0]) - 1)]
    text = []
    for row in rows:
        cells = row if isinstance(row, str) else "  ".join([*(c.rjust(w) for c, w in zip(row, widths)), row[-1]])
        text.append(cells.rstrip())
    return "\n".join(text)
