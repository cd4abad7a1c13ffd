"""Measures a contender that seems too slow for its next size once more before it is left out.

A time is extrapolated from two measured sizes only: one size does not show how time grows, so another one in between is
measured, if possible at four times the size, because two close sizes don't reach far. A few calls may all have been
delayed by other processes, so their size is measured again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from course_utils.core.errors import USER_CODE_ERRORS
from course_utils.races.extrapolation import STEEPEST_SLOPE, extrapolated_seconds, fastest_calls
from course_utils.races.point import MIN_ROUNDS, Point, points_of
from course_utils.sandbox import memory_limits
from course_utils.timing import Comparison, compare


def remeasure_slow_contenders(
    points: Sequence[Point],
    extra_points: Sequence[Point],
    contenders: Mapping[str, Callable[..., Any]],
    make_arguments: Callable[[int], tuple[Any, ...]],
    size: int,
    affordable_s: float,
    options: Mapping[str, Any],
) -> Iterator[tuple[list[Point], float]]:
    """Time the contenders that seem too slow for ``size`` at other sizes, one at a time, and yield each one's new points and
    the seconds that they took.

    Args:
        points: the race's points so far.
        extra_points: the points that were only measured for extrapolation.
        contenders: name → function.
        make_arguments: size → arguments.
        affordable_s: seconds available for one contender at ``size``.
        options: ``device``, ``threads`` and ``cancel`` for ``compare``.
    """
    for name, function in contenders.items():
        known = [*points, *extra_points]
        for choose_size in (_doubtful_size, _size_between):
            expected_s = extrapolated_seconds(known, name, size)
            if fits(expected_s, points, name, affordable_s) or has_stopped(points, name) or options["cancel"].is_set():
                break
            extra_size = choose_size(known, name, size, affordable_s)
            if extra_size is None:
                continue
            try:
                with memory_limits.memory_limit_on(options["device"]):
                    comparison, elapsed_s = _time(
                        name, function, make_arguments(extra_size), budget_s=affordable_s / 4, **options
                    )
            except USER_CODE_ERRORS:  # the inputs need not exist at this size
                continue
            new_points = points_of(extra_size, comparison, name, {})
            known += new_points
            yield new_points, elapsed_s


def _time(
    name: str, function: Callable[..., Any], arguments: tuple[Any, ...], *, budget_s: float, **options: Any
) -> tuple[Comparison, float]:
    """Return the times of ``function`` and the seconds that were spent.

    A first call can take twice as long as later ones, so that a flat line would seem to rise. If it fits the budget but
    leaves no time for another call, ``function`` is timed once more.
    """
    comparison = compare({name: function}, arguments, budget_s=budget_s, **options)
    first_s = comparison.elapsed_s
    if name not in comparison.samples or comparison.rounds(name) or first_s > budget_s:
        return comparison, first_s
    comparison = compare({name: function}, arguments, budget_s=budget_s, **options)
    return comparison, first_s + comparison.elapsed_s


def fits(expected_s: float | None, points: Sequence[Point], name: str, affordable_s: float) -> bool:
    """Return whether the contender ``name`` can run often enough for an interval in ``affordable_s`` seconds.

    Its second point needs only two calls, the check's and a timed one, because one point doesn't show how time grows.

    Args:
        expected_s: the expected seconds of one call; None if unknown.
        points: the race's points so far.
    """
    calls = 2 if len(fastest_calls(points, name)) == 1 else MIN_ROUNDS + 3
    return expected_s is None or expected_s <= affordable_s / calls


def has_stopped(points: Sequence[Point], name: str) -> bool:
    """Return whether the contender ``name`` was not run at a smaller size; it is then not run at larger ones either."""
    return any(point.contender == name and point.status in ("extrapolated", "skipped") for point in points)


def _doubtful_size(known: Sequence[Point], name: str, size: int, affordable_s: float) -> int | None:
    """Return the last measured size of ``name`` if it ran there too few times for an interval, else None."""
    measured = [(point.size, point.rounds) for point in known if point.contender == name and point.status == "measured"]
    last_size, rounds = max(measured, default=(None, 0))
    return last_size if rounds < MIN_ROUNDS else None


def _size_between(known: Sequence[Point], name: str, size: int, affordable_s: float) -> int | None:
    """Return four times or twice the only measured size of ``name``: the first at which a call is affordable even if its
    time grows as steeply as extrapolation allows; None if neither is.
    """
    fastest = fastest_calls(known, name)
    if len(fastest) != 1:
        return None
    ((only_size, seconds),) = fastest.items()
    is_affordable = lambda factor: factor**STEEPEST_SLOPE * seconds <= affordable_s
    return next((n * only_size for n in (4, 2) if n * only_size < size and is_affordable(n)), None)
