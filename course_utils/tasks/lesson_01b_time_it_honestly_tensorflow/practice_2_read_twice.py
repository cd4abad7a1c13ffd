"""Practice of the two readings: when a call returns, and when its result is there."""

from __future__ import annotations

from numbers import Real
from time import perf_counter

from course_utils.tasks.pretend_device import CLOCK_STEP_S, run_and_wait
from course_utils.tasks.task import Task


def read_twice_slow(run, wait):
    """Seconds until the call returns, and seconds until its work is done."""
    start = perf_counter()
    run()
    returned = perf_counter()
    wait()
    return returned - start, perf_counter() - start


def judge_readings(given, _expected, inputs):
    """None where ``given`` is what one clock can have read after the call and after its wait, else why not."""
    now = perf_counter()
    device = inputs[0].__self__
    if given is None:
        return "read_twice returned None; is `return` missing?"
    if not (isinstance(given, (tuple, list)) and len(given) == 2 and all(isinstance(each, Real) for each in given)):
        return "Two numbers are wanted: `return returned, done`, both in seconds since the start."
    if device.runs != 1:
        return f"run() is to be called once; it was called {device.runs} times."
    (sample,) = device.samples(now)
    if sample is None:
        return "wait() was not called after run(), so nobody knows when the work was done."
    returned, done = map(float, given)
    if done < sample.shortest - CLOCK_STEP_S:
        return (
            "The second reading is too early: take it after wait(), and subtract the start, which is read before run()."
        )
    if done > sample.longest + CLOCK_STEP_S:
        return f"The work took no more than {sample.longest:.4g} s; given: {done:.4g}. Seconds are wanted."
    if returned < 0 or done - returned < device.longest_wait - CLOCK_STEP_S:
        return "The first reading is not that of the return: take it between run() and wait(), and subtract the start."
    return None


TASK = Task(
    id="read_twice",
    title="The clock, read twice",
    points=0,
    level=1,
    framework="none",
    slow=read_twice_slow,
    inputs=lambda size, generator: run_and_wait(float(generator.uniform(0.004, 0.008))),
    sizes=(1, 2, 3),
    same=judge_readings,
    hints=(
        "Three looks at the clock: before run(), between run() and wait(), after wait(). Subtract the first from both others.",
    ),
)
