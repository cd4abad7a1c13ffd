"""A race's result as HTML text: the table of all its figures, and the remarks on contenders that went wrong."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from course_utils.core.wording import format_bytes, format_duration
from course_utils.races import Point, RaceResult, describe_point
from course_utils.ui import race_chart
from course_utils.ui.theme import STYLE, css_variable, text_color

_ALARMING = ("wrong", "failed", "memory", "too large")


def table(result: RaceResult) -> str:
    """Return all points, one row per size and one column per contender, and the limits, behind a disclosure triangle."""
    heads = "".join(
        f'<th scope="col"><span aria-hidden="true" style="color:{_name_color(result, name)}">'
        f"{race_chart.symbol_of(result, name)}</span> {html.escape(name)}</th>"
        for name in result.contenders
    )
    rows = "".join(
        f'<tr><th scope="row">{size:,}</th>'
        + "".join(_point_cell(result, name, size) for name in result.contenders)
        + _bound_cell(result, size)
        + "</tr>"
        for size in result.sizes
    )
    limit = '<th scope="col">physical limit</th>' if result.bounds else ""
    return (
        f'{STYLE}{_STYLE}<details class="unloop unloop-table"><summary>All figures</summary><table>'
        f'<thead><tr><th scope="col">n</th>{heads}{limit}</tr></thead><tbody>{rows}</tbody></table>'
        f"{_list(_notes(result, lambda point: point.status not in _ALARMING), 'muted')}</details>"
    )


def keep_intervals_together(text: str) -> str:
    """Return HTML text in which no line breaks within an interval.

    >>> keep_intervals_together("221× (219–227)")
    '221× <span style="white-space:nowrap">(219–227)</span>'
    """
    return re.sub(r"\([\d.,]+–[\d.,]+\)", r'<span style="white-space:nowrap">\g<0></span>', text)


def remarks(result: RaceResult) -> str:
    """Return the notes on contenders that are wrong, failed or ran out of memory, one line each; '' if there are none."""
    return _list(_notes(result, lambda point: point.status in _ALARMING), "alarm")


def _name_color(result: RaceResult, name: str) -> str:
    return css_variable(text_color(race_chart.color_of(result, name)))


def _notes(result: RaceResult, is_wanted: Callable[[Point], bool]) -> list[str]:
    """Return the first note of each contender and status among the points that ``is_wanted`` selects; a shared note
    appears once.
    """
    notes: dict[tuple[str, str], str] = {}
    for point in result.points:
        if point.note and is_wanted(point):
            notes.setdefault((point.contender, point.status), point.note)
    return list(dict.fromkeys(notes.values()))


def _list(sentences: list[str], color: str) -> str:
    lines = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences)
    style = f"margin:4px 0;padding-left:1.4em;line-height:1.5;color:var(--unloop-{color})"
    return f'<ul style="{style}">{lines}</ul>' if lines else ""


def _point_cell(result: RaceResult, name: str, size: int) -> str:
    point = result.point(name, size)
    if point is None:
        return "<td>…</td>"
    details = ""
    if point.ratio is not None and name != result.baseline:
        details += f"<small>{keep_intervals_together(str(point.ratio))}</small>"
    if point.peak is not None:
        details += f"<small>{'≈ ' if point.peak_is_extrapolated else ''}{format_bytes(point.peak)}</small>"
    return f'<td title="{html.escape(point.note)}">{html.escape(describe_point(point))}{details}</td>'


def _bound_cell(result: RaceResult, size: int) -> str:
    if not result.bounds:
        return ""
    bound = result.bounds[size]
    return f"<td>{bound.approx}{format_duration(bound.seconds)}<small>{html.escape(bound.binding)}</small></td>"


# Notebook 6 displays a summary as a block, which has no triangle.
_STYLE = (
    "<style>.unloop-table summary{display:list-item;cursor:pointer;color:var(--unloop-muted);padding:2px 0}"
    ".unloop-table table{border-collapse:collapse;margin:6px 0;line-height:1.35;font-variant-numeric:tabular-nums}"
    ".unloop-table th,.unloop-table td{text-align:right;padding:4px 12px;border-bottom:1px solid var(--unloop-grid);"
    "background:transparent;color:var(--unloop-text)}"
    ".unloop-table small{display:block;color:var(--unloop-muted)}</style>"
)
