"""A device that says it is done before it is, with a log that tells what a stopwatch around it must have read.

It stands in for an accelerator where there is none: its work is sleeping, on the real clock. It judges nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter, sleep

CLOCK_STEP_S = 2e-6
"""Seconds by which two clocks of one machine may disagree about the same moment."""


@dataclass(frozen=True)
class Event:
    """One call of ``run`` or ``wait``, with the seconds at which it began and ended."""

    name: str
    began: float
    ended: float


@dataclass(frozen=True)
class Sample:
    """What a stopwatch around one call of ``run`` and its ``wait`` shows: ``shortest`` to ``longest`` seconds.

    The shortest begins and ends right at the two calls, the longest as early and as late as their neighbours allow. A
    process that is put to sleep in between widens the range, so that a true reading is never outside it.
    """

    shortest: float
    longest: float


class PretendDevice:
    """Its ``run`` returns at once; its ``wait`` returns when all that was run is done.

    Args:
        durations: seconds that its calls take, in turn, and from the first again.
        warm_up: seconds that the first call takes on top.
    """

    def __init__(self, durations: Sequence[float], warm_up: float) -> None:
        self._durations = durations
        self._warm_up = warm_up
        self._free_at = 0.0
        self._log: list[Event] = []

    def run(self) -> None:
        """Give the device work, and return before it is done."""
        began = perf_counter()
        duration = self._durations[self.runs % len(self._durations)] + (self._warm_up if self.runs == 0 else 0)
        self._free_at = max(began, self._free_at) + duration
        self._log.append(Event("run", began, perf_counter()))

    def wait(self) -> None:
        """Return when the device has nothing left to do."""
        began = perf_counter()
        while (now := perf_counter()) < self._free_at:
            sleep(self._free_at - now)
        self._log.append(Event("wait", began, perf_counter()))

    @property
    def runs(self) -> int:
        """How many times work was given."""
        return sum(event.name == "run" for event in self._log)

    @property
    def waits(self) -> int:
        """How many times somebody waited."""
        return sum(event.name == "wait" for event in self._log)

    @property
    def longest_wait(self) -> float:
        """Seconds of the longest wait so far, 0 before the first."""
        return max((event.ended - event.began for event in self._log if event.name == "wait"), default=0.0)

    def samples(self, now: float) -> list[Sample | None]:
        """For each call of ``run``, in order, what a stopwatch around it shows; None where nobody waited for that call.

        Args:
            now: a time after the last event, on the clock of ``time.perf_counter``.
        """
        starts = [index for index, event in enumerate(self._log) if event.name == "run"]
        found: list[Sample | None] = []
        earliest = self._log[0].began if self._log else now
        for start, end in zip(starts, [*starts[1:], len(self._log)]):
            given = self._log[start]
            waited = self._log[start + 1] if start + 1 < end else None
            latest = self._log[end].began if end < len(self._log) else now
            found.append(Sample(waited.ended - given.began, latest - earliest) if waited else None)
            earliest = (waited or given).ended
        return found


def run_and_wait(duration: float) -> tuple[Callable[[], None], Callable[[], None]]:
    """The two functions of a device whose calls all take so many seconds, for a task that times one of them."""
    device = PretendDevice((duration,), warm_up=0.0)
    device.wait()  # from here on the device's log tells how early a clock can have been read
    return device.run, device.wait
