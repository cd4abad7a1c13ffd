"""Draws what ``speed_and_error`` found: to the left is faster, down is more exact. It computes nothing."""

import math

import numpy as np

from course_utils.core.wording import pluralize
from course_utils.frameworks import runtime
from course_utils.races.speed_and_error import SpeedAndError
from course_utils.ui.cell_chart import chart

_FILLINGS = ("full", "none", "left", "bottom")
_LEAST = float(np.finfo(np.float64).eps)  # a truth in float64 tells no smaller error
_SIDES = ((0, 1), (0, -1), (1, 0), (-1, 0))  # of a dot, where its name may stand
_DOT, _LETTER, _LINE, _AWAY = (
    4.5,
    2.9,
    5.5,
    4.0,
)  # points: half a dot, half a letter, half a line, and what lies between


def show(found: SpeedAndError) -> None:
    """Show a dot for each contender in each case, with its name beside the last one."""
    ways = pluralize(len(found.contenders), "way")
    alt = f"Time and error of {ways}, {', '.join(found.contenders)}, in the cases {' and '.join(found.cases)}."
    with runtime.threads(found.threads), chart(alt, height=4.4) as axes:
        dots = {}
        for filling, case in zip(_FILLINGS, found.cases):
            axes.plot([], [], "o", color="gray", fillstyle=filling, label=case)
            for number, name in enumerate(found.contenders):
                seconds, error = found.seconds[name, case], found.errors[name, case]
                if math.isfinite(error):
                    dots[name, case] = 1000 * seconds, max(error, _LEAST)
                    axes.plot(*dots[name, case], "o", fillstyle=filling, color=f"C{number}", markersize=2 * _DOT)
        axes.set(
            xscale="log", yscale="log", xlabel="milliseconds per call", ylabel="largest error ÷ largest true value"
        )
        axes.margins(x=0.1, y=0.2)
        axes.legend(loc="center right")
        colors = {name: f"C{number}" for number, name in enumerate(found.contenders)}
        named = {name: dots[name, case] for name, case in dots if case == found.cases[-1]}
        _write_names(axes, named, list(dots.values()), colors)


def _write_names(axes, named: dict, dots: list, colors: dict) -> None:
    """Write each name beside its dot, on the side that is farthest from all dots and from the names before it."""
    to_points = lambda dot: axes.transData.transform(dot) * 72 / axes.figure.dpi
    taken = [(*to_points(dot), _DOT, _DOT) for dot in dots]  # centre, half the width, half the height
    for name, dot in named.items():
        (x, y), width = to_points(dot), _LETTER * len(name)
        away = _DOT + _AWAY + width, _DOT + _AWAY + _LINE
        places = [(x + right * away[0], y + up * away[1], width, _LINE) for right, up in _SIDES]
        best = max(places, key=lambda place: min(_gap(place, other) for other in taken))
        axes.annotate(
            name, dot, xytext=(best[0] - x, best[1] - y), textcoords="offset points", color=colors[name],
            ha="center", va="center",
        )  # fmt: skip
        taken.append(best)


def _gap(one: tuple, other: tuple) -> float:
    """Points between two boxes; less than 0 where they overlap."""
    across, up = abs(one[0] - other[0]) - one[2] - other[2], abs(one[1] - other[1]) - one[3] - other[3]
    return round(max(across, up), 3)
