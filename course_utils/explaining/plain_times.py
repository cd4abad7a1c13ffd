"""``PlainTimes``: the times of plain, unobserved calls, and what they show about a busy machine."""

from __future__ import annotations

import statistics
import time
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
        wall_s: the calls' times, including what other programs took.
        core_times: the times in which the threads of the call had a core.
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
        core = CoreTime(core.core_s / repeats, waited_s, core.is_shared)
        self.page_faults.append((page_faults() - faults) / repeats)
        self.core_times.append(core)
        self.wall_s += wall_s
        seconds = statistics.median(chunks) if len(chunks) > 1 else wall_s[0]
        if not (self.on_device or waited_s is None or _has_waited(core) and not core.is_shared):
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
        """Return the first and the third quartile of the times, including what other programs took.

        The first is at most the median time, which leaves that out.
        """
        if len(self.wall_s) < 2:
            return self.wall_s[0], self.wall_s[0]
        low, _, high = statistics.quantiles(self.wall_s, n=4, method="inclusive")
        median_s = self.median_s()
        return min(low, median_s), max(high, median_s)

    def core_s(self, last: int | None = None) -> float | None:
        """Return the median time in which the call's threads had a core, of the ``last`` calls or of all; None if one call
        waited for anything else.
        """
        times = self.core_times[-last:] if last else self.core_times
        if self.on_device or any(_has_waited(time) for time in times):
            return None
        return statistics.median(time.core_s for time in times)

    def waited_s(self) -> float:
        """Return the median time in which a call waited for a file, a thread or another process; 0 if a device, or other threads
        of this process, may have worked meanwhile, or if the system does not report it.
        """
        if self.on_device or self.are_shared():
            return 0.0
        return statistics.median(each.waited_s or 0.0 for each in self.core_times)

    def is_disturbed(self, last: int | None = None) -> bool:
        """Return whether other programs took much of the time of the ``last`` calls, or of all."""
        core_s = self.core_s(last)
        wall_s = self.wall_s[-last:] if last else self.wall_s
        return core_s is not None and core_s < BUSY * statistics.median(wall_s)

    def are_shared(self) -> bool:
        """Return whether other threads of the process did a part of the calls' work."""
        return any(each.is_shared for each in self.core_times)

    def clock_if_interrupted(self, last: int | None = None) -> Callable[[], float] | None:
        """Return a clock that leaves out what other programs take; None if they take little, or if the clock would also leave
        out work of a line.
        """
        return self.work_clock() if self.is_disturbed(last) else None

    def work_clock(self) -> Callable[[], float] | None:
        """Return a clock of processor time that contains the work of each line; None if a call waited noticeably for anything
        else.
        """
        are_shared = self.are_shared()
        # Threads that pass work to each other wait a moment each time.
        share = SHORT_WAIT if are_shared else LEAST_WAIT
        if self.on_device or any(_has_waited(each, share) for each in self.core_times):
            return None
        return time.process_time if are_shared else time.thread_time

    def undisturbed_share(self) -> float:
        """Return the share of the median time that the call takes without other programs, as far as the system reports it."""
        core_s = self.core_s()
        undisturbed_s = min([*self.seconds, *([] if core_s is None else [core_s])])
        return undisturbed_s / (self.median_s() or 1.0)


def _has_waited(core: CoreTime, share: float = SHORT_WAIT) -> bool:
    return core.waited_s is None or core.waited_s > share * (core.core_s + core.waited_s)
