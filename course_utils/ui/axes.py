"""Figures and axes in the course's style, and the ticks of logarithmic axes in plain words."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from course_utils.core.wording import format_bytes, format_tick_duration
from course_utils.ui.theme import GRID, MUTED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure


def new_figure(
    width: float = 8.8,
    height: float = 4.4,
    left: float = 0.085,
    right: float = 0.78,
    bottom: float = 0.15,
    top: float = 0.955,
) -> tuple[Figure, Axes]:
    """Return a figure of ``width`` by ``height`` inches and its one axes.

    The margins are shares of the figure; the room on the right is for labels at the ends of lines.
    """
    # On a new machine matplotlib warns on the page that it reads the fonts, which needs no action.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor="none")
    return figure, add_axes(figure, left, right, bottom, top)


def add_axes(figure: Figure, left: float, right: float, bottom: float, top: float) -> Axes:
    """Return one more axes on ``figure``; the margins are shares of the figure."""
    axes = figure.add_axes((left, bottom, right - left, top - bottom), facecolor="none")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set(color=GRID, linewidth=1)
    axes.tick_params(which="both", length=0, colors=MUTED, labelsize=10, pad=6)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    return axes


def set_duration_ticks(axis: Axis, low: float, high: float) -> None:
    """Put at most seven ticks between ``low`` and ``high`` seconds, written as durations.

    Fixed ticks also make a frame cheap: matplotlib's own logarithmic ticks cost ten times as much as the rest of the
    drawing.
    """
    powers = [10.0**e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
    ticks = [power for power in powers if low <= power <= high]
    if len(ticks) < 3:
        ticks = [digit * power for power in powers for digit in (1, 2, 5) if low <= digit * power <= high]
    ticks = ticks[:: math.ceil(len(ticks) / 7)]
    axis.set_ticks([], minor=True)
    axis.set_ticks(ticks, [format_tick_duration(tick) for tick in ticks])


def set_byte_ticks(axis: Axis, low: float, high: float) -> None:
    """Put at most five ticks between ``low`` and ``high`` bytes, each a power of two, written with their units."""
    powers = range(math.ceil(math.log2(low)), math.floor(math.log2(high)) + 1)
    ticks = [2**power for power in powers if power % math.ceil(len(powers) / 5) == 0]
    axis.set_ticks([], minor=True)
    axis.set_ticks(ticks, [format_bytes(tick) for tick in ticks])


def set_size_ticks(axis: Axis, sizes: Sequence[int]) -> None:
    """Use the ascending ``sizes`` themselves as ticks, thinned until their labels fit."""
    axis.set_ticks([], minor=True)
    width = axis.axes.get_window_extent().width * 72 / axis.axes.figure.dpi
    span = math.log(sizes[-1] / sizes[0]) or 1.0
    ticks: list[int] = []
    for size in reversed(sizes):
        room = width * math.log(ticks[-1] / size) / span if ticks else math.inf
        if room > 7 * len(f"{size:,}") + 12:
            ticks.append(size)
    axis.set_ticks(ticks, [f"{size:,}" for size in ticks])
