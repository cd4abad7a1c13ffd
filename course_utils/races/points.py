"""What a comparison found at one size, as points of a race. It measures nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping

from course_utils.races.result import Point
from course_utils.timing import Comparison


def points(size: int, found: Comparison, baseline: str, peaks: Mapping[str, int]) -> list[Point]:
    """A point for each contender that was measured, or that failed meanwhile.

    Args:
        size: where.
        found: the comparison, which may still go on.
        baseline: the contender that ratios are taken against.
        peaks: name → bytes, where they were counted.
    """
    told = []
    for name in found.samples:
        low, high = found.quartiles_s(name)
        against_baseline = baseline in found.samples
        told.append(
            Point(
                size=size,
                contender=name,
                status="measured",
                seconds=found.median_s(name),
                low=low,
                high=high,
                ratio=found.ratio(name) if against_baseline else None,
                verdict=found.verdict(name) if against_baseline else "unclear",
                rounds=found.rounds(name),
                first_call_s=found.first_call_s(name),
                samples=tuple(second for second in found.samples[name] if not math.isnan(second)),
                note=found.notes.get(name, ""),
                peak=peaks.get(name),
            )
        )
    for name, sentence in found.errors.items():
        status = "memory" if name in found.out_of_memory else "failed"
        told.append(Point(size, name, status, note=sentence))
    return told
