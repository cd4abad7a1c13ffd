"""How time is read on one device, waits for the device included. It keeps no statistics.

On the CPU a call is timed warm: it follows the one before, and finds in the caches what that one left there. On every
accelerator, of every framework, it is timed cold: the caches are flushed and the device has nothing left to do when it begins.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from itertools import repeat
from time import perf_counter
from typing import Any, Protocol

from course_utils import frameworks
from course_utils.core.errors import USER_CODE_ERRORS, summarize_error
from course_utils.frameworks import devices
from course_utils.frameworks.accelerator import Accelerator, Event
from course_utils.timing.clock_lock import ComparisonError

BUSY = 4  # a wait this many times as long as one for an idle device has found work there; idle ones seldom vary so much
CALIBRATIONS = 21
LEAST_S = 1e-9  # no call takes less, whatever was taken off for the wait


class Stopwatch(Protocol):
    """How time is read on one device."""

    def now(self) -> float:
        """Seconds of host time."""

    def block(self, function: Callable, args: tuple, calls: int) -> float:
        """Seconds that ``calls`` calls take together, until the device has done their work."""


class WarmStopwatch:
    """The host's clock, with a wait for the device at both ends of a block."""

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
    """One call at a time: flush the caches, wait, then mark, call, mark.

    Without the wait the host would prepare the call while the device is still flushing, and up to a flush's time of Python and
    of launches would be hidden: that is how Triton's ``do_bench`` read too little (triton-lang/triton#404). A block
    therefore takes far longer on the wall than the seconds that it returns.

    Args:
        accelerator: what marks and flushes; where it has no marks of its own, they are the host's, each after a wait.
        waiters: return when all work of the device is done, on whatever stream.
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
        with accelerator.chosen():
            self._pair = accelerator.pair()
            self._wait()
            self._idle_wait_s = statistics.median(self._wait() for _ in range(CALIBRATIONS))

    def block(self, function: Callable, args: tuple, calls: int) -> float:
        seconds = 0.0
        with self._accelerator.chosen():
            for _ in repeat(None, calls):
                self._accelerator.flush()
                self._wait()
                if self._pair is None:
                    seconds += self._by_the_host(function, args)
                else:
                    seconds += self._by_marks(function, args, *self._pair)
        return seconds

    def _by_the_host(self, function: Callable, args: tuple) -> float:
        start = self.now()
        function(*args)
        self._wait()
        return self._since(start)

    def _by_marks(self, function: Callable, args: tuple, begin: Event, end: Event) -> float:
        start = self.now()
        begin.record()
        function(*args)
        end.record()
        end.synchronize()
        marked = 1e-3 * begin.elapsed_time(end)
        # The marks lie on one stream. What the call gave to others may outlast them, and nobody can list those streams:
        # but a wait for the whole device is then longer than for an idle one, and the host's clock says when all was done.
        if self._wait() > BUSY * self._idle_wait_s:
            return max(marked, self._since(start))
        return marked

    def _wait(self) -> float:
        """Wait for the whole device, and return the seconds that it took."""
        start = self.now()
        for wait in self._waiters:
            wait()
        return self.now() - start

    def _since(self, start: float) -> float:
        """Seconds from ``start`` to the end of the device's work: the last wait's own cost is not the call's."""
        return max(LEAST_S, self.now() - start - self._idle_wait_s)


def stopwatch(device: str) -> Stopwatch:
    """The most exact clock for ``device``.

    Raises:
        ComparisonError: when an accelerator has no room for what its caches are flushed with, or fails otherwise.
    """
    waiters = devices.waiters(device)
    for framework in frameworks.loaded():
        try:
            accelerator = framework.accelerator(device)
            if accelerator is not None:
                return ColdStopwatch(accelerator, waiters)
        except USER_CODE_ERRORS as error:
            remedy = "free some of its memory" if devices.out_of_memory(error) else "restart the kernel"
            raise ComparisonError(
                f"Nothing can be timed on {device!r}, which said {summarize_error(error).rstrip('.')}; {remedy} or choose another device."
            ) from error
    return WarmStopwatch(waiters)
