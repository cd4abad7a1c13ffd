"""Draws what ``speed_and_error`` found: to the left is faster, down is more exact. It computes nothing."""

import math

import numpy as np

from course_utils.frameworks import devices
from course_utils.ground.wording import counted
from course_utils.races.accuracy import SpeedAndError
from course_utils.ui.lesson_chart import chart

_FILLINGS = ("full", "none", "left", "bottom")
_LEAST = float(np.finfo(np.float64).eps)  # a truth in float64 tells no smaller error
_ABOVE, _BELOW = 9, -17  # points from a dot to its name


def show(found: SpeedAndError) -> None:
    """Show a dot for each contender in each case, with its name beside the last one."""
    ways = counted(len(found.contenders), "way")
    alt = f"Time and error of {ways}, {', '.join(found.contenders)}, in the cases {' and '.join(found.cases)}."
    with devices.threads(found.threads), chart(alt, height=4.4) as axes:
        for filling, case in zip(_FILLINGS, found.cases):
            axes.plot([], [], "o", color="gray", fillstyle=filling, label=case)
            for number, name in enumerate(found.contenders):
                seconds, error = found.seconds[name, case], found.errors[name, case]
                if math.isfinite(error):
                    dot = 1000 * seconds, max(error, _LEAST)
                    axes.plot(*dot, "o", fillstyle=filling, color=f"C{number}", markersize=9)
                    if case == found.cases[-1]:
                        place = {"xytext": (0, _BELOW if number % 2 else _ABOVE), "textcoords": "offset points"}
                        axes.annotate(name, dot, **place, color=f"C{number}", ha="center")
        axes.set(
            xscale="log", yscale="log", xlabel="milliseconds per call", ylabel="largest error ÷ largest true value"
        )
        axes.margins(x=0.1, y=0.2)
        axes.legend(loc="center right")
