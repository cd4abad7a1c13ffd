"""Where a right answer stands, in a sentence and on a small chart: its time, the lesson's ways, the slow loop, the limit.

It shows a ``Placement`` and computes nothing; a row carries its name on the left and its time on the right.
"""

import textwrap

from course_utils.core.wording import format_duration, format_percent
from course_utils.judging import Verdict
from course_utils.judging.speed_position import SpeedPosition
from course_utils.limits import Bound
from course_utils.tasks.task import ANSWER, SLOW_LOOP
from course_utils.ui.axes import new_figure, set_duration_ticks
from course_utils.ui.theme import GRID, MUTED, SERIES, TEXT

_ROW, _HEAD, _FOOT = 0.3, 0.36, 0.62  # inches
_LEFT, _RIGHT = 0.22, 0.82  # of the width, where the axes begin and end
_LETTER, _BESIDE = 0.0102, 0.036  # of the width too: a letter, and the space on both sides of a name
_LONGEST = 26  # characters of a name
_NOT_KNOWN = (
    "What share of the limit this is cannot be told yet: run machine() in a cell of its own, which measures the limits of "
    "this machine once, in about ten seconds, and check again."
)


def sentence(speed_position: SpeedPosition) -> str:
    """What the chart shows: "your answer: 1.30 ms, 41 % of the limit; where: 9.00 ms; slow loop: 120 ms"."""
    others = sorted(speed_position.others.items(), key=lambda other: other[1])
    return "; ".join([headline(speed_position), *(f"{name}: {format_duration(seconds)}" for name, seconds in others)])


def headline(speed_position: SpeedPosition) -> str:
    """What it says about the answer alone: "your answer: 1.30 ms, 41 % of the limit"."""
    of = "" if speed_position.limit is None else " of the limit"
    return f"{ANSWER}: {_told(speed_position)}{of}"


def remark(speed_position: SpeedPosition) -> str:
    """What a reader must know besides; '' if nothing."""
    if speed_position.limit is not None:
        return speed_position.limit.uncertainty_note
    return _NOT_KNOWN if speed_position.measurable else ""


def alternative_text(verdict: Verdict, speed_position: SpeedPosition) -> str:
    """What a screen reader says in place of the chart."""
    told = (
        [sentence(speed_position)]
        if speed_position.limit is None
        else [sentence(speed_position), _limit_words(speed_position.limit)]
    )
    return f"Time of one call of {verdict.task} at size {verdict.race_size:,}. {'; '.join(told)}. {verdict.signature}."


def draw(verdict: Verdict, speed_position: SpeedPosition, title: str = ""):
    """Draw the speed_position and return the matplotlib figure; a ``title`` is for a picture that stands alone."""
    rows = {ANSWER: speed_position.seconds, **speed_position.others}
    ranked = sorted(rows, key=rows.__getitem__)
    head = _HEAD + (0.28 if title else 0)
    height = head + _ROW * len(ranked) + _FOOT
    figure, axes = new_figure(
        height=height, left=_left(ranked), right=_RIGHT, bottom=_FOOT / height, top=1 - head / height
    )
    axes.set(xscale="log", ylim=(len(ranked) - 0.5, -0.5), yticks=[])
    _scale(axes, [*rows.values(), speed_position.low, speed_position.high], speed_position)
    for row, name in enumerate(ranked):
        _draw_row(axes, row, name, rows[name], speed_position)
    figure.text(0.024, 1 - 0.14 / height, title, size=11, weight="bold", color=TEXT, va="top", parse_math=False)
    signature = f"time per call at size {verdict.race_size:,} · {verdict.signature}"
    figure.text(0.024, 0.12 / height, signature, fontsize=8.5, color=MUTED, parse_math=False)
    return figure


def _left(names: list[str]) -> float:
    """Where the axes begin, so that the longest name fits beside them."""
    return max(_LEFT, _BESIDE + _LETTER * max(len(_shown(name)) for name in names))


def _shown(name: str) -> str:
    return textwrap.shorten(name, _LONGEST, placeholder="…") if " " in name else name[:_LONGEST]


def _scale(axes, times: list[float], speed_position: SpeedPosition) -> None:
    """Fit the axis to all times, and draw the limit, left of which nothing can stand."""
    limit = speed_position.limit
    low, high = min([*times, limit.seconds] if limit else times), max(times)
    stretch = max(high / low, 10.0) ** 0.06
    low, high = low / stretch, max(high, 10 * low) * stretch
    axes.set_xlim(low, high)
    set_duration_ticks(axes.xaxis, low, high)
    if limit:
        axes.axvspan(low, limit.seconds, color=MUTED, alpha=0.13, linewidth=0, zorder=0)
        axes.axvline(limit.seconds, color=MUTED, linewidth=1.6, linestyle=(0, (5, 2)), zorder=1)
        place = {"xytext": (0, 5), "textcoords": "offset points", "va": "bottom", "annotation_clip": False}
        axes.annotate(_limit_words(limit), (limit.seconds, -0.5), size=9.5, color=MUTED, ha="left", **place)


def _draw_row(axes, row: int, name: str, seconds: float, speed_position: SpeedPosition) -> None:
    is_answer = name == ANSWER
    # The slow loop has the baseline's color; kinds of rows differ in shape too.
    series, marker = (1, "D") if is_answer else (0, "o") if name == SLOW_LOOP else (2, "s")
    axes.axhline(row, color=GRID, linewidth=0.8, zorder=0)
    if is_answer:
        axes.plot(
            [speed_position.low, speed_position.high],
            [row, row],
            color=SERIES[series],
            linewidth=6,
            alpha=0.3,
            zorder=2,
        )
    size = 10 if is_answer else 7
    axes.plot([seconds], [row], marker=marker, markersize=size, color=SERIES[series], markeredgewidth=0, zorder=3)
    weight = "bold" if is_answer else "normal"
    words = {"size": 10.5, "va": "center", "weight": weight, "color": TEXT if is_answer else MUTED, "parse_math": False}
    beside = {"transform": axes.get_yaxis_transform(), **words}
    axes.text(-0.02, row, _shown(name), ha="right", **beside)
    axes.text(1.02, row, _told(speed_position) if is_answer else format_duration(seconds), ha="left", **beside)


def _told(speed_position: SpeedPosition) -> str:
    """The answer's time, and its share where a limit is known."""
    if speed_position.limit is None or speed_position.share is None:
        return format_duration(speed_position.seconds)
    return f"{format_duration(speed_position.seconds)}, {speed_position.limit.approx}{format_percent(speed_position.share)}"


def _limit_words(limit: Bound) -> str:
    return f"limit: {limit.approx}{format_duration(limit.seconds)}, {limit.binding}"
