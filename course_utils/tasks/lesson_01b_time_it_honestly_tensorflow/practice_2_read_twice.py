"""Practice of two readings: when a call returns, and when its result is ready."""

from __future__ import annotations

from math import isnan
from numbers import Real
from time import perf_counter

from course_utils.core.wording import count_times, format_pair
from course_utils.tasks.simulated_device import CLOCK_STEP_S, run_and_wait
from course_utils.tasks.task import Case, Task


def read_twice_slow(run, wait):
    """Return the seconds until the call returns and the seconds until its work is done."""
    start = perf_counter()
    run()
    returned = perf_counter()
    wait()
    return returned - start, perf_counter() - start


def call_with_new_log(function, run, wait):
    """Return an answer's result; the device's log begins right before the call and ends right after it."""
    device = run.__self__
    device.restart_log()
    result = function(run, wait)
    device.close_log()
    return result


def judge_readings(given, _expected, inputs):
    """Return None if one clock can have read ``given`` after the call and after its wait, else the reason why not."""
    device = inputs[0].__self__
    if given is None:
        return "read_twice returned None; is `return` missing?"
    if not (isinstance(given, (tuple, list)) and len(given) == 2 and all(isinstance(each, Real) for each in given)):
        return "The result is not a pair of numbers: `return returned, done`, both in seconds since the start."
    if device.runs != 1:
        return f"run() was called {count_times(device.runs)}: call it once."
    (sample,) = device.samples(device.closed_at)
    if sample is None:
        return "wait() was not called after run(): without it, the clock cannot show when the work was done."
    returned, done = map(float, given)
    if isnan(returned + done):
        return "A time is NaN: subtract the reading before run() from the other two readings."
    if done < sample.shortest - CLOCK_STEP_S <= returned <= sample.longest + CLOCK_STEP_S:
        return "The times are in the wrong order: the first one is the time until run() returned."
    if done < sample.shortest - CLOCK_STEP_S:
        return "The second number is too small: read the clock after wait(), and subtract the reading before run()."
    if done > sample.longest + CLOCK_STEP_S:
        if 0 <= done - returned <= sample.longest + CLOCK_STEP_S:
            return "The second number is too large: subtract only the reading before run() from each of the other two."
        most, second = format_pair(sample.longest, done)
        return f"The second number is {second}, but the work took at most {most} s: return seconds."
    if returned < device.longest_run - CLOCK_STEP_S or done - returned < device.longest_wait - CLOCK_STEP_S:
        return "The first number is not the time until run() returned: read the clock between run() and wait(), and subtract the start."
    return None


TASK = Task(
    id="read_twice",
    title="Two readings of the clock",
    points=0,
    level=1,
    framework="none",
    slow=read_twice_slow,
    inputs=lambda size, generator: run_and_wait(float(generator.uniform(0.004, 0.008)), call=0.0005),
    sizes=(1, 2, 3),
    edge_cases=(Case("a long call that returns late", lambda _: run_and_wait(0.002, call=0.03)),),
    run=call_with_new_log,
    worst="One call has one duration; there is no size that makes it harder to time.",
    same=judge_readings,
    hints=(
        "Read the clock before `run()`, between `run()` and `wait()`, and after `wait()`. Subtract the first reading from the other two.",
    ),
)
