"""The lower half of a race's chart, if the race has a memory budget: peak bytes of one call, against size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from course_utils.core.wording import format_bytes
from course_utils.races import Point, RaceResult
from course_utils.ui.axes import set_byte_ticks
from course_utils.ui.margin_labels import Label, write_labels
from course_utils.ui.theme import ALARM, MUTED, PAPER, text_color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 2.5
"""Inches of the panel with its heading."""
_LONGEST_NAME = 30


def draw(result: RaceResult, axes: Axes, looks: Mapping[str, tuple[str, str]]) -> None:
    """Draw the peaks of ``result`` on ``axes``, whose horizontal axis already has the sizes.

    Args:
        result: the result of a race with a memory budget.
        axes: the lower axes.
        looks: contender → color and marker, as in the upper half.
    """
    points = {name: [each for each in result.points if each.contender == name and each.peak] for name in looks}
    budget = result.memory or 0
    peaks = [budget, *(each.peak or 0 for series in points.values() for each in series)]
    low, high = min(filter(None, peaks)) / 2, max(peaks) * 2
    axes.set(yscale="log", ylim=(low, high))
    set_byte_ticks(axes.yaxis, low, high)
    labels = []
    if budget:
        axes.axhspan(budget, high, color=ALARM, alpha=0.1, linewidth=0, zorder=0)
        axes.axhline(budget, color=ALARM, linewidth=1.4, linestyle=(0, (5, 2)), zorder=2)
        labels.append(Label("memory budget", budget, ALARM))
    labels += [_draw_peaks(axes, name, series, *looks[name]) for name, series in points.items() if series]
    write_labels(axes, labels)
    axes.grid(axis="y", color=MUTED, alpha=0.25, linewidth=0.8)


def _draw_peaks(axes: Axes, name: str, points: list[Point], color: str, marker: str) -> Label:
    """Draw a contender's peaks, extrapolated ones hollow, and return its label."""
    dots: dict[str, Any] = {"color": color, "marker": marker, "markersize": 6.5, "clip_on": False, "zorder": 3}
    counted = [point for point in points if not point.peak_is_extrapolated]
    extrapolated = [point for point in points if point.peak_is_extrapolated]
    axes.plot(*_line(counted), linewidth=2.2, markeredgewidth=0, **dots)
    if extrapolated:
        dashed = (0, (2, 2))
        axes.plot(*_line(counted[-1:] + extrapolated), color=color, linewidth=1.4, linestyle=dashed)
        axes.plot(*_line(extrapolated), linestyle="none", markerfacecolor=PAPER, markeredgewidth=1.6, **dots)
    label = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
    detail = format_bytes(points[-1].peak or 0) + (", extrapolated" if extrapolated else "")
    return Label(label, points[-1].peak or 0, text_color(color), detail)


def _line(points: list[Point]) -> tuple[list[int], list[int]]:
    return [point.size for point in points], [point.peak or 0 for point in points]
