"""A stopwatch that waits: the median of calls, each timed until its work is done.

The check uses the real clock and a device whose log shows what a stopwatch around each call must read.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from numbers import Real
from statistics import fmean, median, median_high, median_low
from time import perf_counter

import numpy as np

from course_utils.core.wording import count_times, format_pair, pluralize
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.simulated_device import CLOCK_STEP_S, Sample, SimulatedDevice, explain_wrong_difference
from course_utils.tasks.task import Case, Task


def quick_time(run, wait, calls):
    """Return the seconds of one call, measured by a common method with three mistakes."""
    start = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - start) / calls


def judge_timing(given, _expected, inputs):
    """Return None if ``given`` can be the median of stopwatch readings around each counted call, else the reason why
    not."""
    now = perf_counter()
    run, _, calls = inputs
    device = run.__self__
    samples = device.samples(now)
    if given is None:
        return "honest_time returned None; is `return` missing?"
    if isinstance(given, bool) or not isinstance(given, Real):
        return f"The result has type {type(given).__name__}: return seconds as a number, such as 0.002."
    if device.waits == 0:
        return "wait() was never called: run() returns before the work is done, so the clock measured only the calls."
    if device.runs <= calls:
        return (
            f"run() was called {count_times(device.runs)}; {pluralize(calls, 'counted call')} and the warm-up take at least "
            f"{calls + 1}: the first call takes longer than the others, so it doesn't count."
        )
    if None in samples[-calls - 1 :]:
        return "A call began before the previous call was done: call wait() after each run(), including the warm-up."
    seconds, counted = float(given), samples[-calls:]
    return explain_wrong_difference(seconds) or _judge_median(seconds, counted, samples[-calls - 1 :])


def _is_median(given: float, counted: list[Sample]) -> bool:
    return _within(given, counted, median_low, median_high)


def _judge_median(given: float, counted: list[Sample], with_warm_up: list[Sample]) -> str | None:
    if _is_median(given, counted):
        return None
    reasons = list(_wrong_statistics(given, counted, with_warm_up))
    if len(reasons) == 1:
        return reasons[0]
    called, result = format_pair(median_low(s.shortest for s in counted), given)
    facts = f"The result is {result} s, but the median call took {called} s: "
    if _is_between(given, counted):
        return facts + "time each call by itself, and return the median of these times."
    return (
        facts
        + "for each call, read a fine clock, such as time.perf_counter(), right before run() and right after wait()."
    )


def _wrong_statistics(given: float, counted: list[Sample], with_warm_up: list[Sample]) -> Iterator[str]:
    """Yield each mistake that can lead to the result; on a noisy machine, several can."""
    if _within(given, with_warm_up, median, median):
        yield "The result includes one call too many: leave out the warm-up, and count only the last `calls` calls."
    for name, statistic in (("mean", fmean), ("sum", sum), ("shortest", min), ("longest", max)):
        if len(counted) > 1 and _within(given, counted, statistic, statistic):
            yield f"This is the {name} of the calls: return their median, which one disturbed call hardly changes."
    for unit, seconds in (("milliseconds", 1e-3), ("microseconds", 1e-6), ("nanoseconds", 1e-9)):
        if _is_median(given * seconds, counted):
            yield f"These are {unit}: return seconds."


def _is_between(given: float, counted: list[Sample]) -> bool:
    """Return whether ``given`` is between the shortest and the longest true reading."""
    return min(sample.shortest for sample in counted) <= given <= max(sample.longest for sample in counted)


def _within(given, counted, low, high) -> bool:
    """Return whether ``given`` is between ``low`` of the samples' shortest readings and ``high`` of their longest ones."""
    shortest = low([sample.shortest for sample in counted])
    longest = high([sample.longest for sample in counted])
    return shortest - CLOCK_STEP_S <= given <= longest + CLOCK_STEP_S


def _device_inputs(calls, generator, warm_up=0.008, disturbed=0.2, scale=1.0):
    """Return calls of 1 to 3 ms, times ``scale``, in random order; some are disturbed and take six times as long."""
    durations = scale * (np.linspace(1e-3, 3e-3, calls) if calls > 1 else np.array([2e-3]))
    longest = round(disturbed * calls)
    durations[calls - longest :] *= 6
    device = SimulatedDevice(generator.permutation(durations).tolist(), warm_up)
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
        Case("a slow device", lambda generator: _device_inputs(1, generator, scale=20)),
        Case("100 short calls", lambda generator: _device_inputs(100, generator, scale=0.1)),
    ),
    worst="Time is measured on a device of our own; its longest first call and most frequent disturbances are edge cases.",
    story=prose(
        """
        `run()` gives a device some work and returns at once, while the device is still busy. `wait()` returns when all
        work is done. The first call takes longer than the others, and now and then a call is disturbed. The function
        below shows how such a device is often timed. Write `honest_time(run, wait, calls)`, which returns the seconds
        that a call really takes.
        """
    ),
    rules=prose(
        """
        - Warm up with at least one call: wait for it, and don't count it.
        - Time each of the `calls` counted calls by itself, with a clock such as `time.perf_counter()`, until its work is done.
        - Return the median in seconds as a number. For an even number of calls, return any value between the two middle ones.
        - Each call begins after the previous call is done, so a Python loop over the calls is fine.
        """
    ),
    hints=items(
        """
        - What does the clock measure if a call returns before its work is done? And which calls does the average
          include?
        - Before the loop, make one call and one wait that you don't count. In the loop, read the clock, call `run()` and
          `wait()`, read the clock again, and append the difference to a list.
        - Return `statistics.median(seconds)`; each entry of the list `seconds` is `time.perf_counter()` after
          `wait()` minus `time.perf_counter()` before `run()`.
        """
    ),
    sources=("S1.2",),
)
