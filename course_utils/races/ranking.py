"""Finds the contender that is certainly the fastest at one size, from the points of a race."""

from __future__ import annotations

import math
from collections.abc import Sequence

from course_utils.races.point import MIN_ROUNDS, Point
from course_utils.timing.comparison import NEGLIGIBLE

TIE_FACTOR = 1.25
"""Contenders within this factor of each other are about the same: for headlines, predictions and cards."""
TIE_WORDS = "within 25 %"
_EXTRAPOLATION_ERROR = 2.0
"""Factor by which an extrapolated time may be off."""


def is_tie(ratio: float) -> bool:
    """Return whether two contenders whose times have this ratio are about the same.

    >>> is_tie(1.2), is_tie(0.7)
    (True, False)
    """
    return 1 / TIE_FACTOR < ratio < TIE_FACTOR


def fastest(points: Sequence[Point], tie: str | None) -> str | None:
    """Return the contender that is certainly the fastest of ``points``, all of one size; None if the intervals don't
    decide.

    Args:
        points: contenders without a time are ignored, except skipped ones: a skipped contender may be the fastest.
        tie: the answer if the two fastest are within ``TIE_FACTOR`` of each other, unless they ran too few times or their
            intervals are so wide that either may be faster by more than that; None if any lead counts.
    """
    ranked = sorted((each for each in points if each.seconds is not None), key=_seconds)
    if not ranked or ranked[0].status != "measured" or any(each.status == "skipped" for each in points):
        return None
    best, *others = ranked
    if tie is not None and others and is_tie(_seconds(others[0]) / _seconds(best)):
        return tie if others[0].status == "measured" and not _either_may_lead(best, others[0]) else None
    return best.contender if all(_certainly_faster(best, other) for other in others) else None


def _seconds(point: Point) -> float:
    return math.inf if point.seconds is None else point.seconds


def _certainly_faster(one: Point, other: Point) -> bool:
    """Return whether ``one`` is certainly faster: its interval does not overlap the other's.

    The intervals are those of the ratios or, without a baseline, of the times.
    """
    if other.status != "measured":
        return _seconds(other) > _EXTRAPOLATION_ERROR * _seconds(one)
    if one.ratio is not None and other.ratio is not None:
        low, high = one.ratio.low, other.ratio.high
        return low is not None and high is not None and low > (1 + NEGLIGIBLE) * high
    if one.interval_s is None or other.interval_s is None:
        return False
    return other.interval_s[0] > (1 + NEGLIGIBLE) * one.interval_s[1]


def _either_may_lead(one: Point, other: Point) -> bool:
    """Return whether the intervals of the ratios, or too few rounds, allow that either contender is faster by more than
    ``TIE_FACTOR``."""
    ratios = [each.ratio for each in (one, other) if each.ratio is not None]
    bounds = [(each.low, each.high) for each in ratios if each.low is not None and each.high is not None]
    if len(bounds) < 2:
        return min(one.rounds, other.rounds) < MIN_ROUNDS
    (low, high), (other_low, other_high) = bounds
    return high > TIE_FACTOR * other_low and other_high > TIE_FACTOR * low
