"""The time of a right answer next to the lesson's versions, the slow loop and the limit: a sentence and a small chart.

Each row has a contender's name on the left and its time on the right.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from course_utils.core.wording import format_duration, format_percent
from course_utils.judging import Verdict
from course_utils.judging.speed_position import SpeedPosition
from course_utils.limits import Bound
from course_utils.tasks.task import ANSWER, SLOW_LOOP
from course_utils.ui.axes import new_figure, set_duration_ticks
from course_utils.ui.theme import GRID, MUTED, SERIES, TEXT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW, _HEAD, _FOOT = 0.3, 0.36, 0.62
"""Heights in inches."""
_LEFT, _RIGHT = 0.22, 0.82
"""The smallest left and the largest right edge of the axes, as shares of the width."""
_LETTER, _BOLD_LETTER, _MARGINS = 0.0102, 0.0116, 0.036
"""Widths of a letter, of a bold one, and of the space around a name, as shares of the figure's width."""
_LONGEST_NAME = 26
_UNKNOWN_LIMIT = (
    "The share of the limit is not known yet: run `from course_utils import machine; machine()` in a new cell, which "
    "measures the limits of this machine once, in about ten seconds, and check again."
)


def sentence(speed_position: SpeedPosition) -> str:
    """Return the chart in words: "your answer: 1.30 ms, 41 % of the limit; where: 9.00 ms; slow loop: 120 ms"."""
    others = sorted(speed_position.others.items(), key=lambda other: other[1])
    return "; ".join([headline(speed_position), *(f"{name}: {format_duration(seconds)}" for name, seconds in others)])


def headline(speed_position: SpeedPosition) -> str:
    """Return the answer's part of the sentence: "your answer: 1.30 ms, 41 % of the limit"."""
    of = "" if speed_position.limit is None else " of the limit"
    return f"{ANSWER}: {_answer_phrase(speed_position)}{of}"


def limit_note(speed_position: SpeedPosition) -> str:
    """Return why the limit is unknown or uncertain, with the remedy; '' if it is neither."""
    if speed_position.limit is not None:
        return speed_position.limit.uncertainty_note
    return _UNKNOWN_LIMIT if speed_position.measurable else ""


def alternative_text(verdict: Verdict, speed_position: SpeedPosition) -> str:
    """Return the chart in words, for a screen reader."""
    parts = [sentence(speed_position)]
    if speed_position.limit is not None:
        parts.append(_limit_phrase(speed_position.limit))
    return f"Time of one call of {verdict.task} at size {verdict.race_size:,}. {'; '.join(parts)}. {verdict.signature}."


def draw(verdict: Verdict, speed_position: SpeedPosition, title: str = "") -> Figure:
    """Return the chart as a matplotlib figure; ``title`` is for a picture without the card around it."""
    rows = {ANSWER: speed_position.seconds, **speed_position.others}
    ranked = sorted(rows, key=rows.__getitem__)
    head = _HEAD + (0.28 if title else 0)
    height = head + _ROW * len(ranked) + _FOOT
    left = max(_LEFT, _MARGINS + _LETTER * max(len(_shorten(name)) for name in ranked))
    right = min(_RIGHT, 1 - _MARGINS - _BOLD_LETTER * len(_answer_phrase(speed_position)))
    figure, axes = new_figure(height=height, left=left, right=right, bottom=_FOOT / height, top=1 - head / height)
    axes.set(xscale="log", ylim=(len(ranked) - 0.5, -0.5), yticks=[])
    _fit_axis(axes, [*rows.values(), speed_position.low, speed_position.high], speed_position.limit)
    for row, name in enumerate(ranked):
        _draw_row(axes, row, name, rows[name], speed_position)
    figure.text(0.024, 1 - 0.14 / height, title, size=11, weight="bold", color=TEXT, va="top", parse_math=False)
    signature = f"time per call at size {verdict.race_size:,} · {verdict.signature}"
    figure.text(0.024, 0.12 / height, signature, fontsize=8.5, color=MUTED, parse_math=False)
    return figure


def _shorten(name: str) -> str:
    return textwrap.shorten(name, _LONGEST_NAME, placeholder="…") if " " in name else name[:_LONGEST_NAME]


def _fit_axis(axes: Axes, times: list[float], limit: Bound | None) -> None:
    """Fit the axis to all times, and draw the limit; the times to its left, which no answer can reach, are gray."""
    low, high = min([*times, limit.seconds] if limit else times), max(times)
    stretch = max(high / low, 10.0) ** 0.06
    low, high = low / stretch, max(high, 10 * low) * stretch
    axes.set_xlim(low, high)
    set_duration_ticks(axes.xaxis, low, high)
    if limit:
        axes.axvspan(low, limit.seconds, color=MUTED, alpha=0.13, linewidth=0, zorder=0)
        axes.axvline(limit.seconds, color=MUTED, linewidth=1.6, linestyle=(0, (5, 2)), zorder=1)
        above: dict[str, Any] = {"xytext": (0, 5), "textcoords": "offset points", "va": "bottom"}
        style: dict[str, Any] = {"size": 9.5, "color": MUTED, "ha": "left", "annotation_clip": False}
        axes.annotate(_limit_phrase(limit), (limit.seconds, -0.5), **above, **style)


def _draw_row(axes: Axes, row: int, name: str, seconds: float, speed_position: SpeedPosition) -> None:
    is_answer = name == ANSWER
    # The slow loop has the baseline's color; the three kinds of rows also differ in shape.
    series, marker = (1, "D") if is_answer else (0, "o") if name == SLOW_LOOP else (2, "s")
    axes.axhline(row, color=GRID, linewidth=0.8, zorder=0)
    if is_answer:
        spread = [speed_position.low, speed_position.high]
        axes.plot(spread, [row, row], color=SERIES[series], linewidth=6, alpha=0.3, zorder=2)
    size = 10 if is_answer else 7
    axes.plot([seconds], [row], marker=marker, markersize=size, color=SERIES[series], markeredgewidth=0, zorder=3)
    style: dict[str, Any] = {
        "transform": axes.get_yaxis_transform(),
        "size": 10.5,
        "va": "center",
        "weight": "bold" if is_answer else "normal",
        "color": TEXT if is_answer else MUTED,
        "parse_math": False,
    }
    axes.text(-0.02, row, _shorten(name), ha="right", **style)
    time = _answer_phrase(speed_position) if is_answer else format_duration(seconds)
    axes.text(1.02, row, time, ha="left", **style)


def _answer_phrase(speed_position: SpeedPosition) -> str:
    """Return the answer's time, and its share if the limit is known."""
    if speed_position.limit is None or speed_position.share is None:
        return format_duration(speed_position.seconds)
    share = f"{speed_position.limit.approx}{format_percent(speed_position.share)}"
    return f"{format_duration(speed_position.seconds)}, {share}"


def _limit_phrase(limit: Bound) -> str:
    return f"limit: {limit.approx}{format_duration(limit.seconds)}, {limit.binding}"
