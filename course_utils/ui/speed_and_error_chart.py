"""Draws the result of ``speed_and_error``: contenders to the left are faster, lower ones are more exact."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from course_utils.core.line_breaks import break_lines
from course_utils.core.wording import enumerate_words, pluralize
from course_utils.frameworks import across_frameworks
from course_utils.races.speed_and_error import SpeedAndError
from course_utils.ui.lesson_chart import chart
from course_utils.ui.theme import MARKERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Dot = tuple[float, float]
"""Milliseconds and error."""
Box = tuple[float, float, float, float]
"""Center, half the width and half the height, in points."""

_LEAST_ERROR = float(np.finfo(np.float64).eps)
"""A truth in float64 shows no smaller error."""
_SIDES = ((0, 1), (0, -1), (1, 0), (-1, 0))
"""Sides of a dot on which its name may be written."""
_HALF_DOT, _HALF_LETTER, _HALF_LINE, _GAP = 4.5, 2.9, 5.5, 4.0
"""Points."""


def show(result: SpeedAndError) -> None:
    """Show a dot for each contender in each case, and each contender's name next to its last dot.

    A sentence below the chart names each contender that raised an error.
    """
    contenders = f"{pluralize(len(result.contenders), 'contender')}: {'; '.join(result.contenders)}"
    alt = f"Time and error of {contenders}. The cases are {enumerate_words(result.cases)}."
    with across_frameworks.threads(result.threads), chart(alt, height=4.4, device=result.device) as axes:
        dots: dict[tuple[str, str], Dot] = {}
        for marker, case in zip(MARKERS, result.cases):
            axes.plot([], [], marker, color="gray", label=case)
            for number, name in enumerate(result.contenders):
                error = result.errors.get((name, case), math.inf)
                if math.isfinite(error):
                    dots[name, case] = 1000 * result.seconds[name, case], max(error, _LEAST_ERROR)
                    axes.plot(*dots[name, case], marker, color=f"C{number}", markersize=2 * _HALF_DOT)
        axes.set(
            xscale="log", yscale="log", xlabel="milliseconds per call", ylabel="largest error ÷ largest true value"
        )
        axes.margins(x=0.1, y=0.2)
        axes.legend(  # above the axes, where it covers no dot
            loc="lower right", bbox_to_anchor=(1, 1), ncols=len(result.cases), borderaxespad=0, columnspacing=1,
            handletextpad=0.2,
        )  # fmt: skip
        colors = {name: f"C{number}" for number, name in enumerate(result.contenders)}
        named = {name: dots[name, case] for name, case in dots}  # A later case replaces an earlier one.
        _write_names(axes, named, list(dots.values()), colors)
    for (name, case), error_text in result.failures.items():
        print(break_lines(f"{name} has no dot for {case}, because this machine or this version raised {error_text}"))


def _write_names(axes: Axes, named: Mapping[str, Dot], dots: list[Dot], colors: Mapping[str, str]) -> None:
    """Write each name on the side of its dot with the most distance to all dots and to the names already written."""
    taken: list[Box] = [(*_to_points(axes, dot), _HALF_DOT, _HALF_DOT) for dot in dots]
    for name, dot in named.items():
        (x, y), half_width = _to_points(axes, dot), _HALF_LETTER * len(name)
        dx, dy = _HALF_DOT + _GAP + half_width, _HALF_DOT + _GAP + _HALF_LINE
        boxes = [(x + right * dx, y + up * dy, half_width, _HALF_LINE) for right, up in _SIDES]
        best = max(boxes, key=lambda box: min(_distance(box, other) for other in taken))
        axes.annotate(
            name, dot, xytext=(best[0] - x, best[1] - y), textcoords="offset points", color=colors[name],
            ha="center", va="center",
        )  # fmt: skip
        taken.append(best)


def _to_points(axes: Axes, dot: Dot) -> Dot:
    x, y = axes.transData.transform(dot) * 72 / axes.figure.dpi
    return x, y


def _distance(one: Box, other: Box) -> float:
    """Return the distance between two boxes in points, negative if they overlap."""
    across, up = abs(one[0] - other[0]) - one[2] - other[2], abs(one[1] - other[1]) - one[3] - other[3]
    return round(max(across, up), 3)
