"""What a contender would take at a size that it has not reached, and whether that is worth trying. It runs nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from course_utils.races.result import Point

MIN_ROUNDS = 9
STEEPEST = 3.0  # of a line on the log-log chart: a cubic loop is the worst that a lesson has


def predicted_s(points: Sequence[Point], name: str, size: int) -> float | None:
    """Seconds that ``name`` would take at ``size``, on the log-log line through its last two measured sizes.

    The line goes through the fastest samples: noise only ever adds time, and a slope would carry it on for decades.
    It is never less than what was measured last. From a single size the time is taken to grow as the size does, which
    decides whether a call is tried and is shown to nobody. None where it was not measured yet.
    """
    known = fastest_calls(points, name)
    if not known:
        return None
    *_, (last_size, last_s) = known.items()
    median_s = next(each.seconds or 0.0 for each in points if (each.contender, each.size) == (name, last_size))
    slope = 1.0
    if len(known) > 1:
        (size_before, before_s), _ = list(known.items())[-2:]
        slope = math.log(last_s / before_s) / math.log(last_size / size_before)
    return max(median_s, last_s * (size / last_size) ** min(STEEPEST, max(0.0, slope)))


def fastest_calls(points: Sequence[Point], name: str) -> dict[int, float]:
    """Size → the fewest seconds that ``name`` was measured to take there, by size."""
    measured = {
        point.size: min(point.samples, default=point.seconds)
        for point in points
        if point.contender == name and point.status == "measured" and point.seconds
    }
    return dict(sorted(measured.items()))


def gave_up(points: Sequence[Point], name: str) -> bool:
    """Whether ``name`` was not run at a smaller size: a line that ends is not taken up again."""
    return any(point.contender == name and point.status in ("extrapolated", "skipped") for point in points)


def calls_at_least(points: Sequence[Point], name: str) -> int:
    """Calls for which a size must have time before ``name`` runs there.

    Two suffice for its second point, the check's and a timed one: from a single point nobody knows which way a line goes.
    """
    known = sum(point.contender == name and point.status == "measured" for point in points)
    return 2 if known == 1 else MIN_ROUNDS + 3
