"""Shows a ``Replay`` as a timeline: events from left to right, addresses from bottom to top, one bar per tensor.

Gaps on the vertical axis separate the segments, so the axis shows each segment's size instead of addresses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from course_utils.core.wording import pluralize
from course_utils.counting.allocator_replay import MIB, Replay, Segment
from course_utils.ui.axes import new_figure
from course_utils.ui.page_output import show_figure
from course_utils.ui.theme import GRID, MUTED, SERIES, TEXT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NOTE = "Computed from the rules of PyTorch's CUDA allocator. Nothing in it was measured."
_GAP = 0.04
"""Space between two segments, as a share of all memory."""
_HEIGHT = 3.9
_MOST_LABELS = 12
"""The most segments whose sizes fit next to the axis."""


def show(replayed: Replay) -> None:
    """Show the picture and, as its text, the figures at the end of the trace."""
    figure, axes = new_figure(height=_HEIGHT, left=0.085, right=0.985, bottom=0.9 / _HEIGHT, top=1 - 0.75 / _HEIGHT)
    axes.grid(visible=False)
    bottoms = _draw_segments(axes, replayed)
    for number, life in enumerate(replayed.lives):
        axes.bar(
            life.since,
            life.size / MIB,
            width=life.until - life.since,
            bottom=bottoms[life.segment] + life.start / MIB,
            align="edge",
            color=SERIES[number % len(SERIES)],
            edgecolor=TEXT,
            linewidth=0.4,
            alpha=0.75,
        )
    axes.set_xlim(0, max(1, replayed.events))
    axes.set_xlabel("event of the trace", color=MUTED)
    if len(bottoms) <= _MOST_LABELS:
        middles = [bottom + segment.size / MIB / 2 for segment, bottom in bottoms.items()]
        axes.set_yticks(middles, [f"{segment.size / MIB:g} MB" for segment in bottoms])
    else:
        axes.set_yticks([])
    axes.text(0, 1.03, "segments", transform=axes.transAxes, color=MUTED)
    kind = "expandable segments" if replayed.expandable else "segments of fixed size"
    title = f"{pluralize(len(replayed.segments), 'segment')} · {replayed!r}"
    figure.text(0.015, 1 - 0.25 / _HEIGHT, kind, fontsize=11, color=TEXT)
    figure.text(0.985, 1 - 0.25 / _HEIGHT, title, fontsize=9.5, color=TEXT, ha="right")
    figure.text(0.015, 0.12 / _HEIGHT, _NOTE + " Gray is free.", fontsize=8.5, color=MUTED)
    show_figure(figure, f"Pool after {pluralize(replayed.events, 'event')}, {kind}: {title}.")


def _draw_segments(axes: Axes, replayed: Replay) -> dict[Segment, float]:
    """Draw each segment from the event that created it, and return segment → bottom in MB."""
    bottoms, bottom = {}, 0.0
    for segment in replayed.segments:
        bottoms[segment] = bottom
        before = 0
        for since, size in segment.sizes:
            axes.bar(
                since,
                (size - before) / MIB,
                width=replayed.events - since,
                bottom=bottom + before / MIB,
                align="edge",
                color=GRID,
                edgecolor=MUTED,
                linewidth=0.8,
            )
            before = size
        bottom += segment.size / MIB + _GAP * replayed.held / MIB
    return bottoms
