"""Extrapolates a contender's time and memory to a size at which it has not run, along a line on the log-log chart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from course_utils.core.wording import enumerate_words
from course_utils.races.point import Point

STEEPEST_SLOPE = 3.0
"""Slope of a cubic loop on the log-log chart, the steepest that a lesson has."""

FARTHEST_REACH = 8.0
"""The largest distance on the log-log chart over which a time is extrapolated; the unit is the distance between the last two
measured sizes.

An error of the slope has an effect that grows with the distance: if noise makes the last time 1.1× as long, the
farthest time becomes 2.4× as long.
"""


def extrapolate(values: Mapping[int, float], size: int) -> float:
    """Return the value at ``size`` on the log-log line through the last two of ``values``; a falling line counts as
    flat.

    Args:
        values: size → value, at least two, in the order of their sizes.
        size: larger than all sizes of ``values``.

    >>> extrapolate({10: 2.0, 20: 4.0}, 100)
    20.0
    """
    (size_before, before), (last_size, last) = list(values.items())[-2:]
    slope = math.log(last / before) / math.log(last_size / size_before)
    return last * (size / last_size) ** min(STEEPEST_SLOPE, max(0.0, slope))


def is_in_reach(measured_sizes: Iterable[int], size: int) -> bool:
    """Return whether a time at ``size`` can be extrapolated from measurements at ``measured_sizes``, in ascending order.

    >>> is_in_reach([10, 100], 1_000_000), is_in_reach([10, 20], 1_000_000), is_in_reach([10], 20)
    (True, False, False)
    """
    *_, size_before, last_size = [0, 0, *measured_sizes]
    return size_before > 0 and math.log(size / last_size) <= FARTHEST_REACH * math.log(last_size / size_before)


def fastest_calls(points: Sequence[Point], name: str) -> dict[int, float]:
    """Return size → seconds of the fastest call of the contender ``name``, in the order of sizes."""
    fastest: dict[int, float] = {}
    for point in _measured_points(points, name):
        fastest[point.size] = min(fastest.get(point.size, math.inf), point.fastest_s or point.seconds or math.inf)
    return dict(sorted(fastest.items()))


def _measured_points(points: Sequence[Point], name: str) -> list[Point]:
    return [point for point in points if point.contender == name and point.status == "measured" and point.seconds]


def peaks(points: Sequence[Point], name: str) -> dict[int, int]:
    """Return size → the most bytes that the contender ``name`` has alive at one time, in the order of sizes."""
    return dict(sorted((point.size, point.peak) for point in points if point.contender == name and point.peak))


def extrapolated_seconds(points: Sequence[Point], name: str, size: int) -> float | None:
    """Return the seconds that the contender ``name`` would take at ``size``; None if it was not measured yet.

    The line goes through the fastest calls, because noise only adds time and extrapolation would amplify it.
    The result is at least the last size's median. After a single measured size, time is assumed to grow in proportion to the
    size: this only decides whether a call is tried, and is never shown.
    """
    fastest = fastest_calls(points, name)
    if not fastest:
        return None
    last_size, last_s = list(fastest.items())[-1]
    median_s = min(each.seconds or math.inf for each in _measured_points(points, name) if each.size == last_size)
    expected_s = extrapolate(fastest, size) if len(fastest) > 1 else last_s * size / last_size
    return max(median_s, expected_s)


def extrapolated_peak(points: Sequence[Point], name: str, size: int) -> int | None:
    """Return the most bytes that the contender ``name`` would have alive at ``size``; None unless two sizes were
    counted."""
    counted = peaks(points, name)
    return round(extrapolate(counted, size)) if len(counted) > 1 else None


def extrapolated_point(points: Sequence[Point], name: str, size: int, budget: str) -> Point:
    """Return the point of a contender whose calls do not fit the budget: extrapolated if its measured sizes reach as far as
    ``size``, else skipped.

    Args:
        budget: the budget in words, for the note.
    """
    measured_sizes = fastest_calls(points, name)
    if is_in_reach(measured_sizes, size):
        seconds = extrapolated_seconds(points, name, size)
        note = f"{name!r} did not fit {budget} at n = {size:,}; its time is extrapolated."
        peak = extrapolated_peak(points, name, size)
        return Point(size, name, "extrapolated", seconds, note=note, peak=peak, peak_is_extrapolated=peak is not None)
    reason = (
        f"n = {enumerate_words([f'{each:,}' for each in list(measured_sizes)[-2:]])} are too close together to show its time here"
        if len(measured_sizes) > 1
        else "one measured size does not show how its time grows"
    )
    note = f"{name!r} was not run at n = {size:,}: it may not fit {budget}, and {reason}."
    return Point(size, name, "skipped", note=note)
