"""The annotations of a race's chart: the arrow from the baseline to the headline's contender, its ratio, and the guess.

Their texts are written where they cover no line, no point and no other text.
"""

from __future__ import annotations

import math
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np

from course_utils.core.wording import format_ratio, format_rough_ratio
from course_utils.races import Point, RaceResult
from course_utils.races.ranking import is_tie
from course_utils.ui.theme import PAPER, TEXT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Place = tuple[float, float]
"""A place on the chart: size and seconds."""

_STAR_SIZE = 14
"""Points."""
_STAR: dict[str, Any] = {
    "marker": "*", "markersize": _STAR_SIZE, "color": TEXT, "markeredgecolor": PAPER, "markeredgewidth": 1, "zorder": 6,
    "clip_on": False, "linestyle": "none",
}  # fmt: skip
_GAP = 4.0
"""Points between a text and anything else."""
_FARTHEST = 60.0
"""Points between a text and its arrow or star; a text without a free place this near is left out."""


def annotate(result: RaceResult, axes: Axes, guess: float | None, guess_at: int | None = None) -> None:
    """Draw the arrow with its ratio, and the guess as a star on the same scale.

    Args:
        result: the race's result, already drawn.
        axes: its axes.
        guess: how many times as fast as the baseline.
        guess_at: the size that the guess is about; unless given, the headline's size.
    """
    best = result.headline()
    # The arrow is halfway into the margin after the last size, so that it crosses no points.
    beside = 0.0 if best is None else best.size * (axes.get_xlim()[1] / result.sizes[-1]) ** 0.6
    guess_size = best.size if guess_at is None and best is not None else guess_at
    star: Place | None = None
    if guess is not None and guess_size is not None and (start_s := _baseline_s(result, guess_size)):
        star = beside if best is not None and guess_size == best.size else guess_size, _within(axes, start_s / guess)
        axes.plot([star[0]], [star[1]], **_STAR)
    arrow: list[Place] = []
    if best is not None and best.seconds and _has_arrow(best) and (start_s := _baseline_s(result, best.size)):
        arrow = [(beside, start_s), (beside, best.seconds)]
        style = {"arrowstyle": "-|>", "color": TEXT, "linewidth": 1.1, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", arrow[1], arrow[0], arrowprops=style, zorder=4)
    if not arrow and star is None:
        return
    taken = _taken_pixels(axes, arrow)
    if best is not None and arrow:
        _write_nearby(axes, (beside, math.sqrt(arrow[0][1] * arrow[1][1])), _ratio_words(best), taken, weight="bold")
    if star is not None and guess is not None:
        _write_nearby(axes, star, f"your guess: {format_rough_ratio(guess)}", taken)


def _baseline_s(result: RaceResult, size: int) -> float | None:
    point = result.point(result.baseline, size)
    return None if point is None else point.seconds


def _has_arrow(best: Point) -> bool:
    return best.verdict in ("faster", "slower") and best.ratio is not None and not is_tie(best.ratio.value)


def _ratio_words(best: Point) -> str:
    ratio = math.nan if best.ratio is None else best.ratio.value
    return format_ratio(ratio) if best.verdict == "faster" else f"{format_ratio(1 / ratio)} as long"


def _within(axes: Axes, seconds: float) -> float:
    """Return the value nearest to ``seconds`` at which the whole star is inside the chart."""
    bottom, top = axes.get_ylim()
    star = (top / bottom) ** (_STAR_SIZE / 2 / (axes.get_window_extent().height * 72 / axes.figure.dpi))
    return min(max(seconds, bottom * star), top / star)


def _write_nearby(axes: Axes, place: Place, words: str, taken: np.ndarray, weight: str = "normal") -> None:
    """Write the words at the free place nearest to ``place``, if one is near enough, and mark it in ``taken``."""
    style: dict[str, Any] = {"size": 10.5, "color": TEXT, "va": "center", "ha": "center", "zorder": 5}
    text = axes.text(*place, words, weight=weight, **style)
    scale, frame, box = 72 / axes.figure.dpi, axes.get_window_extent(), text.get_window_extent()
    height, width = (math.ceil(pixels * scale + 2 * _GAP) for pixels in (box.height, box.width))
    # Cumulative sums (a summed-area table) give the covered pixels in each rectangle of this size, by its lower left corner.
    sums = np.pad(taken.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    covered = sums[height:, width:] - sums[:-height, width:] - sums[height:, :-width] + sums[:-height, :-width]
    bottom, left = np.nonzero(covered == 0)
    dx = left + width / 2 - ((box.x0 + box.x1) / 2 - frame.x0) * scale
    dy = bottom + height / 2 - ((box.y0 + box.y1) / 2 - frame.y0) * scale
    # The distance is from the rectangle's edge; ties go to the right side, then to the nearest height.
    distance = np.hypot(np.maximum(0, abs(dx) - width / 2), np.maximum(0, abs(dy) - height / 2))
    order = distance + 0.05 * abs(dy) + (dx < 0)
    if not order.size or distance[order.argmin()] > _FARTHEST:
        text.remove()
        return
    best = int(order.argmin())
    center = frame.x0 + (left[best] + width / 2) / scale, frame.y0 + (bottom[best] + height / 2) / scale
    text_x, text_y = axes.transData.inverted().transform(center)
    text.set_position((text_x, text_y))
    taken[bottom[best] : bottom[best] + height, left[best] : left[best] + width] = 1


def _taken_pixels(axes: Axes, arrow: list[Place]) -> np.ndarray:
    """Return 1 for each pixel of the axes under a line, a marker or the arrow, else 0; shape (height, width)."""
    scale, frame = 72 / axes.figure.dpi, axes.get_window_extent()
    taken = np.zeros((math.ceil(frame.height * scale), math.ceil(frame.width * scale)), dtype=int)

    def cover(x: float, y: float, half_width: float, half_height: float) -> None:
        low_x, low_y = max(0, math.floor(x - half_width)), max(0, math.floor(y - half_height))
        taken[low_y : max(0, math.ceil(y + half_height)), low_x : max(0, math.ceil(x + half_width))] = 1

    paths = [(np.array(arrow).reshape(-1, 2), 0.0)]
    for line in axes.lines:
        radius = line.get_markersize() / 2 if line.get_marker() != "None" else 0.0
        paths.append((np.asarray(line.get_xydata()), radius))
    for path, radius in paths:
        corners = (axes.transData.transform(path) - (frame.x0, frame.y0)) * scale
        for x, y in corners:
            cover(x, y, radius, radius)
        for start, end in pairwise(corners):
            columns, rows = np.linspace(start, end, max(2, math.ceil(math.dist(start, end)))).astype(int).T
            for dy, dx in product((-1, 0, 1), repeat=2):
                taken[(rows + dy).clip(0, taken.shape[0] - 1), (columns + dx).clip(0, taken.shape[1] - 1)] = 1
    return taken
