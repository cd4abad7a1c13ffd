"""``PlainTimes``: the times of plain, unobserved calls, and what they show about a busy machine."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from course_utils.timing import Stopwatch
from course_utils.timing.core_time import CoreTime, measure_core_time
from course_utils.timing.page_faults import page_faults

SHORT_WAIT = 0.05  # A call that waits for less than this share of its time does not wait for what decides its time.
BUSY = 0.9  # If the thread had a core for less than this share of the call's time, other programs took the rest.


@dataclass
class PlainTimes:
    """The times of plain calls, one entry per call.

    Attributes:
        stopwatch: the clock for the device.
        on_device: whether a device does the work, so that the thread's own time says nothing.
        seconds: the calls' times.
        core_times: the times in which the thread had a core.
        page_faults: the pages that the system provided for each call.
    """

    stopwatch: Stopwatch
    on_device: bool
    seconds: list[float] = field(default_factory=list)
    core_times: list[CoreTime] = field(default_factory=list)
    page_faults: list[float] = field(default_factory=list)

    def time(self, call: Callable[[], Any], repeats: int = 1) -> float:
        """Call ``call`` so many times, and return the seconds of one call."""
        seconds, faults = list[float](), page_faults()
        core = measure_core_time(lambda: seconds.append(self.stopwatch.block(call, (), repeats) / repeats))
        waited_s = None if core.waited_s is None else core.waited_s / repeats
        self.core_times.append(CoreTime(core.core_s / repeats, waited_s))
        self.page_faults.append((page_faults() - faults) / repeats)
        self.seconds += seconds
        return seconds[0]

    def forget(self) -> None:
        """Drop all calls so far."""
        self.seconds.clear()
        self.core_times.clear()
        self.page_faults.clear()

    def median_s(self) -> float:
        """The median time."""
        return statistics.median(self.seconds)

    def quartiles_s(self) -> tuple[float, float]:
        """The first and the third quartile of the times."""
        if len(self.seconds) < 2:
            return self.seconds[0], self.seconds[0]
        low, _, high = statistics.quantiles(self.seconds, n=4, method="inclusive")
        return low, high

    def core_s(self, last: int | None = None) -> float | None:
        """The median time in which the thread had a core, of the ``last`` calls or of all; None if one waited for anything else."""
        times = self.core_times[-last:] if last else self.core_times
        if self.on_device or any(_waited(time) for time in times):
            return None
        return statistics.median(time.core_s for time in times)

    def is_disturbed(self, last: int | None = None) -> bool:
        """Whether other programs took much of the time of the ``last`` calls, or of all."""
        core_s = self.core_s(last)
        seconds = self.seconds[-last:] if last else self.seconds
        return core_s is not None and core_s < BUSY * statistics.median(seconds)

    def undisturbed_s(self) -> float:
        """The time of the call without the time that other programs took, as far as the system reports it."""
        core_s = self.core_s()
        return min([*self.seconds, *([] if core_s is None else [core_s])])


def _waited(time: CoreTime) -> bool:
    return time.waited_s is None or time.waited_s > SHORT_WAIT * (time.core_s + time.waited_s)
