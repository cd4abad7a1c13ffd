"""Stopwatches: read the time of calls on one device, including the synchronization with it. They keep no statistics.

On the CPU a call is timed warm: it follows the previous call, and finds the caches as that call left them. On every
accelerator a call is timed cold: caches are flushed, and the device is idle when the call begins.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from itertools import repeat
from time import perf_counter
from typing import Any, Protocol

from course_utils import frameworks
from course_utils.core.errors import USER_CODE_ERRORS, summarize_error
from course_utils.frameworks import across_frameworks
from course_utils.frameworks.accelerator_interface import Accelerator, Event
from course_utils.timing.comparison_lock import ComparisonError

BUSY_FACTOR = 4  # a wait that takes this many times as long as for an idle device means that the device was working
CALIBRATION_WAITS = 21
MIN_CALL_S = 1e-9  # lower limit of a call's time after the wait is subtracted


class Stopwatch(Protocol):
    """Reads the time of calls on one device."""

    def now(self) -> float:
        """Return the seconds of host time."""

    def block(self, function: Callable, args: tuple, calls: int) -> float:
        """Return the seconds of ``calls`` calls together, until the device has finished their work."""


class WarmStopwatch:
    """The host's clock, with a synchronization before and after each block."""

    def __init__(self, waiters: Sequence[Callable[[], Any]]) -> None:
        self.now = perf_counter
        self._waiters = waiters

    def block(self, function: Callable, args: tuple, calls: int) -> float:
        for wait in self._waiters:
            wait()
        start = self.now()
        for _ in repeat(None, calls):
            function(*args)
        for wait in self._waiters:
            wait()
        return self.now() - start


class ColdStopwatch:
    """Times one call at a time: flush the caches, synchronize, record an event, call, record an event.

    Without the synchronization, the host would prepare the call while the device still flushes. Python and launches would
    then be hidden for as long as the flush takes: Triton's ``do_bench`` once read too little for this reason
    (triton-lang/triton#404). Because of the flushes, a block takes much longer than the seconds that it returns.

    Args:
        accelerator: records events and flushes caches; if it has no events, the host's clock is read after a wait.
        waiters: functions that return when all work of the device is done, on all streams.
        now: the host's clock, in seconds.
    """

    def __init__(
        self,
        accelerator: Accelerator,
        waiters: Sequence[Callable[[], Any]],
        now: Callable[[], float] = perf_counter,
    ) -> None:
        self.now = now
        self._accelerator, self._waiters = accelerator, waiters
        with accelerator.device_scope():
            self._pair = accelerator.event_pair()
            self._wait()
            self._idle_wait_s = statistics.median(self._wait() for _ in range(CALIBRATION_WAITS))

    def block(self, function: Callable, args: tuple, calls: int) -> float:
        seconds = 0.0
        with self._accelerator.device_scope():
            for _ in repeat(None, calls):
                self._accelerator.flush_caches()
                self._wait()
                if self._pair is None:
                    seconds += self._host_seconds(function, args)
                else:
                    seconds += self._event_seconds(function, args, *self._pair)
        return seconds

    def _host_seconds(self, function: Callable, args: tuple) -> float:
        start = self.now()
        function(*args)
        self._wait()
        return self._since(start)

    def _event_seconds(self, function: Callable, args: tuple, begin: Event, end: Event) -> float:
        start = self.now()
        begin.record()
        function(*args)
        end.record()
        end.synchronize()
        event_s = 1e-3 * begin.elapsed_time(end)
        # The events measure one stream, and a call may also use others, which cannot be listed. If another stream still
        # works, this wait takes longer than a wait for an idle device, and the host's clock counts.
        if self._wait() > BUSY_FACTOR * self._idle_wait_s:
            return max(event_s, self._since(start))
        return event_s

    def _wait(self) -> float:
        """Wait for the whole device and return the seconds that the wait took."""
        start = self.now()
        for wait in self._waiters:
            wait()
        return self.now() - start

    def _since(self, start: float) -> float:
        """Return the seconds since ``start`` without the cost of the last wait."""
        return max(MIN_CALL_S, self.now() - start - self._idle_wait_s)


def stopwatch(device: str) -> Stopwatch:
    """Return the most accurate stopwatch for ``device``.

    Raises:
        ComparisonError: an accelerator has too little free memory for flushing its caches, or fails otherwise.
    """
    waiters = across_frameworks.synchronizers(device)
    for framework in frameworks.loaded():
        try:
            accelerator = framework.accelerator(device)
            if accelerator is not None:
                return ColdStopwatch(accelerator, waiters)
        except USER_CODE_ERRORS as error:
            remedy = "free some of its memory" if across_frameworks.is_out_of_memory(error) else "restart the kernel"
            raise ComparisonError(
                f"{device!r} cannot be timed: {summarize_error(error).rstrip('.')}; {remedy} or choose another device."
            ) from error
    return WarmStopwatch(waiters)
