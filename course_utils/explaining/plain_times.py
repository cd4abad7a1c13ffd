"""``PlainTimes``: the times of plain, unobserved calls, and what they show about a busy machine."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

from course_utils.timing import Stopwatch
from course_utils.timing.core_time import CoreTime, measure_core_time
from course_utils.timing.page_faults import page_faults

SHORT_WAIT = 0.05  # Waits that take less than this share of a call do not decide its time.
LEAST_WAIT = 0.005  # A wait of this share of a call may be most of the time of one of its lines.
CHUNKS = 10  # A block of short calls is timed in this many parts; the median ignores parts that were interrupted.
BUSY = 0.9  # If the thread had a core for less than this share of the call's time, other programs took the rest.


@dataclass
class PlainTimes:
    """The times of plain calls, one entry per call.

    Attributes:
        stopwatch: the clock for the device.
        on_device: whether a device does the work, so that the thread's own time says nothing.
        seconds: the calls' times, without what other programs took, as far as that is known.
        wall_s: the same times with it.
        core_times: the times in which the thread had a core.
        page_faults: the pages that the system provided for each call.
    """

    stopwatch: Stopwatch
    on_device: bool
    seconds: list[float] = field(default_factory=list)
    wall_s: list[float] = field(default_factory=list)
    core_times: list[CoreTime] = field(default_factory=list)
    page_faults: list[float] = field(default_factory=list)

    def time(self, call: Callable[[], Any], repeats: int = 1) -> float:
        """Call ``call`` ``repeats`` times, and return the seconds of one call."""
        chunks, wall_s, faults = list[float](), list[float](), page_faults()
        core = measure_core_time(lambda: wall_s.append(self._block(call, repeats, chunks) / repeats))
        waited_s = None if core.waited_s is None else core.waited_s / repeats
        core = CoreTime(core.core_s / repeats, waited_s)
        self.page_faults.append((page_faults() - faults) / repeats)
        self.core_times.append(core)
        self.wall_s += wall_s
        seconds = statistics.median(chunks) if len(chunks) > 1 else wall_s[0]
        if not (self.on_device or waited_s is None or _waited(core)):
            seconds = min(seconds, core.core_s + waited_s)
        self.seconds.append(seconds)
        return seconds

    def _block(self, call: Callable[[], Any], repeats: int, chunks: list[float]) -> float:
        """Return the seconds of all calls together; without a device, adds the seconds of one call in each chunk to
        ``chunks``.
        """
        if self.on_device or repeats == 1:
            return self.stopwatch.block(call, (), repeats)
        now, sizes = self.stopwatch.now, [len(range(first, repeats, CHUNKS)) for first in range(min(CHUNKS, repeats))]

        def all_chunks() -> None:
            for size in sizes:
                start = now()
                for _ in repeat(None, size):
                    call()
                chunks.append((now() - start) / size)

        return self.stopwatch.block(all_chunks, (), 1)

    def forget(self) -> None:
        """Drop all calls so far."""
        self.seconds.clear()
        self.wall_s.clear()
        self.core_times.clear()
        self.page_faults.clear()

    def median_s(self) -> float:
        """Return the median time."""
        return statistics.median(self.seconds)

    def spread(self) -> float:
        """Return the distance between the quartiles of the times, as a share of the median."""
        low, _, high = statistics.quantiles(self.seconds, n=4, method="inclusive")
        return (high - low) / self.median_s()

    def quartiles_s(self) -> tuple[float, float]:
        """Return the first and the third quartile of the times with what other programs took; the first is at most the
        median time.
        """
        if len(self.wall_s) < 2:
            return self.wall_s[0], self.wall_s[0]
        low, _, high = statistics.quantiles(self.wall_s, n=4, method="inclusive")
        median_s = self.median_s()
        return min(low, median_s), max(high, median_s)

    def core_s(self, last: int | None = None) -> float | None:
        """Return the median time in which the thread had a core, of the ``last`` calls or of all; None if one waited
        for anything else.
        """
        times = self.core_times[-last:] if last else self.core_times
        if self.on_device or any(_waited(time) for time in times):
            return None
        return statistics.median(time.core_s for time in times)

    def is_disturbed(self, last: int | None = None) -> bool:
        """Return whether other programs took much of the time of the ``last`` calls, or of all."""
        core_s = self.core_s(last)
        wall_s = self.wall_s[-last:] if last else self.wall_s
        return core_s is not None and core_s < BUSY * statistics.median(wall_s)

    def is_work_of_this_thread(self) -> bool:
        """Return whether no call waited noticeably, so that the thread's own time contains the work of each line."""
        return not self.on_device and not any(_waited(time, LEAST_WAIT) for time in self.core_times)

    def undisturbed_s(self) -> float:
        """Return the time of the call without the time that other programs took, as far as the system reports it."""
        core_s = self.core_s()
        return min([*self.seconds, *([] if core_s is None else [core_s])])


def _waited(time: CoreTime, share: float = SHORT_WAIT) -> bool:
    return time.waited_s is None or time.waited_s > share * (time.core_s + time.waited_s)
