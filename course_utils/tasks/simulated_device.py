"""``SimulatedDevice``: returns before its work is done, as an accelerator does, and logs what a stopwatch must have read.

Its work is sleeping, on the real clock, so that every machine can run the tasks of lessons 01 and 01b.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from time import perf_counter, sleep

from course_utils.core.wording import format_number

CLOCK_STEP_S = 2e-6
"""Seconds by which two clocks of one machine may disagree about the same moment."""


@dataclass(frozen=True)
class Event:
    """One call of ``run`` or ``wait``; ``began`` and ``ended`` are seconds by ``time.perf_counter``."""

    name: str
    began: float
    ended: float


@dataclass(frozen=True)
class Sample:
    """The seconds that a stopwatch around one call of ``run`` and its ``wait`` may show: ``shortest`` to ``longest``.

    The shortest time begins and ends exactly at the two calls, the longest one at the calls before and after them. If
    the system suspends the process in between, the range widens, so a correct reading is always within it.
    """

    shortest: float
    longest: float


class SimulatedDevice:
    """A device whose ``run`` returns at once and whose ``wait`` returns when all work is done.

    Args:
        durations: seconds that consecutive calls of ``run`` take; after the last one the first follows again.
        warm_up: additional seconds of the first call.
        call: seconds until a call of ``run`` returns; its work begins then.
    """

    def __init__(self, durations: Sequence[float], warm_up: float, call: float = 0.0) -> None:
        self._durations = durations
        self._warm_up = warm_up
        self._call = call
        self._free_at = 0.0
        self._earlier_work = 0.0
        self._log: list[Event] = []
        self.closed_at = 0.0

    def queue(self, seconds: float) -> None:
        """Give the device earlier work, which begins at the next call of ``run`` or ``wait``."""
        self._earlier_work = seconds

    def _begin_earlier_work(self, now: float) -> None:
        self._free_at = max(now, self._free_at) + self._earlier_work
        self._earlier_work = 0.0

    def run(self) -> None:
        """Give the device work, and return before it is done."""
        began = perf_counter()
        if self._call:
            sleep(self._call)
        self._begin_earlier_work(perf_counter())
        duration = self._durations[self.runs % len(self._durations)] + (self._warm_up if self.runs == 0 else 0)
        self._free_at += duration
        self._log.append(Event("run", began, perf_counter()))

    def wait(self) -> None:
        """Return when the device has finished all work."""
        began = perf_counter()
        self._begin_earlier_work(began)
        while (now := perf_counter()) < self._free_at:
            sleep(self._free_at - now)
        self._log.append(Event("wait", began, perf_counter()))

    def restart_log(self) -> None:
        """Forget all events, and log a wait."""
        self._log.clear()
        self.wait()

    def close_log(self) -> None:
        """Set ``closed_at`` to the present time, which is after the last event."""
        self.closed_at = perf_counter()

    @property
    def runs(self) -> int:
        """Return the number of calls of ``run``."""
        return sum(event.name == "run" for event in self._log)

    @property
    def waits(self) -> int:
        """Return the number of calls of ``wait``."""
        return sum(event.name == "wait" for event in self._log)

    @property
    def longest_wait(self) -> float:
        """Return the seconds of the longest wait so far, 0 before the first."""
        return self._longest("wait")

    @property
    def longest_run(self) -> float:
        """Return the seconds of the longest call of ``run`` so far, 0 before the first."""
        return self._longest("run")

    def _longest(self, name: str) -> float:
        return max((event.ended - event.began for event in self._log if event.name == name), default=0.0)

    @property
    def waits_before_run(self) -> list[Event]:
        """Return the calls of ``wait`` before the first ``run``."""
        return list(takewhile(lambda event: event.name == "wait", self._log))

    def samples(self, now: float) -> list[Sample | None]:
        """Return, for each call of ``run`` in order, what a stopwatch around it may show; None for a call that no
        ``wait`` followed.

        Args:
            now: a time after the last event, on the clock of ``time.perf_counter``.
        """
        starts = [index for index, event in enumerate(self._log) if event.name == "run"]
        samples: list[Sample | None] = []
        earliest = self._log[0].began if self._log else now
        for start, end in zip(starts, [*starts[1:], len(self._log)]):
            run = self._log[start]
            wait = self._log[start + 1] if start + 1 < end else None
            latest = self._log[end].began if end < len(self._log) else now
            samples.append(Sample(wait.ended - run.began, latest - earliest) if wait else None)
            earliest = (wait or run).ended
        return samples


def explain_wrong_difference(seconds: float) -> str | None:
    """Return why ``seconds`` can't be a difference of two readings if it is negative or NaN; None for any other number."""
    if seconds >= 0:
        return None
    result = format_number(seconds)
    return f"The result is {result} s: subtract the reading before run() from the reading after wait()."


def run_and_wait(
    duration: float, earlier_work: float = 0.0, call: float = 0.0
) -> tuple[Callable[[], None], Callable[[], None]]:
    """Return ``run`` and ``wait`` of a device whose calls all take ``duration`` seconds, for a task that times one
    call.

    ``earlier_work`` is the seconds for which the device is busy before it begins the first call; ``call`` is the
    seconds until ``run`` returns.
    """
    device = SimulatedDevice((duration,), warm_up=0.0, call=call)
    device.wait()  # This event in the log precedes every reading of the answer's clock.
    device.queue(earlier_work)
    return device.run, device.wait
