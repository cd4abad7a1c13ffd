"""Counts how much memory a contender has alive at its peak, and stops contenders that exceed the memory budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from course_utils.core.wording import format_bytes
from course_utils.counting import count
from course_utils.frameworks import across_frameworks
from course_utils.races.extrapolation import extrapolated_peak, peaks
from course_utils.races.point import Point


def count_peaks(contenders: Mapping[str, Callable[..., Any]], arguments: Any, threads: int) -> dict[str, int]:
    """Return contender → the most bytes of new tensors that one call has alive at one time.

    Args:
        contenders: name → function; each has already run once.
        arguments: a tuple, or a function that returns a new one.
        threads: threads that an operation may use on the CPU.
    """
    with across_frameworks.threads(threads), across_frameworks.full_precision():
        return {
            name: count(function, *(arguments() if callable(arguments) else arguments))[1].peak
            for name, function in contenders.items()
        }


def point_over_budget(name: str, size: int, peak: int | None, budget: int | None) -> Point | None:
    """Return the ``too large`` point of a contender whose measured or expected ``peak`` exceeds ``budget``; else None."""
    if peak is None or budget is None or peak <= budget:
        return None
    note = (
        f"{name!r} would have {format_bytes(peak)} alive at n = {size:,}, and this race allows {format_bytes(budget)}; "
        "it is not run from this size on."
    )
    return Point(size, name, "too large", note=note, peak=peak)


def expected_point_over_budget(points: Sequence[Point], name: str, size: int, budget: int | None) -> Point | None:
    """Return the point of a contender that would exceed, or may exceed, ``budget`` bytes at ``size``; else None.

    After a single counted size, memory is assumed to grow in proportion to the size.
    """
    counted = peaks(points, name)
    if len(counted) != 1:
        point = point_over_budget(name, size, extrapolated_peak(points, name, size), budget)
        return point and replace(point, peak_is_extrapolated=True)
    ((only_size, peak),) = counted.items()
    if budget is None or peak * size <= budget * only_size:
        return None
    note = (
        f"{name!r} was not run at n = {size:,}: it had {format_bytes(peak)} alive at n = {only_size:,}, this race "
        f"allows {format_bytes(budget)}, and one measured size does not show how its memory grows."
    )
    return Point(size, name, "skipped", note=note)
