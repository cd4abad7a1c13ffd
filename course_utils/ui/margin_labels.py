"""Labels in the right margin of a chart, each as near to its line's end as the others allow. It knows no race."""

from dataclasses import dataclass

from course_utils.ui.theme import GRID, MUTED

_GAP = 13.5  # points between the baselines of two labels


@dataclass(frozen=True)
class Label:
    """A text in the right margin: what it says, the seconds it belongs beside, its color, and a smaller second line."""

    text: str
    at: float
    color: str
    detail: str = ""
    weight: str = "normal"

    @property
    def height(self) -> float:
        """Points that it takes."""
        return _GAP * (1.85 if self.detail else 1.0)


def place(axes, labels: list[Label]) -> None:
    """Write the labels in the right margin, each as near to its line's end as the others allow."""
    box = axes.get_window_extent()
    points = 72 / axes.figure.dpi
    bottom, top = box.y0 * points, box.y1 * points
    wanted = [axes.transData.transform((1, label.at))[1] * points for label in labels]
    order = sorted(range(len(labels)), key=lambda i: wanted[i])
    placed = _spread([wanted[i] for i in order], [labels[i].height for i in order], bottom, top)
    edge = box.x1 * points
    for i, height in zip(order, placed, strict=True):
        label = labels[i]
        if abs(height - wanted[i]) > 3:
            axes.annotate(
                "", (edge + 12, height), (edge + 1, wanted[i]), xycoords="figure points", textcoords="figure points",
                arrowprops={"arrowstyle": "-", "color": GRID, "linewidth": 1, "shrinkA": 0, "shrinkB": 0},
            )  # fmt: skip
        raised = 5 if label.detail else 0
        place = {"textcoords": "figure points", "xycoords": "figure points", "va": "center", "parse_math": False}
        axes.annotate(
            label.text,
            (0, 0),
            (edge + 15, height + raised),
            size=10.5,
            color=label.color,
            weight=label.weight,
            **place,
        )
        if label.detail:
            axes.annotate(label.detail, (0, 0), (edge + 15, height - 7), size=8.5, color=MUTED, **place)


def _spread(wanted: list[float], heights: list[float], bottom: float, top: float) -> list[float]:
    """Move ascending positions apart until no two overlap: upward first, then back down from the top edge."""
    placed: list[float] = []
    for i, position in enumerate(wanted):
        floor = bottom if i == 0 else placed[-1] + (heights[i - 1] + heights[i]) / 2
        placed.append(max(position, floor))
    ceiling = top
    for i in reversed(range(len(placed))):
        if i < len(placed) - 1:
            ceiling = placed[i + 1] - (heights[i + 1] + heights[i]) / 2
        placed[i] = min(placed[i], ceiling)
    return placed
