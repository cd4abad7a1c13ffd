"""The lower half of a race's chart, where the race looks at memory: bytes alive at the peak of one call, against size."""

from collections.abc import Mapping

from course_utils.core.wording import format_bytes
from course_utils.ui.axes import set_byte_ticks
from course_utils.ui.margin_labels import Label, place
from course_utils.ui.theme import ALARM, MUTED, PAPER, text_color

HEIGHT = 2.5
"""Inches that it takes, its heading included."""


def draw(result, axes, looks: Mapping[str, tuple[str, str]]) -> None:
    """Draw the peaks of ``result`` on ``axes``, which has the time's sizes already.

    Args:
        result: a race's result with a memory budget.
        axes: where.
        looks: contender → color and marker, as above.
    """
    peaks = {name: [point for point in result.points if point.contender == name and point.peak] for name in looks}
    held = [point.peak for points in peaks.values() for point in points]
    low, high = min([*held, result.memory]) / 2, max([*held, result.memory]) * 2
    axes.set(yscale="log", ylim=(low, high))
    set_byte_ticks(axes.yaxis, low, high)
    axes.axhspan(result.memory, high, color=ALARM, alpha=0.1, linewidth=0, zorder=0)
    axes.axhline(result.memory, color=ALARM, linewidth=1.4, linestyle=(0, (5, 2)), zorder=2)
    labels = [Label("memory budget", result.memory, ALARM)]
    for name, points in peaks.items():
        if points:
            color, marker = looks[name]
            style = {"color": color, "marker": marker, "markersize": 6.5, "clip_on": False, "zorder": 3}
            run = [point for point in points if point.status == "measured"]
            left_out = [point for point in points if point.status != "measured"]
            axes.plot([p.size for p in run], [p.peak for p in run], linewidth=2.2, markeredgewidth=0, **style)
            path = run[-1:] + left_out
            dashed = {"linewidth": 1.4, "linestyle": (0, (2, 2))}
            axes.plot([p.size for p in path], [p.peak for p in path], color=color, **dashed)
            hollow = {"linestyle": "none", "markerfacecolor": PAPER, "markeredgewidth": 1.6}
            axes.plot([p.size for p in left_out], [p.peak for p in left_out], **hollow, **style)
            label = name if len(name) <= 30 else f"{name[:29]}…"
            detail = f"{format_bytes(points[-1].peak)}, not run" if left_out else format_bytes(points[-1].peak)
            labels.append(Label(label, points[-1].peak, text_color(color), detail))
    place(axes, labels)
    axes.grid(axis="y", color=MUTED, alpha=0.25, linewidth=0.8)
