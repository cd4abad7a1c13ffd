"""Measures again the limits that a contender beat, because they were measured too low."""

from __future__ import annotations

from collections.abc import Callable

from course_utils import timing
from course_utils.frameworks import across_frameworks
from course_utils.limits import Cost, Peaks, raise_peaks
from course_utils.limits.bounds import MATMUL, MEMORY
from course_utils.races.result import RaceResult


def raise_beaten_limits(result: RaceResult, cost: Callable[[int], Cost], peaks: Peaks) -> Peaks:
    """Return the peaks, raised if the machine now does the work that beat its limit faster; an accelerator's stay the same."""
    beaten: dict[str, list[Cost]] = {MEMORY: [], MATMUL: []}
    for size in {point.size for point in result.points if result.beats_limit(point)}:
        if (binding := result.bounds[size].binding) in beaten:
            beaten[binding].append(cost(size))
    if peaks.device != "cpu" or not any(beaten.values()):
        return peaks
    # Beyond the largest measured working set, the bandwidth counts as constant.
    largest = max((size for curve in peaks.bandwidths.values() for size, _ in curve), default=0)
    working_sets = {min(largest, int(each.working_set)) for each in beaten[MEMORY]}
    with across_frameworks.threads(result.threads):
        return raise_peaks(peaks, timing.stopwatch("cpu"), working_sets, {each.dtype for each in beaten[MATMUL]})
