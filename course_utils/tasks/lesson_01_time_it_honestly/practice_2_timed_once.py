"""Practice of the wait: one call of a device that returns before it is done, timed to its end."""

from __future__ import annotations

from numbers import Real
from time import perf_counter

from course_utils.tasks.pretend_device import CLOCK_STEP_S, run_and_wait
from course_utils.tasks.task import Task


def timed_once_slow(run, wait):
    """Seconds of one call, from before it is asked for until its work is done."""
    start = perf_counter()
    run()
    wait()
    return perf_counter() - start


def judge_reading(given, _expected, inputs):
    """None where ``given`` is what a clock around the one call and its wait can have read, else why not."""
    now = perf_counter()
    device = inputs[0].__self__
    if given is None:
        return "timed_once returned None; is `return` missing?"
    if isinstance(given, bool) or not isinstance(given, Real):
        return f"Seconds are a number, such as 0.002; this is of type {type(given).__name__}."
    if device.runs != 1:
        return f"run() is to be called once; it was called {device.runs} times."
    (sample,) = device.samples(now)
    if sample is None:
        return "wait() was not called after run(): run() returns before the work is done, so the clock saw only the asking."
    if float(given) < sample.shortest - CLOCK_STEP_S:
        return (
            "The clock was not read on both sides of the whole work: once right before run(), once right after wait()."
        )
    if float(given) > sample.longest + CLOCK_STEP_S:
        return f"The call took no more than {sample.longest:.4g} s; given: {float(given):.4g}. Seconds are wanted."
    return None


TASK = Task(
    id="timed_once",
    title="One call, to its end",
    points=0,
    level=1,
    framework="none",
    slow=timed_once_slow,
    inputs=lambda size, generator: run_and_wait(float(generator.uniform(0.002, 0.004))),
    sizes=(1, 2, 3),
    same=judge_reading,
    hints=("Read the clock, run, wait, read the clock again; return the difference.",),
)
