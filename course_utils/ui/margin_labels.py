"""Labels in the right margin of a chart, each as near to the end of its line as the others allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from course_utils.ui.theme import GRID, MUTED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINE_HEIGHT = 13.5
"""Points between the baselines of two labels."""


@dataclass(frozen=True)
class Label:
    """A text for the right margin.

    Attributes:
        text: one line.
        at: the value on the vertical axis that the text belongs to.
        color: of the text.
        detail: a smaller second line.
    """

    text: str
    at: float
    color: str
    detail: str = ""

    @property
    def height(self) -> float:
        """Return the label's height in points."""
        return _LINE_HEIGHT * (1.85 if self.detail else 1.0)


def write_labels(axes: Axes, labels: list[Label]) -> None:
    """Write the labels in the right margin; if a label had to move, a thin line leads to it from the end of its line."""
    box = axes.get_window_extent()
    points_per_pixel = 72 / axes.figure.dpi
    bottom, top, edge = (pixels * points_per_pixel for pixels in (box.y0, box.y1, box.x1))
    wanted = [axes.transData.transform((1, label.at))[1] * points_per_pixel for label in labels]
    order = sorted(range(len(labels)), key=lambda i: wanted[i])
    heights = _spread([wanted[i] for i in order], [labels[i].height for i in order], bottom, top)
    in_points: dict[str, Any] = {"xycoords": "figure points", "textcoords": "figure points"}
    style: dict[str, Any] = {"va": "center", "parse_math": False, **in_points}
    for i, height in zip(order, heights, strict=True):
        label = labels[i]
        if abs(height - wanted[i]) > 3:
            line = {"arrowstyle": "-", "color": GRID, "linewidth": 1, "shrinkA": 0, "shrinkB": 0}
            axes.annotate("", (edge + 12, height), (edge + 1, wanted[i]), arrowprops=line, **in_points)
        raised = 5 if label.detail else 0
        axes.annotate(label.text, (0, 0), (edge + 15, height + raised), size=10.5, color=label.color, **style)
        if label.detail:
            axes.annotate(label.detail, (0, 0), (edge + 15, height - 7), size=8.5, color=MUTED, **style)


def _spread(wanted: list[float], heights: list[float], bottom: float, top: float) -> list[float]:
    """Return ascending positions, moved apart until no two overlap: first upward, then back down from the top edge.

    >>> _spread([1.0, 2.0, 30.0], heights=[10.0, 10.0, 10.0], bottom=0.0, top=25.0)
    [1.0, 11.0, 25.0]
    """
    positions: list[float] = []
    for i, position in enumerate(wanted):
        floor = bottom if i == 0 else positions[-1] + (heights[i - 1] + heights[i]) / 2
        positions.append(max(position, floor))
    ceiling = top
    for i in reversed(range(len(positions))):
        if i < len(positions) - 1:
            ceiling = positions[i + 1] - (heights[i + 1] + heights[i]) / 2
        positions[i] = min(positions[i], ceiling)
    return positions
