"""A second measured size for a contender whose next one seems too slow: nothing is drawn that rests on one size alone.

Of one size nobody knows how a time grows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from course_utils.core.errors import USER_CODE_ERRORS
from course_utils.races.extrapolation import STEEPEST, fastest_calls, gave_up, predicted_s
from course_utils.races.plan import Plan
from course_utils.races.result import Point
from course_utils.sandbox import memory_limits
from course_utils.timing import Comparison, compare


def second_sizes(
    points: Sequence[Point], race: Plan, size: int, affordable_s: float, place: Mapping[str, Any]
) -> Iterator[tuple[int, Comparison]]:
    """Time those that get a second size before ``size``, each alone: that size, and what was found.

    Args:
        points: what is known so far.
        affordable_s: seconds that there are for a contender at ``size``.
        place: where, as ``compare`` is told.
    """
    for name, function in race.contenders.items():
        between = _size_between(points, name, size, affordable_s)
        if between is None or place["cancel"].is_set():
            continue
        try:
            with memory_limits.memory_limit_on(place["device"]):
                arguments = race.made(between, place["device"])
                found = compare({name: function}, arguments, budget_s=affordable_s / 4, **place)
        except USER_CODE_ERRORS:  # the race may have no such size
            continue
        yield between, found


def _size_between(points: Sequence[Point], name: str, size: int, affordable_s: float) -> int | None:
    """Twice the only size at which ``name`` was measured, where a call there is cheap and ``size`` seems too slow; or None."""
    known = fastest_calls(points, name)
    predicted = predicted_s(points, name, size)
    if len(known) != 1 or predicted is None or 2 * predicted <= affordable_s or gave_up(points, name):
        return None
    ((only, seconds),) = known.items()
    return 2 * only if 2 * only < size and 2**STEEPEST * seconds <= affordable_s else None


def not_run(points: Sequence[Point], name: str, size: int, predicted: float, peak: int | None) -> Point:
    """The point of ``name`` where it would take too long: a prediction, and where that would rest on one size, none."""
    if len(fastest_calls(points, name)) > 1:
        note = f"{name!r} would take too long here; extrapolated."
        return Point(size, name, "extrapolated", predicted, note=note, peak=peak)
    note = f"{name!r} was not run here: it may take too long, and one measured size does not tell how its time grows."
    return Point(size, name, "skipped", note=note)
