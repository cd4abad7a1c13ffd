"""Runs what is to be explained, a small number of times, each time from the same state: plain, counted, and traced by line."""

from __future__ import annotations

import io
import statistics
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any, TypeVar

from course_utils.counting.by_line import CountedLines, count_lines
from course_utils.counting.user_code import Statement, UserCode
from course_utils.explaining.reachable_state import State
from course_utils.explaining.trace_overhead import Times, by_place, shares
from course_utils.sandbox.output import OutputCapture, capture_displays
from course_utils.sandbox.restore_settings import restore_settings
from course_utils.timing import Stopwatch
from course_utils.timing.line_clock import LineClock, event_overhead_s
from course_utils.timing.page_faults import page_faults

SLOW_S = 1.0  # a call that takes longer runs three times in all: as it is, counted, and by line
QUICK_S = 1e-3  # what takes less is timed after one more call
ROUNDS = 15  # of a quick call, each plain once and by line once
BUDGET_S = 1.2  # for these rounds
SHORT_S = 0.02  # a call that takes less has
FEWEST = 5  # rounds at least, however busy the machine: the median then stands two that were disturbed
COUNTING_S = 5.0  # counting is ended after this long,
COUNTING_TIMES = 4  # or this many times as long as the call

T = TypeVar("T")


@dataclass(frozen=True)
class RawProfile:
    """What the runs told.

    Attributes:
        measured_s: seconds of the plain call, the median.
        seconds: place → seconds of its own, shares of ``measured_s``.
        counted: what each line did.
        runs: place → how often it ran in one call.
        faults: place → pages that the system provided for it in one call; none of a slow call, which runs no more for it.
        times: how often the code ran.
    """

    measured_s: float
    seconds: dict[Statement, float]
    counted: CountedLines
    runs: dict[Statement, int]
    faults: dict[Statement, int]
    times: int


class Profiler:
    """Calls one function again and again; what it prints is shown once.

    Args:
        call: the function with its arguments.
        own: which lines are the learner's.
        state: what is put back after each run.
        stopwatch: the clock for the device.
        waiters: what must be called for the device to be done.
    """

    def __init__(
        self,
        call: Callable[[], Any],
        own: UserCode,
        state: State,
        stopwatch: Stopwatch,
        waiters: tuple[Callable[[], Any], ...],
    ) -> None:
        self._call, self._own, self._state, self._stopwatch, self._waiters = call, own, state, stopwatch, waiters
        self._times = 0

    def profile(self) -> RawProfile:
        """Run it plain, counted and by line, and put together what was seen. What the code raises passes through."""
        try:
            return self._profile()
        finally:
            self._state.leave()

    def _profile(self) -> RawProfile:
        now = self._stopwatch.now
        first_s = self._plain()
        if first_s < SLOW_S:
            first_s = self._plain()  # the first call of all may have had to get ready
        faults = self._traced(page_faults) if first_s < SLOW_S else {}
        start = now()
        quick = first_s < QUICK_S
        fewest = FEWEST if first_s < SHORT_S else 1
        plain, traced, events_s = (
            [self._plain(quick) if quick else first_s],
            [self._traced(now)],
            [event_overhead_s(self._waiters)],
        )
        while first_s < SLOW_S and len(traced) < ROUNDS and (now() - start < BUDGET_S or len(traced) < fewest):
            plain.append(self._plain(quick))
            traced.append(self._traced(now))
            events_s.append(event_overhead_s(self._waiters))
        # Last, since the counters' small objects come to lie between the tensors, and the memory is never again the same.
        most_s = max(COUNTING_S, COUNTING_TIMES * first_s)
        counted = self._once(lambda: count_lines(self._call, self._own, now, most_s))
        measured_s = statistics.median(plain)
        return RawProfile(
            measured_s=measured_s,
            seconds=shares(plain, traced, events_s),
            counted=counted,
            runs={place: time.runs for place, time in traced[0].items()},
            faults={place: int(time.spent) for place, time in faults.items()},
            times=self._times,
        )

    def _plain(self, quick: bool = False) -> float:
        """Seconds of the call as it is; a quick one follows another, as it would in a program, and finds the caches warm."""

        def timed() -> float:
            if quick:
                self._times += 1
                with restore_settings():
                    self._call()
                self._state.put_back()
            return self._stopwatch.block(self._call, (), 1)

        return self._once(timed)

    def _traced(self, now: Callable[[], float]) -> Times:
        clock = LineClock(self._own.entered, now, self._waiters)
        return by_place(self._once(lambda: clock.run(self._call)))

    def _once(self, how: Callable[[], T]) -> T:
        self._times += 1
        with restore_settings(), _shown(self._times == 1):
            try:
                return how()
            finally:
                self._state.put_back()


@contextmanager
def _shown(first: bool) -> Iterator[None]:
    """Let the first run print and warn, and no other."""
    if first:
        yield
        return
    with (
        redirect_stdout(io.StringIO()),
        redirect_stderr(io.StringIO()),
        capture_displays(OutputCapture()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        yield
