"""``remeasure_limits``: measures this machine's limits again for the work of a call that was profiled."""

from __future__ import annotations

from course_utils.counting.line_work import LineWork
from course_utils.explaining.raw_profile import RawProfile
from course_utils.explaining.thresholds import MUCH
from course_utils.limits import Peaks, raise_peaks
from course_utils.timing import Stopwatch

LEAST_SHARE = 0.1  # Limits are measured again only for lines that take at least this share of the call.
MOST_SIZES = 4  # At most this many working sets are measured.
SIMILAR = 1.5  # Working sets within this factor of each other have the same bandwidth.
SMALLEST, LARGEST = 2**16, 2**26  # Outside this range, the limits hardly differ, and larger sets take longer.


def remeasure_limits(profile: RawProfile, peaks: Peaks | None, clock: Stopwatch) -> Peaks | None:
    """Return the peaks, raised if the machine now does the work of the costliest lines faster; an accelerator's peaks stay."""
    if peaks is None or peaks.device != "cpu":
        return peaks
    costly_s = LEAST_SHARE * profile.measured_s
    lines = [
        (seconds, profile.counted_lines.lines[statement])
        for statement, seconds in sorted(profile.seconds.items(), key=lambda pair: -pair[1])
        if seconds >= costly_s and statement in profile.counted_lines.lines
    ]
    sizes: list[int] = []
    for _, work in lines:
        for size in _working_sets(work):
            is_new = all(not 1 / SIMILAR < size / other < SIMILAR for other in sizes)
            if size >= SMALLEST and is_new and len(sizes) < MOST_SIZES:
                sizes.append(size)
    dtypes = {
        work.dtype for seconds, work in lines
        if work.dtype in peaks.matmul and work.flops >= MUCH * seconds * peaks.matmul[work.dtype]
    }  # fmt: skip
    return raise_peaks(peaks, clock, sizes, dtypes)


def _working_sets(work: LineWork) -> tuple[int, ...]:
    """Return the bytes of the line's floor, and those of the operations that move most of its bytes."""
    most = max(work.traffic, key=lambda moved: sum(moved) * work.traffic[moved], default=(0,))
    return tuple(min(LARGEST, sum(each)) for each in (work.minimum_traffic, most))
