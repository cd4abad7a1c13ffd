"""Answers to timed_once."""

import time
from math import nan
from time import perf_counter

from answers import AnswersTo

answers = AnswersTo("timed_once")


@answers.right()
def on_another_clock(run, wait):
    wait()
    start = time.perf_counter_ns()
    run()
    wait()
    return (time.perf_counter_ns() - start) / 1e9


@answers.wrong("no wait before the call", line="correct", says="still busy with earlier work")
def without_a_first_wait(run, wait):
    start = perf_counter()
    run()
    wait()
    return perf_counter() - start


@answers.wrong("the clock read before the first wait", line="correct", says="read the clock right before run()")
def with_the_first_wait(run, wait):
    start = perf_counter()
    wait()
    run()
    wait()
    return perf_counter() - start


@answers.wrong("no wait", line="correct", says="the clock measured only the call")
def read_at_once(run, wait):
    wait()
    start = perf_counter()
    run()
    return perf_counter() - start


@answers.wrong(
    "the clock read before the second wait", line="correct", says="right before run() and right after wait()"
)
def waits_too_late(run, wait):
    wait()
    start = perf_counter()
    run()
    seconds = perf_counter() - start
    wait()
    return seconds


@answers.wrong("milliseconds", line="correct", says="return seconds")
def in_milliseconds(run, wait):
    wait()
    start = perf_counter()
    run()
    wait()
    return 1e3 * (perf_counter() - start)


@answers.wrong("two calls", line="correct", says="call it once")
def with_a_warm_up(run, wait):
    run()
    wait()
    return read_at_once(run, wait)


@answers.wrong("readings subtracted in the wrong order", line="correct", says="subtract the reading before run()")
def in_the_wrong_order(run, wait):
    return -on_another_clock(run, wait)


@answers.wrong("NaN", line="correct", says="The result is nan s")
def not_a_number(run, wait):
    return nan * on_another_clock(run, wait)


@answers.wrong("at most 20 ms", line="correct", says="a long call")
def at_most_20_ms(run, wait):
    return min(on_another_clock(run, wait), 0.02)
