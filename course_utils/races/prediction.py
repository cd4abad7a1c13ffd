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
    It is never less than what was measured last. None where it was not measured yet.
    """
    measured = [
        (point.size, min(point.samples, default=point.seconds), point.seconds)
        for point in points
        if point.contender == name and point.status == "measured" and point.seconds
    ]
    if not measured:
        return None
    (last_size, last_s, median_s), slope = measured[-1], 1.0
    if len(measured) > 1:
        (size_before, before_s, _) = measured[-2]
        slope = math.log(last_s / before_s) / math.log(last_size / size_before)
    return max(median_s, last_s * (size / last_size) ** min(STEEPEST, max(0.0, slope)))


def gave_up(points: Sequence[Point], name: str) -> bool:
    """Whether ``name`` was extrapolated at a smaller size: a line that ends is not taken up again."""
    return any(point.contender == name and point.status == "extrapolated" for point in points)


def calls_at_least(points: Sequence[Point], name: str) -> int:
    """Calls for which a size must have time before ``name`` runs there.

    Two suffice for its second point, the check's and a timed one: from a single point nobody knows which way a line goes.
    """
    known = sum(point.contender == name and point.status == "measured" for point in points)
    return 2 if known == 1 else MIN_ROUNDS + 3
