"""A stopwatch that waits: the median of calls, each timed until its work is done.

It is judged on the real clock, by a device that knows what a stopwatch around it must have read.
"""

from __future__ import annotations

import time
from numbers import Real
from statistics import fmean, median, median_high, median_low
from time import perf_counter

import numpy as np

from course_utils.core.wording import count_times
from course_utils.tasks.pretend_device import CLOCK_STEP_S, PretendDevice, Sample
from course_utils.tasks.task import Case, Task
from course_utils.tasks.unwrap import items, prose


def quick_time(run, wait, calls):
    """Seconds of one call, timed as people often do it. It is wrong in three ways."""
    start = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - start) / calls


def judge_timing(given, _expected, inputs):
    """None where ``given`` is the median of what a stopwatch around each counted call can have read, else why not."""
    now = perf_counter()
    run, _, calls = inputs
    device = run.__self__
    samples = device.samples(now)
    if given is None:
        return "honest_time returned None; is `return` missing?"
    if isinstance(given, bool) or not isinstance(given, Real):
        return f"Seconds are a number, such as 0.002; this is of type {type(given).__name__}."
    if device.waits == 0:
        return "wait() was never called: run() returns before the work is done, so the clock saw only the asking."
    if device.runs <= calls:
        return (
            f"run() was called {count_times(device.runs)} for {calls} counted call{'s' if calls != 1 else ''}: the first "
            "call is longer than the rest, so warm up with one more, which is not counted."
        )
    if None in samples[-calls - 1 :]:
        return (
            "Some call was not waited for before the next one began: call wait() after each run(), the warm-up's too."
        )
    seconds = float(given)
    if not _is_median(seconds, samples[-calls:]) and _within(seconds, samples[-calls - 1 :], median, median):
        return "The warm-up is among these calls: wait for it before the first clock is read, and leave it out."
    return _judge_median(seconds, samples[-calls:])


def _is_median(given: float, counted: list[Sample]) -> bool:
    return _within(given, counted, median_low, median_high)


def _judge_median(given: float, counted: list[Sample]) -> str | None:
    if _is_median(given, counted):
        return None
    for name, statistic in (("mean", fmean), ("sum", sum), ("shortest", min), ("longest", max)):
        if len(counted) > 1 and _within(given, counted, statistic, statistic):
            return f"This is the {name} of the calls, not their median: one disturbed call must not move the result."
    for unit, seconds in (("milliseconds", 1e-3), ("microseconds", 1e-6), ("nanoseconds", 1e-9)):
        if _is_median(given * seconds, counted):
            return f"These are {unit}; seconds are wanted."
    return (
        f"The median call took {median_low(sample.shortest for sample in counted):.4g} s; given: {given:.4g} s. "
        "Read time.perf_counter() right before run() and right after wait(), for each call."
    )


def _within(given, counted, low, high) -> bool:
    """Whether ``given`` can be that statistic of readings, each of which lies anywhere in its sample's range."""
    shortest = low([sample.shortest for sample in counted])
    longest = high([sample.longest for sample in counted])
    return shortest - CLOCK_STEP_S <= given <= longest + CLOCK_STEP_S


def _device_inputs(calls, generator, warm_up=0.008, disturbed=0.2):
    """Calls of 1 to 3 ms in random order, of which a share is disturbed and takes several times as long."""
    durations = np.linspace(1e-3, 3e-3, calls) if calls > 1 else np.array([2e-3])
    longest = round(disturbed * calls)
    durations[calls - longest :] *= 6
    device = PretendDevice(generator.permutation(durations).tolist(), warm_up)
    return device.run, device.wait, calls


TASK = Task(
    id="honest_time",
    title="A stopwatch that waits",
    points=3,
    level=1,
    framework="none",
    slow=quick_time,
    inputs=_device_inputs,
    sizes=(1, 2, 3, 5, 9),
    same=judge_timing,
    edge_cases=(
        Case("a first call that takes very long", lambda generator: _device_inputs(3, generator, warm_up=0.06)),
        Case("a device that is often disturbed", lambda generator: _device_inputs(9, generator, disturbed=0.4)),
    ),
    story=prose(
        """
        `run()` gives a device some work and returns at once: the device is busy behind its back. `wait()` returns
        when all work is done. The first call takes longer than the rest, and now and then one is disturbed. Below is
        how such a device is often timed. Write `honest_time(run, wait, calls)`, which tells how long a call really
        takes.
        """
    ),
    rules=prose(
        """
        - Warm up with at least one call, waited for and not counted.
        - Time each of the `calls` counted calls by itself, with `time.perf_counter()`, until its work is done.
        - Return the median in seconds, a number. (Of an even number of calls, anything between the two in the
        middle.)
        - The calls must come one after the other, so a Python loop over them is right here.
        """
    ),
    hints=items(
        """
        - What does the clock see of a call that returns before its work is done? And which calls stand in the
          average?
        - Before the loop: one call and one wait that are not counted. In the loop: read the clock, run, wait, read
          the clock, and keep the difference in a list.
        - `statistics.median` of the list is what to return; each entry is perf_counter() after wait() less
          perf_counter() before run().
        """
    ),
    sources=("S1.2",),
    timeout_s=10.0,
)
