"""Who was surely the fastest of some contenders at one size, told from their points. It runs nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from course_utils.races.extrapolation import MIN_ROUNDS
from course_utils.timing import median_interval
from course_utils.timing.comparison import NEGLIGIBLE

if TYPE_CHECKING:
    from course_utils.races.result import Point

CLOSE = 1.25  # to a reader who guesses, contenders within this factor of each other are about as fast
_ASTRAY = 2.0  # a prediction of what was not measured may be off by this factor


def fastest(points: Sequence[Point], tie: str | None) -> str | None:
    """The contender that is surely the fastest of ``points``, all of one size; None where they do not tell.

    Args:
        points: who has no time there is in nobody's way, but for one that was left out unrun: it may be the fastest.
        tie: the answer where the two fastest lie within ``CLOSE`` of each other; None where the least lead counts.
    """
    ranked = sorted((each for each in points if each.seconds is not None), key=_seconds)
    if not ranked or ranked[0].status != "measured" or any(each.status == "skipped" for each in points):
        return None
    best, *others = ranked
    if tie is not None and others and _seconds(others[0]) < CLOSE * _seconds(best):
        return tie if others[0].status == "measured" else None
    return best.contender if all(_surely_faster(best, other) for other in others) else None


def _seconds(point: Point) -> float:
    return math.inf if point.seconds is None else point.seconds


def _surely_faster(one: Point, other: Point) -> bool:
    """Whether the intervals of the two lie apart: those of their ratios to the baseline, or of their times without one."""
    if other.status != "measured":
        return _seconds(other) > _ASTRAY * _seconds(one)
    if one.ratio is not None and other.ratio is not None:
        least, most = one.ratio.low, other.ratio.high
        return least is not None and most is not None and least > (1 + NEGLIGIBLE) * most
    if min(len(one.samples), len(other.samples)) < MIN_ROUNDS:
        return False
    longest, shortest = median_interval(np.array(one.samples))[1], median_interval(np.array(other.samples))[0]
    return shortest > (1 + NEGLIGIBLE) * longest
