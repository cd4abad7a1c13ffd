"""``timeline``: a sketch of what happens in which order: lanes of bars, from left to right, without a scale."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING

from course_utils.ui.axes import new_figure
from course_utils.ui.page_output import show_figure
from course_utils.ui.theme import MUTED, SERIES, TEXT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW = 0.36
"""Height of a lane in inches."""
_NOTE = "A sketch of what happens in which order. It has no scale, and nothing in it was measured."


def timeline(alt: str, names: Mapping[str, str], panels: Mapping[str, Mapping[str, str]]) -> None:
    """Draw panels of lanes, one below the other, and show the picture.

    Args:
        alt: the picture in words, for readers who do not see it.
        names: letter → what it stands for, ``{"c": "copy", "k": "kernel"}``.
        panels: title → lane → its bars, one letter per moment: ``{"alone": {"GPU": "cckk cckk"}}``. A blank is idle
            time; ``|`` separates two bars of one letter and takes no time.

    >>> timeline("One copy.", {"c": "copy"}, {"alone": {"GPU": "cc"}})  # doctest: +SKIP
    """
    rows = 0.2 + sum(1.2 + len(lanes) for lanes in panels.values())
    height = _ROW * rows + 0.5
    figure, axes = new_figure(height=height, left=0.1, right=0.985, bottom=0.45 / height, top=1 - 0.05 / height)
    axes.grid(visible=False)
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([])
    axes.set_yticks([])
    y = 0.0
    colors = dict(zip(names, SERIES))
    for title, lanes in panels.items():
        y += 1.2
        axes.text(0, y - 0.62, title, va="bottom", fontsize=11, color=TEXT)
        for lane, bars in lanes.items():
            _draw_lane(axes, y, lane, bars, names, colors)
            y += 1
    longest = max(_moments(bars) for lanes in panels.values() for bars in lanes.values())
    axes.set_xlim(0, longest)
    axes.set_ylim(y - 0.4, -0.1)
    figure.text(0.015, 0.12 / height, _NOTE, fontsize=8.5, color=MUTED)
    show_figure(figure, alt)


def _draw_lane(axes: Axes, y: float, lane: str, bars: str, names: Mapping[str, str], colors: Mapping[str, str]) -> None:
    left_of_axes = axes.get_yaxis_transform()
    axes.text(-0.008, y, lane, ha="right", va="center", fontsize=10, color=MUTED, transform=left_of_axes)
    start = 0
    for letter, moments in groupby(bars):
        length = 0 if letter == "|" else len(list(moments))
        if letter in names:
            axes.barh(y, length - 0.06, left=start + 0.03, height=0.72, color=colors[letter], alpha=0.28)
            axes.text(start + length / 2, y, names[letter], ha="center", va="center", fontsize=9.5, color=TEXT)
        start += length


def _moments(bars: str) -> int:
    return len(bars) - bars.count("|")
