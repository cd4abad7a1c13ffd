"""The picture of a race: time per call against size, with spread, the physical limit, the ratio found and the guess.

It draws a `RaceResult` and computes no statistic. Every line carries its name at its end; there is no legend to look up.
"""

import re
import textwrap

from course_utils.core.wording import format_rough_ratio
from course_utils.races.finding import finding
from course_utils.ui import memory_panel
from course_utils.ui.axes import add_axes, new_figure, set_duration_ticks, set_size_ticks
from course_utils.ui.margin_labels import Label, place
from course_utils.ui.race_annotations import ratio_labels
from course_utils.ui.theme import ALARM, LINES, MARKERS, MUTED, PAPER, TEXT, text_color

_TROUBLE = {
    "wrong": "wrong result",
    "failed": "failed",
    "memory": "out of memory",
    "too large": "too large",
    "skipped": "not run",
}


def draw(
    result, *, guess: float | None = None, guess_at: int | None = None, recorded: bool = False, headline: str = ""
):
    """Draw `result` and return the matplotlib figure.

    Args:
        result: a `RaceResult`; it may be of a race that is still running.
        guess: how many times faster the learner guessed the best contender to be.
        guess_at: the size that the guess is about; unless given, the one that the headline is about.
        recorded: the result comes from another machine, and its signature says so.
        headline: a sentence to put above the chart, for pictures that stand alone.
    """
    lines = _wrap(headline)
    peaks = memory_panel.HEIGHT if any(point.peak for point in result.points) else 0.0
    height = 4.4 + peaks + (0.14 + 0.24 * len(lines) if lines else 0)
    below_headline = 4.4 + peaks - 0.34
    sides = {"left": 0.088, "right": _right_edge(result)}
    figure, axes = new_figure(height=height, bottom=(0.74 + peaks) / height, top=below_headline / height, **sides)
    axes.set(yscale="log")
    drawn = [name for name in result.contenders if result.timed(name)]
    _scales(result, axes)
    labels = _limit(result, axes) + [_contender(result, axes, name) for name in drawn]
    place(axes, labels + ratio_labels(result, axes, guess, guess_at))
    _write(figure, height - 0.16, "\n".join(lines), size=11.5, weight="bold", color=TEXT, va="top", linespacing=1.35)
    _write(figure, below_headline + 0.1, "time per call", size=9.5)
    if peaks:
        lower = add_axes(figure, bottom=0.74 / height, top=(0.1 + peaks) / height, **sides)
        _fit_sizes(result, lower)
        axes.set_xlabel("")
        memory_panel.draw(result, lower, {name: _look(result, name) for name in result.contenders})
        _write(figure, 0.17 + peaks, "memory alive at the peak of one call", size=9.5)
    _write(figure, 0.12, signature(result, recorded), size=8.5)
    outsiders = [name for name in result.contenders if name not in drawn]
    _write(figure, 0.12, _reasons(result, outsiders), x=_right_edge(result) + 0.024, size=10, color=ALARM)
    return figure


def _wrap(headline: str) -> list[str]:
    """Lines of about one length."""
    whole = with_hard_spaces(headline)
    lines = textwrap.wrap(whole, 88)
    return next(even for width in range(20, 89) if len(even := textwrap.wrap(whole, width)) <= len(lines))


def with_hard_spaces(sentence: str) -> str:
    """The sentence with hard spaces, so that no line ends within a name, a size or a number of bytes."""
    return re.sub(
        r"'[^']*'|at n = [\d,]+|\d [KMG]B", lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), sentence
    )


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
        finding(result),
    ]
    if guess is not None:
        parts.append(f"Your guess was {format_rough_ratio(guess)}.")
    return " ".join([*parts, f"{signature(result, recorded)}."])


def color_of(result, name: str) -> str:
    """The color of a contender; the baseline always has the first."""
    others = [contender for contender in result.contenders if contender != result.baseline]
    return LINES[0] if name == result.baseline else LINES[1 + others.index(name) % (len(LINES) - 1)]


def symbol_of(result, name: str) -> str:
    """The shape of a contender's markers as a character, for text beside the chart."""
    return "●■▲◆▼✚✖"[_marker(result, name)]


def _look(result, name: str) -> tuple[str, str]:
    return color_of(result, name), MARKERS[_marker(result, name)]


def _marker(result, name: str) -> int:
    return list(result.contenders).index(name) % len(MARKERS)


def _scales(result, axes) -> None:
    """Fit both axes to what there is."""
    times = [
        t for p in result.points if p.status in ("measured", "extrapolated") for t in (p.low, p.high, p.seconds) if t
    ]
    times += [bound.seconds for bound in result.bounds.values()]
    low, high = (min(times), max(times)) if times else (1e-6, 1e-3)
    stretch = max(high / low, 10.0) ** 0.05
    low, high = low / stretch, max(high, low * 10) * stretch
    axes.set_ylim(low, high)
    set_duration_ticks(axes.yaxis, low, high)
    _fit_sizes(result, axes)


def _fit_sizes(result, axes) -> None:
    first, last = result.sizes[0], result.sizes[-1]
    margin = max(last / first, 4.0) ** 0.05
    axes.set(xscale="log", xlim=(first / margin, last * margin))
    set_size_ticks(axes.xaxis, result.sizes)
    axes.set_xlabel(result.axis, color=MUTED, size=9.5, labelpad=4)


def _contender(result, axes, name: str) -> Label:
    points = result.timed(name)
    measured = [point for point in points if point.status == "measured"]
    guessed = [point for point in points if point.status == "extrapolated"]
    color, marker = _look(result, name)
    style = {"color": color, "marker": marker, "markersize": 6.5, "clip_on": False, "zorder": 3}
    if measured:
        sizes = [point.size for point in measured]
        axes.fill_between(
            sizes, [p.low for p in measured], [p.high for p in measured], color=color, alpha=0.2, linewidth=0, zorder=2
        )
        axes.vlines(sizes, [p.low for p in measured], [p.high for p in measured], color=color, linewidth=1.2, zorder=2)
        axes.plot(sizes, [p.seconds for p in measured], linewidth=2.2, markeredgewidth=0, **style)
    if guessed:
        path = measured[-1:] + guessed
        axes.plot(
            [p.size for p in path],
            [p.seconds for p in path],
            color=color,
            linewidth=1.4,
            linestyle=(0, (2, 2)),
            zorder=2,
        )
        axes.plot(
            [p.size for p in guessed], [p.seconds for p in guessed], linestyle="none", markerfacecolor=PAPER,
            markeredgewidth=1.6, **style,
        )  # fmt: skip
    if points[-1].size < result.sizes[-1]:  # the name stands far from the line's end: a hairline leads to it
        to_the_name = ([points[-1].size, axes.get_xlim()[1]], [points[-1].seconds] * 2)
        axes.plot(*to_the_name, color=color, alpha=0.5, linewidth=0.8, linestyle=(0, (1, 3)), zorder=1)
    trouble = [point for point in result.points if point.contender == name and point.status in _TROUBLE]
    detail = "hollow: extrapolated" if guessed else ""
    if trouble:
        detail = f"{_TROUBLE[trouble[0].status]} at n = {trouble[0].size:,}"
    return Label(_shorten(name), points[-1].seconds, text_color(color), detail)


def _limit(result, axes) -> list[Label]:
    if not result.bounds:
        return []
    sizes = sorted(result.bounds)
    times = [result.bounds[size].seconds for size in sizes]
    axes.fill_between(sizes, times, axes.get_ylim()[0], color=MUTED, alpha=0.13, linewidth=0, zorder=0)
    axes.plot(sizes, times, color=MUTED, linewidth=1.6, linestyle=(0, (5, 2)), zorder=2)
    last = result.bounds[sizes[-1]]
    return [Label("physical limit", times[-1], MUTED, f"{last.approx}{last.binding}")]


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
