"""``show_trace``: the events of a profile as bars on a time axis, one row for each level of nesting."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from course_utils.core.wording import format_duration, format_percent, pluralize
from course_utils.explaining.read_trace import TraceError, TraceEvent, self_times
from course_utils.ui.lesson_chart import chart, widen_left_margin
from course_utils.ui.theme import MUTED, SERIES, TEXT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW = 0.34  # Height of a row in inches.
_ABOVE, _BELOW = 0.85, 0.8  # Inches for the legend and for the time axis.
_NARROW = 1 / 1500  # Bars narrower than this share of the axis are merged.
_FONT_SIZE = 8.5  # Points.
_GAP = 1.5  # Points between a name and each edge of its bar.
_LEAST_ROOM = 2  # Points. No name fits into less, so most narrow bars of a long trace are not measured.


class _Bar(NamedTuple):
    """A bar: left edge and width in milliseconds, the name of the outermost event around it ("" if narrow), and its own
    name ("" if merged)."""

    left: float
    width: float
    outermost: str
    name: str


def show_trace(events: Sequence[TraceEvent], levels: int = 4) -> None:
    """Draw a timeline of the events, and show it.

    Each thread has a row for each level of nesting: below an event are the events inside it, in its color. The outermost events
    that take the most time have colors of their own. Neighbors that are too narrow to see are drawn as one bar.

    Args:
        events: what ``read_trace`` returned, or a part of it.
        levels: the number of rows per thread; events that are nested deeper are not drawn.

    Raises:
        TraceError: there is nothing to draw.

    >>> show_trace(read_trace("trace.json"))  # doctest: +SKIP
    """
    if isinstance(events, (str, bytes)) or not all(isinstance(event, TraceEvent) for event in events):
        raise TraceError("`show_trace` draws the events that `read_trace` returned: show_trace(read_trace(path)).")
    if not events:
        raise TraceError("`show_trace` got no events: nothing ran in this part of the trace.")
    if not isinstance(levels, int) or levels < 1:
        raise TraceError(f"`levels` must be a positive integer; got {levels!r}.")
    first_us, last_us = min(event.start_us for event in events), max(event.end_us for event in events)
    end_ms = 1e-3 * (last_us - first_us) or 1e-3
    rows, totals_ms = _rows(events, levels, first_us, _NARROW * end_ms)
    colors = dict(zip(filter(None, totals_ms), SERIES))
    height = _ABOVE + _BELOW + _ROW * len(rows)
    with chart(_in_words(rows, totals_ms, end_ms), height) as axes:
        box = axes.get_position()
        axes.set_position((box.x0, _BELOW / height, box.width, _ROW * len(rows) / height))
        for y, bars in enumerate(rows.values()):
            _draw_row(axes, y, _merge_narrow(bars, _NARROW * end_ms), colors, end_ms)
        _label(axes, list(rows), totals_ms, colors, end_ms)
        widen_left_margin(axes)  # The names of threads narrow the bars.
        for y, bars in enumerate(rows.values()):
            _write_names(axes, y, bars, end_ms)


def _rows(
    events: Sequence[TraceEvent], levels: int, first_us: float, narrow: float
) -> tuple[dict[tuple[str, int], list[_Bar]], dict[str, float]]:
    """Return thread and depth → the row's bars in order; and name → milliseconds of all outermost events, "" for narrow
    ones."""
    rows: dict[tuple[str, int], list[_Bar]] = {}
    totals_ms: defaultdict[str, float] = defaultdict(float)
    outermost = ""
    for event, depth, _ in self_times(events):
        name, width = event.name.removeprefix("aten::"), 1e-3 * event.duration_us
        if depth == 0:
            outermost = name if width >= narrow else ""
            totals_ms[outermost] += width
        if depth < levels:
            left = 1e-3 * (event.start_us - first_us)
            rows.setdefault((event.thread, depth), []).append(_Bar(left, width, outermost, name))
    return dict(sorted(rows.items())), dict(sorted(totals_ms.items(), key=lambda item: -item[1]))


def _merge_narrow(bars: Sequence[_Bar], narrow: float) -> list[_Bar]:
    """Return the bars in order. Narrow bars that nearly touch are merged, if one outermost event, or only narrow ones,
    are around them.
    """
    merged: list[_Bar] = []
    for bar in bars:
        last = merged[-1] if merged else None
        if (
            last is not None
            and bar.outermost == last.outermost
            and bar.width < narrow
            and (last.width < narrow or not last.name)
            and bar.left - (last.left + last.width) < narrow
        ):
            merged[-1] = _Bar(last.left, bar.left + bar.width - last.left, bar.outermost, "")
        else:
            merged.append(bar)
    return merged


def _draw_row(axes: Axes, y: int, bars: Sequence[_Bar], colors: Mapping[str, str], end_ms: float) -> None:
    for color in {colors.get(bar.outermost, MUTED) for bar in bars}:
        edges = [
            (bar.left, max(bar.width - 0.5 * _NARROW * end_ms, _NARROW * end_ms))
            for bar in bars
            if colors.get(bar.outermost, MUTED) == color
        ]
        axes.broken_barh(edges, (y - 0.42, 0.84), facecolor=color, alpha=0.4, linewidth=0)


def _write_names(axes: Axes, y: int, bars: Sequence[_Bar], end_ms: float) -> None:
    """Write the name of each bar that has room for it inside the bar."""
    points_per_ms = axes.get_window_extent().width * 72 / axes.figure.dpi / end_ms
    for bar in bars:
        if text := _fit(bar.name, bar.width * points_per_ms - 2 * _GAP):
            axes.text(bar.left + bar.width / 2, y, text, ha="center", va="center", fontsize=_FONT_SIZE, color=TEXT)


def _fit(name: str, room: float) -> str:
    """Return the name, or at least three of its characters and "…", if that is at most ``room`` points wide; else ""."""
    if room < _LEAST_ROOM:
        return ""
    shortened = (name[:length] + "…" for length in range(min(len(name) - 2, int(room)), 2, -1))
    return next((text for text in (name, *shortened) if _text_width(text) <= room), "")


@cache
def _text_width(text: str) -> float:
    """Return the width in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    return text_to_path.get_text_width_height_descent(text, FontProperties(size=_FONT_SIZE), ismath=False)[0]


def _label(
    axes: Axes,
    rows: Sequence[tuple[str, int]],
    totals_ms: Mapping[str, float],
    colors: Mapping[str, str],
    end_ms: float,
) -> None:
    from matplotlib.patches import Patch

    tops = [y for y, (_, depth) in enumerate(rows) if depth == 0]
    axes.set_yticks(tops, [rows[y][0] if len(tops) > 1 else "" for y in tops])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, end_ms)
    axes.grid(visible=False)
    axes.set_xlabel("milliseconds")
    others_ms = sum(ms for name, ms in totals_ms.items() if name not in colors)
    entries = [(_shorten(name), totals_ms[name], color) for name, color in colors.items()]
    entries += [("others", others_ms, MUTED)] if others_ms else []
    axes.legend(
        [Patch(facecolor=color, alpha=0.4) for *_, color in entries],
        [f"{name}: {format_duration(1e-3 * ms)}" for name, ms, _ in entries],
        loc="lower left",
        bbox_to_anchor=(0, 1 + 0.1 / (_ROW * len(rows))),
        ncols=3,
        fontsize=_FONT_SIZE,
        handlelength=1,
        borderaxespad=0,
    )


def _shorten(name: str) -> str:
    return name if len(name) <= 36 else name[:35] + "…"


def _in_words(rows: Mapping[tuple[str, int], Sequence[_Bar]], totals_ms: Mapping[str, float], end_ms: float) -> str:
    threads = len({thread for thread, _ in rows})
    costliest = ", ".join(
        f"{_shorten(name)} {format_duration(1e-3 * ms)} ({format_percent(ms / end_ms)})"
        for name, ms in list(totals_ms.items())[:4]
        if name
    )
    summary = f"Timeline of {format_duration(1e-3 * end_ms)} on {pluralize(threads, 'thread')}."
    if not costliest:
        return f"{summary} All outermost events are too short to have bars of their own."
    return f"{summary} The outermost events that take the most time: {costliest}."
