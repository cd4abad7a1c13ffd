"""Practice of waiting: time one call that returns early, on a device that is still busy with earlier work."""

from __future__ import annotations

from numbers import Real
from time import perf_counter

from course_utils.core.wording import count_times, format_pair
from course_utils.tasks.simulated_device import CLOCK_STEP_S, explain_wrong_difference, run_and_wait
from course_utils.tasks.task import Case, Task


def timed_once_slow(run, wait):
    """Return the seconds of one call, from its start until its work is done, without the device's earlier work."""
    wait()
    start = perf_counter()
    run()
    wait()
    return perf_counter() - start


def judge_reading(given, _expected, inputs):
    """Return None if a clock around the call and its wait can have read ``given``, else the reason why not."""
    now = perf_counter()
    device = inputs[0].__self__
    if given is None:
        return "timed_once returned None; is `return` missing?"
    if isinstance(given, bool) or not isinstance(given, Real):
        return f"The result has type {type(given).__name__}: return seconds as a number, such as 0.002."
    if device.runs != 1:
        return f"run() was called {count_times(device.runs)}: call it once."
    (sample,) = device.samples(now)
    if sample is None:
        return "wait() was not called after run(): run() returns before the work is done, so the clock measured only the call."
    if len(device.waits_before_run) == 1:  # That wait belongs to the device, not to the answer.
        return (
            "The device was still busy with earlier work when you called run(): call wait() before you read the clock."
        )
    wrong = explain_wrong_difference(float(given))
    if wrong is not None:
        return wrong
    longest = now - device.waits_before_run[-1].ended
    if float(given) < sample.shortest - CLOCK_STEP_S:
        shortest, result = format_pair(sample.shortest, float(given))
        return (
            f"The result is {result} s, but the call took at least {shortest} s: read the clock right "
            "before run() and right after wait()."
        )
    if float(given) > longest + CLOCK_STEP_S:
        most, result = format_pair(longest, float(given))
        return (
            f"The result is {result}, but the call took at most {most} s: read the clock right before "
            "run(), and return seconds."
        )
    return None


TASK = Task(
    id="timed_once",
    title="One call, timed to its end",
    points=0,
    level=1,
    framework="none",
    slow=timed_once_slow,
    inputs=lambda size, generator: run_and_wait(float(generator.uniform(0.002, 0.004)), earlier_work=0.05, call=0.0005),
    sizes=(1, 2, 3),
    edge_cases=(Case("a long call", lambda _: run_and_wait(0.03, earlier_work=0.01)),),
    worst="One call has one duration; there is no size that makes it harder to time.",
    same=judge_reading,
    hints=(
        "The device must be idle both times that you read the clock.",
        "Call `wait()`, read the clock, call `run()` and `wait()`, read the clock again, and return the difference.",
    ),
)
