"""Measures a contender at an extra size in between, if its next size seems too slow after a single measured one.

A time is extrapolated from two measured sizes only: one size does not show how time grows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from course_utils.core.errors import USER_CODE_ERRORS
from course_utils.races.extrapolation import STEEPEST_SLOPE, extrapolated_seconds, fastest_calls
from course_utils.races.point import Point
from course_utils.sandbox import memory_limits
from course_utils.timing import Comparison, compare


def measure_intermediate_sizes(
    points: Sequence[Point],
    contenders: Mapping[str, Callable[..., Any]],
    make_arguments: Callable[[int], tuple[Any, ...]],
    size: int,
    affordable_s: float,
    options: Mapping[str, Any],
) -> Iterator[tuple[int, Comparison]]:
    """Time each contender that needs an extra size before ``size``, one at a time, and yield that size and its
    comparison.

    Args:
        points: the points so far.
        contenders: name → function.
        make_arguments: size → arguments.
        affordable_s: seconds available for one contender at ``size``.
        options: ``device``, ``threads`` and ``cancel`` for ``compare``.
    """
    for name, function in contenders.items():
        between = _size_between(points, name, size, affordable_s)
        if between is None or options["cancel"].is_set():
            continue
        try:
            with memory_limits.memory_limit_on(options["device"]):
                comparison = compare({name: function}, make_arguments(between), budget_s=affordable_s / 4, **options)
        except USER_CODE_ERRORS:  # the inputs need not exist at this size
            continue
        yield between, comparison


def _size_between(points: Sequence[Point], name: str, size: int, affordable_s: float) -> int | None:
    """Return twice the only measured size of ``name``, if a call there is cheap and ``size`` seems too slow; else
    None."""
    fastest = fastest_calls(points, name)
    expected_s = extrapolated_seconds(points, name, size)
    if len(fastest) != 1 or expected_s is None or 2 * expected_s <= affordable_s or has_stopped(points, name):
        return None
    ((only_size, seconds),) = fastest.items()
    return 2 * only_size if 2 * only_size < size and 2**STEEPEST_SLOPE * seconds <= affordable_s else None


def has_stopped(points: Sequence[Point], name: str) -> bool:
    """Return whether the contender ``name`` was not run at a smaller size; it is then not run at larger ones either."""
    return any(point.contender == name and point.status in ("extrapolated", "skipped") for point in points)
