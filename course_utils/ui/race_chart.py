"""The chart of a race: time per call against size, with quartiles, the physical limit, the ratio and the guess.

It draws a ``RaceResult`` and computes no statistic. Every line has its name at its end, so the chart needs no legend.
"""

from __future__ import annotations

import functools
import math
import re
import textwrap
from typing import TYPE_CHECKING, Any

from course_utils.core.wording import format_rough_ratio
from course_utils.races import Point, RaceResult
from course_utils.races.finding import finding
from course_utils.ui import race_memory_chart
from course_utils.ui.axes import add_axes, new_figure, set_duration_ticks, set_size_ticks
from course_utils.ui.margin_labels import Label, write_labels
from course_utils.ui.race_annotations import annotate
from course_utils.ui.theme import ALARM, LINES, MARKERS, MUTED, PAPER, TEXT, text_color

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TROUBLE = {
    "wrong": "wrong result",
    "failed": "failed",
    "memory": "out of memory",
    "too large": "over budget",
    "skipped": "not run",
}


def draw(
    result: RaceResult,
    *,
    guess: float | None = None,
    guess_at: int | None = None,
    recorded: bool = False,
    headline: str = "",
) -> Figure:
    """Return the chart as a matplotlib figure.

    Args:
        result: a result, also of a race that is still running.
        guess: how many times as fast the learner expects the best contender to be.
        guess_at: the size that the guess is about; unless given, the headline's size.
        recorded: whether the result comes from another machine; the signature then says so.
        headline: a sentence above the chart, for pictures on their own.
    """
    lines = _wrap(headline)
    panel = race_memory_chart.HEIGHT if any(point.peak for point in result.points) else 0.0
    height = 4.4 + panel + (0.14 + 0.24 * len(lines) if lines else 0)
    below_headline = 4.4 + panel - 0.34
    sides = {"left": 0.088, "right": _right_edge(result)}
    figure, axes = new_figure(height=height, bottom=(0.74 + panel) / height, top=below_headline / height, **sides)
    axes.set(yscale="log")
    drawn = [name for name in result.contenders if result.timed(name)]
    _fit_axes(result, axes)
    write_labels(axes, _draw_limit(result, axes) + [_draw_contender(result, axes, name) for name in drawn])
    annotate(result, axes, guess, guess_at)
    _write(figure, height - 0.16, "\n".join(lines), size=11.5, weight="bold", color=TEXT, va="top", linespacing=1.35)
    _write(figure, below_headline + 0.1, "time per call", size=9.5)
    if panel:
        lower = add_axes(figure, bottom=0.74 / height, top=(0.1 + panel) / height, **sides)
        _fit_size_axis(result, lower)
        axes.set_xlabel("")
        axes.tick_params(labelbottom=False)  # the lower axis shows the same sizes
        race_memory_chart.draw(result, lower, {name: _look(result, name) for name in result.contenders})
        _write(figure, 0.2 + panel, "peak memory of one call", size=9.5)
    _write(figure, 0.12, signature(result, recorded), size=8.5)
    timeless = [name for name in result.contenders if name not in drawn]
    _write(figure, 0.12, _troubles(result, timeless), x=_right_edge(result) + 0.024, size=10, color=ALARM)
    return figure


def signature(result: RaceResult, recorded: bool = False) -> str:
    """Return where, with what and when the result was measured."""
    return f"recorded on {result.signature()}" if recorded else result.signature()


def alternative_text(result: RaceResult, guess: float | None = None, recorded: bool = False) -> str:
    """Return the chart in words, for a screen reader."""
    parts = [
        f"Chart of the race {result.race}: time per call against size for {', '.join(map(repr, result.contenders))}.",
        finding(result),
    ]
    if guess is not None:
        parts.append(f"Your guess was {format_rough_ratio(guess)}.")
    return " ".join([*parts, f"{signature(result, recorded)}."])


def color_of(result: RaceResult, name: str) -> str:
    """Return the color of a contender; the baseline always has the first."""
    others = [contender for contender in result.contenders if contender != result.baseline]
    return LINES[0] if name == result.baseline else LINES[1 + others.index(name) % (len(LINES) - 1)]


def symbol_of(result: RaceResult, name: str) -> str:
    """Return the shape of a contender's markers as a character, for text next to the chart."""
    return "●■▲◆▼✚✖"[_marker_number(result, name)]


def keep_phrases_together(sentence: str) -> str:
    """Return the sentence with no-break spaces, so that no line ends within a name, a size, a number of bytes, a time or
    a percentage."""
    phrases = r"'[^']*'|at n = [\d,]+|\d (?:[KMG]B|[nµm]?s\b|%)"
    return re.sub(phrases, lambda phrase: phrase[0].replace(" ", "\N{NO-BREAK SPACE}"), sentence)


def _wrap(headline: str) -> list[str]:
    """Return the headline in as few lines as possible, of about equal length."""
    text = keep_phrases_together(headline)
    wrap = functools.partial(textwrap.wrap, text, break_on_hyphens=False)
    lines = wrap(88)
    return next(even for width in range(20, 89) if len(even := wrap(width)) <= len(lines))


def _write(figure: Figure, inches: float, text: str, x: float = 0.024, **style: Any) -> None:
    """Write text at a height in inches and a share of the figure's width."""
    style = {"color": MUTED, "va": "bottom", **style}
    figure.text(x, inches / figure.get_figheight(), text, parse_math=False, **style)  # a name may contain a $


def _right_edge(result: RaceResult) -> float:
    """Return where the axes end, as a share of the width, so that the longest name fits next to them."""
    longest = max(map(len, result.contenders))
    return 1 - min(max(0.1 + 0.0105 * longest, 0.245), 0.42)


def _look(result: RaceResult, name: str) -> tuple[str, str]:
    """Return a contender's color and marker."""
    return color_of(result, name), MARKERS[_marker_number(result, name)]


def _marker_number(result: RaceResult, name: str) -> int:
    return list(result.contenders).index(name) % len(MARKERS)


def _fit_axes(result: RaceResult, axes: Axes) -> None:
    """Fit both axes to the times and sizes."""
    timed = [point for point in result.points if point.status in ("measured", "extrapolated")]
    times = [time for point in timed for time in (point.low, point.high, point.seconds) if time]
    times += [bound.seconds for bound in result.bounds.values()]
    low, high = (min(times), max(times)) if times else (1e-6, 1e-3)
    stretch = max(high / low, 10.0) ** 0.05
    low, high = low / stretch, max(high, low * 10) * stretch
    axes.set_ylim(low, high)
    set_duration_ticks(axes.yaxis, low, high)
    _fit_size_axis(result, axes)


def _fit_size_axis(result: RaceResult, axes: Axes) -> None:
    first, last = result.sizes[0], result.sizes[-1]
    margin = max(last / first, 4.0) ** 0.05
    axes.set(xscale="log", xlim=(first / margin, last * margin))
    set_size_ticks(axes.xaxis, result.sizes)
    axes.set_xlabel(result.axis, color=MUTED, size=9.5, labelpad=4)


def _draw_contender(result: RaceResult, axes: Axes, name: str) -> Label:
    points = result.timed(name)
    measured = [point for point in points if point.status == "measured"]
    extrapolated = [point for point in points if point.status == "extrapolated"]
    color, marker = _look(result, name)
    dots: dict[str, Any] = {"color": color, "marker": marker, "markersize": 6.5, "clip_on": False, "zorder": 3}
    if measured:
        sizes = [point.size for point in measured]
        lows, highs = zip(*((point.low, point.high) for point in measured))
        axes.fill_between(sizes, lows, highs, color=color, alpha=0.2, linewidth=0, zorder=2)
        axes.vlines(sizes, lows, highs, color=color, linewidth=1.2, zorder=2)
        axes.plot(*_line(measured), linewidth=2.2, markeredgewidth=0, **dots)
    if extrapolated:
        dashed = (0, (2, 2))
        axes.plot(*_line(measured[-1:] + extrapolated), color=color, linewidth=1.4, linestyle=dashed, zorder=2)
        axes.plot(*_line(extrapolated), linestyle="none", markerfacecolor=PAPER, markeredgewidth=1.6, **dots)
    if points[-1].size < result.sizes[-1]:
        # A hairline connects the end of the line with its name.
        end = _line(points)[1][-1]
        axes.plot(
            [points[-1].size, axes.get_xlim()[1]],
            [end, end],
            color=color,
            alpha=0.5,
            linewidth=0.8,
            linestyle=(0, (1, 3)),
            zorder=1,
        )
    trouble = [point for point in result.points if point.contender == name and point.status in _TROUBLE]
    detail = "hollow: extrapolated" if extrapolated else ""
    if trouble:
        # The hairline leads from the last point to the label, so the label names a size after this point.
        named = [each for each in trouble if each.status != "skipped" or each.size > points[-1].size] or trouble
        detail = f"{_TROUBLE[named[0].status]} at n = {named[0].size:,}"
    return Label(_shorten(name), _line(points)[1][-1], text_color(color), detail)


def _line(points: list[Point]) -> tuple[list[int], list[float]]:
    return [point.size for point in points], [point.seconds or math.nan for point in points]


def _draw_limit(result: RaceResult, axes: Axes) -> list[Label]:
    if not result.bounds:
        return []
    sizes = sorted(result.bounds)
    times = [result.bounds[size].seconds for size in sizes]
    axes.fill_between(sizes, times, axes.get_ylim()[0], color=MUTED, alpha=0.13, linewidth=0, zorder=0)
    axes.plot(sizes, times, color=MUTED, linewidth=1.6, linestyle=(0, (5, 2)), zorder=2)
    last = result.bounds[sizes[-1]]
    return [Label("physical limit", times[-1], MUTED, f"{last.approx}{last.binding}")]


def _troubles(result: RaceResult, names: list[str]) -> str:
    """Return why contenders without any time have none, one line each."""
    lines = []
    for name in names:
        point = next((point for point in result.points if point.contender == name and point.status in _TROUBLE), None)
        if point is not None:
            lines.append(f"✗ {_shorten(name)}: {_TROUBLE[point.status]}")
    return "\n".join(lines)


def _shorten(name: str) -> str:
    return textwrap.shorten(name, 30, placeholder="…") if " " in name else name[:30]
