"""What a race's chart says of its ratio: the arrow from the baseline to the contender in question, the figure, and the guess."""

import itertools
import math

from course_utils.core.wording import format_ratio, format_rough_ratio
from course_utils.ui.margin_labels import Label
from course_utils.ui.theme import PAPER, TEXT

_GUESS_WIDTH = 110  # points that the guess needs beside the arrow
_STAR_SIZE = 14  # points

_STAR = {"marker": "*", "markersize": _STAR_SIZE, "color": TEXT, "markeredgecolor": PAPER, "markeredgewidth": 1}
_CARD = {"facecolor": PAPER, "edgecolor": "none", "alpha": 0.8, "pad": 1}


def ratio_labels(result, axes, guess: float | None, guess_at: int | None = None) -> list[Label]:
    """The arrow from the baseline down to the best contender, and the learner's guess on the same scale.

    A guess about another size than the headline's stands there, by itself.
    """
    winner = result.headline()
    if guess is not None and guess_at is not None and (winner is None or guess_at != winner.size):
        _guess_elsewhere(result, axes, guess, guess_at)
        guess = None
    if winner is None:
        return []
    start = result.point(result.baseline, winner.size).seconds
    # Beside the points, not through them: half way into the margin that `_scales` leaves at the end.
    beside = winner.size * (axes.get_xlim()[1] / result.sizes[-1]) ** 0.6
    labels = []
    # The guess stands left of the arrow, and right of it where the left edge would cut it off.
    inside = axes.transData.transform((beside, start))[0] - axes.get_window_extent().x0
    guess_side = -1 if inside * 72 / axes.figure.dpi > _GUESS_WIDTH else 1
    if guess is not None:
        height = _on_the_chart(axes, start / guess)
        axes.plot([beside], [height], clip_on=False, zorder=6, **_STAR)
        labels.append(Label(f"your guess: {format_rough_ratio(guess)}", height, TEXT))
    if winner.verdict in ("faster", "slower"):
        arrow = {"arrowstyle": "-|>", "color": TEXT, "linewidth": 1.1, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", (beside, winner.seconds), (beside, start), arrowprops=arrow, zorder=4)
        in_margin = winner.size == result.sizes[-1]
        sides = (1,) if labels or in_margin else (1, -1)  # a guess stands on the left
        taken = [label.at for label in labels] if guess_side == 1 or in_margin else []
        at, side = _clearest(result, axes, beside, start, winner.seconds, sides, taken)
        labels.append(Label(format_ratio(winner.ratio.value), at, TEXT, weight="bold"))
    if winner.size == result.sizes[-1]:
        return labels
    for label in labels:
        right = (side if label.weight == "bold" else guess_side) == 1
        place = {"xytext": (9 if right else -9, 0), "textcoords": "offset points", "ha": "left" if right else "right"}
        style = {"size": 10.5, "weight": label.weight, "color": TEXT, "va": "center", "bbox": _CARD, "zorder": 5}
        axes.annotate(label.text, (beside, label.at), **place, **style)
    return []


def _guess_elsewhere(result, axes, guess: float, at: int) -> None:
    """The guess as a star at its own size, as far below the baseline there as it says."""
    baseline = result.point(result.baseline, at)
    if baseline is None or baseline.seconds is None:
        return
    height = _on_the_chart(axes, baseline.seconds / guess)
    axes.plot([at], [height], clip_on=False, zorder=6, **_STAR)
    right = at != result.sizes[-1]
    place = {"xytext": (11 if right else -11, 0), "textcoords": "offset points", "ha": "left" if right else "right"}
    style = {"size": 10.5, "color": TEXT, "va": "center", "bbox": _CARD, "zorder": 5}
    axes.annotate(f"your guess: {format_rough_ratio(guess)}", (at, height), **place, **style)


def _on_the_chart(axes, seconds: float) -> float:
    """The nearest to `seconds` at which a star stands as a whole on the chart, clear of the sizes below it."""
    bottom, top = axes.get_ylim()
    star = (top / bottom) ** (_STAR_SIZE / 2 / (axes.get_window_extent().height * 72 / axes.figure.dpi))
    return min(max(seconds, bottom * star), top / star)


def _clearest(result, axes, beside: float, start: float, end: float, sides, taken) -> tuple[float, int]:
    """Where beside the arrow the ratio has most room: seconds between `start` and `end`, and a side, 1 for the right.

    At the seconds that are `taken` stands another label.
    """
    low, high = axes.get_xlim()
    point = (high / low) ** (1 / (axes.get_window_extent().width * 72 / axes.figure.dpi))  # a step to the right
    room = {}
    for side in sides:
        if side == -1 and beside / point**60 < low:
            continue  # it would stand among the words of the axis
        lines = [at for step in (9, 27, 45) for at in _heights(result, beside * point ** (side * step))]
        lines += taken
        for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8):
            at = start * (end / start) ** share
            room[at, side] = min((abs(math.log(at / other)) for other in lines), default=math.inf)
    return max(room, key=lambda place: room[place] * (1 if place[1] == 1 else 0.7))  # the right, unless it is crowded


def _heights(result, size: float) -> list[float]:
    """The seconds at which the lines pass over `size`, read off the log scales; beyond the last size, where they end."""
    size = min(size, result.sizes[-1])
    lines = [[(point.size, point.seconds) for point in result.timed(name)] for name in result.contenders]
    lines.append([(at, bound.seconds) for at, bound in sorted(result.bounds.items())])
    return [
        before * (after / before) ** (math.log(size / left) / math.log(right / left))
        for line in lines
        for (left, before), (right, after) in itertools.pairwise(line)
        if left <= size <= right
    ]
