"""The picture of a race: time per call against size, with spread, the physical limit, the ratio found and the guess.

It draws a `RaceResult` and computes no statistic. Every line carries its name at its end; there is no legend to look up.
"""

import itertools
import math
import re
import textwrap
from dataclasses import dataclass

from course_utils.ground.wording import about, multiple
from course_utils.ui import figures
from course_utils.ui.figures import ALARM, GRID, LINES, MARKERS, MUTED, TEXT

_TROUBLE = {
    "wrong": "wrong result",
    "failed": "failed",
    "memory": "out of memory",
    "skipped": "not run",
}
_GAP = 13.5  # points between the baselines of two labels
_GUESS_WIDTH = 110  # points that the guess needs beside the arrow


@dataclass(frozen=True)
class _Label:
    """A text in the right margin: what it says, the seconds it belongs beside, its colour, and a smaller second line."""

    text: str
    at: float
    colour: str
    detail: str = ""
    weight: str = "normal"

    @property
    def height(self) -> float:
        return _GAP * (1.85 if self.detail else 1.0)


def draw(result, *, guess: float | None = None, recorded: bool = False, headline: str = ""):
    """Draw `result` and return the matplotlib figure.

    Args:
        result: a `RaceResult`; it may be of a race that is still running.
        guess: how many times faster the learner guessed the best contender to be.
        recorded: the result comes from another machine, and its signature says so.
        headline: a sentence to put above the chart, for pictures that stand alone.
    """
    lines = _wrap(headline)
    height = 4.4 + (0.14 + 0.24 * len(lines) if lines else 0)
    below_headline = 4.4 - 0.34
    figure, axes = figures.new_figure(
        height=height, left=0.088, right=_right_edge(result), bottom=0.74 / height, top=below_headline / height
    )
    axes.set(xscale="log", yscale="log")
    drawn = [name for name in result.contenders if _timed(result, name)]
    _scales(result, axes)
    labels = _limit(result, axes) + [_contender(result, axes, name) for name in drawn] + _ratio(result, axes, guess)
    _place(axes, labels)
    _write(figure, height - 0.16, "\n".join(lines), size=11.5, weight="bold", color=TEXT, va="top", linespacing=1.35)
    _write(figure, below_headline + 0.1, "time per call", size=9.5)
    _write(figure, 0.12, signature(result, recorded), size=8.5)
    outsiders = [name for name in result.contenders if name not in drawn]
    _write(figure, 0.12, _reasons(result, outsiders), x=_right_edge(result) + 0.024, size=10, color=ALARM)
    return figure


def _wrap(headline: str) -> list[str]:
    """Lines of about one length; no name and no size is torn in two."""
    whole = re.sub(r"'[^']*'|at n = [\d,]+", lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), headline)
    lines = textwrap.wrap(whole, 88)
    return next(even for width in range(20, 89) if len(even := textwrap.wrap(whole, width)) <= len(lines))


def _write(figure, inches: float, text: str, x: float = 0.024, **style) -> None:
    """Text at a height in inches and a share of the figure's width; a name may hold a $, which is no formula here."""
    style = {"color": MUTED, "va": "bottom", **style}
    figure.text(x, inches / figure.get_figheight(), text, parse_math=False, **style)


def _right_edge(result) -> float:
    """Where the axes end, as a share of the width, so that the longest name has room beside it."""
    longest = max(map(len, result.contenders))
    return 1 - min(max(0.1 + 0.0105 * longest, 0.245), 0.42)


def signature(result, recorded: bool = False) -> str:
    """Where, with what and when the result was measured."""
    return f"recorded on {result.signature()}" if recorded else result.signature()


def alternative_text(result, guess: float | None = None, recorded: bool = False) -> str:
    """What a screen reader says in place of the chart."""
    parts = [
        f"Chart of the race {result.race}: time per call against size for {', '.join(result.contenders)}.",
        result.finding(),
    ]
    if guess is not None:
        parts.append(f"Your guess was {about(guess)}.")
    return " ".join([*parts, f"{signature(result, recorded)}."])


def colour_of(result, name: str) -> str:
    """The colour of a contender; the baseline always has the first."""
    others = [contender for contender in result.contenders if contender != result.baseline]
    return LINES[0] if name == result.baseline else LINES[1 + others.index(name) % (len(LINES) - 1)]


def symbol_of(result, name: str) -> str:
    """The shape of a contender's markers as a character, for text beside the chart."""
    return "●■▲◆▼✚✖"[_marker(result, name)]


def _marker(result, name: str) -> int:
    return list(result.contenders).index(name) % len(MARKERS)


def _timed(result, name: str) -> list:
    timed = [
        point for point in result.points if point.contender == name and point.status in ("measured", "extrapolated")
    ]
    return sorted(timed, key=lambda point: point.size)


def _scales(result, axes) -> None:
    """Fit both axes to what there is."""
    times = [
        t for p in result.points if p.status in ("measured", "extrapolated") for t in (p.low, p.high, p.seconds) if t
    ]
    times += [bound.seconds for bound in result.bounds.values()]
    low, high = (min(times), max(times)) if times else (1e-6, 1e-3)
    stretch = max(high / low, 10.0) ** 0.05
    low, high = low / stretch, max(high, low * 10) * stretch
    first, last = result.sizes[0], result.sizes[-1]
    margin = max(last / first, 4.0) ** 0.05
    axes.set_xlim(first / margin, last * margin)
    axes.set_ylim(low, high)
    figures.log_seconds_axis(axes.yaxis, low, high)
    figures.log_sizes_axis(axes.xaxis, result.sizes)
    axes.set_xlabel(result.axis, color=MUTED, size=9.5, labelpad=4)


def _contender(result, axes, name: str) -> _Label:
    points = _timed(result, name)
    measured = [point for point in points if point.status == "measured"]
    guessed = [point for point in points if point.status == "extrapolated"]
    colour = colour_of(result, name)
    marker = MARKERS[_marker(result, name)]
    style = {"color": colour, "marker": marker, "markersize": 6.5, "clip_on": False, "zorder": 3}
    if measured:
        sizes = [point.size for point in measured]
        axes.fill_between(
            sizes, [p.low for p in measured], [p.high for p in measured], color=colour, alpha=0.2, linewidth=0, zorder=2
        )
        axes.vlines(sizes, [p.low for p in measured], [p.high for p in measured], color=colour, linewidth=1.2, zorder=2)
        axes.plot(sizes, [p.seconds for p in measured], linewidth=2.2, markeredgewidth=0, **style)
    if guessed:
        path = measured[-1:] + guessed
        axes.plot(
            [p.size for p in path],
            [p.seconds for p in path],
            color=colour,
            linewidth=1.4,
            linestyle=(0, (2, 2)),
            zorder=2,
        )
        axes.plot(
            [p.size for p in guessed], [p.seconds for p in guessed], linestyle="none", markerfacecolor=figures.PAPER,
            markeredgewidth=1.6, **style,
        )  # fmt: skip
    if points[-1].size < result.sizes[-1]:  # the name stands far from the line's end: a hairline leads to it
        to_the_name = ([points[-1].size, axes.get_xlim()[1]], [points[-1].seconds] * 2)
        axes.plot(*to_the_name, color=colour, alpha=0.5, linewidth=0.8, linestyle=(0, (1, 3)), zorder=1)
    trouble = [point for point in result.points if point.contender == name and point.status in _TROUBLE]
    detail = "hollow: extrapolated" if guessed else ""
    if trouble:
        detail = f"{_TROUBLE[trouble[0].status]} at n = {trouble[0].size:,}"
    return _Label(_shorten(name), points[-1].seconds, figures.lettering(colour), detail)


def _limit(result, axes) -> list[_Label]:
    if not result.bounds:
        return []
    sizes = sorted(result.bounds)
    times = [result.bounds[size].seconds for size in sizes]
    axes.fill_between(sizes, times, axes.get_ylim()[0], color=MUTED, alpha=0.13, linewidth=0, zorder=0)
    axes.plot(sizes, times, color=MUTED, linewidth=1.6, linestyle=(0, (5, 2)), zorder=2)
    return [_Label("physical limit", times[-1], MUTED, result.bounds[sizes[-1]].binding)]


def _ratio(result, axes, guess: float | None) -> list[_Label]:
    """The arrow from the baseline down to the best contender, and the learner's guess on the same scale."""
    winner = result.headline()
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
        bottom, top = axes.get_ylim()
        height = min(max(start / guess, bottom), top)
        star = {"marker": "*", "markersize": 14, "color": TEXT, "markeredgecolor": figures.PAPER, "markeredgewidth": 1}
        axes.plot([beside], [height], clip_on=False, zorder=6, **star)
        labels.append(_Label(f"your guess: {about(guess)}", height, TEXT))
    if winner.verdict in ("faster", "slower"):
        arrow = {"arrowstyle": "-|>", "color": TEXT, "linewidth": 1.1, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", (beside, winner.seconds), (beside, start), arrowprops=arrow, zorder=4)
        sides = (1,) if labels or winner.size == result.sizes[-1] else (1, -1)  # a guess stands on the left
        taken = [label.at for label in labels] if guess_side == 1 else []
        at, side = _clearest(result, axes, beside, start, winner.seconds, sides, taken)
        labels.append(_Label(multiple(winner.ratio.value), at, TEXT, weight="bold"))
    if winner.size == result.sizes[-1]:
        return labels
    card = {"facecolor": figures.PAPER, "edgecolor": "none", "alpha": 0.8, "pad": 1}
    for label in labels:
        right = (side if label.weight == "bold" else guess_side) == 1
        place = {"xytext": (9 if right else -9, 0), "textcoords": "offset points", "ha": "left" if right else "right"}
        style = {"size": 10.5, "weight": label.weight, "color": TEXT, "va": "center", "bbox": card, "zorder": 5}
        axes.annotate(label.text, (beside, label.at), **place, **style)
    return []


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
    """The seconds at which the lines pass over `size`, read off the log scales."""
    lines = [[(point.size, point.seconds) for point in _timed(result, name)] for name in result.contenders]
    lines.append([(at, bound.seconds) for at, bound in sorted(result.bounds.items())])
    return [
        before * (after / before) ** (math.log(size / left) / math.log(right / left))
        for line in lines
        for (left, before), (right, after) in itertools.pairwise(line)
        if left <= size <= right
    ]


def _reasons(result, names: list[str]) -> str:
    """Why the contenders that have no time at all have none, a line each."""
    lines = []
    for name in names:
        point = next((point for point in result.points if point.contender == name and point.status in _TROUBLE), None)
        if point is not None:
            lines.append(f"✗ {_shorten(name)}: {_TROUBLE[point.status]}")
    return "\n".join(lines)


def _shorten(name: str) -> str:
    return textwrap.shorten(name, 30, placeholder="…") if " " in name else name[:30]


def _place(axes, labels: list[_Label]) -> None:
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
            color=label.colour,
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
