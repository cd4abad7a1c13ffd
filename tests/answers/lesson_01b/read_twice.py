"""Answers to read_twice."""

from math import nan
from time import perf_counter

from answers import AnswersTo

answers = AnswersTo("read_twice")


@answers.right()
def by_three_readings(run, wait):
    readings = [perf_counter()]
    for each in (run, wait):
        each()
        readings.append(perf_counter())
    return [reading - readings[0] for reading in readings[1:]]


@answers.wrong("both readings after the wait", line="correct", says="read the clock between run() and wait()")
def one_reading(run, wait):
    start = perf_counter()
    run()
    wait()
    return perf_counter() - start, perf_counter() - start


@answers.wrong("no wait", line="correct", says="wait() was not called")
def no_wait(run, wait):
    start = perf_counter()
    run()
    return perf_counter() - start, perf_counter() - start


@answers.wrong("half of the time of the wait", line="correct", says="The second number is too small")
def from_the_return_on(run, wait):
    run()
    start = perf_counter()
    wait()
    return 0.0, (perf_counter() - start) / 2


@answers.wrong("the second time begins when the call returns", line="correct", says="The second number is too small")
def from_one_reading_to_the_next(run, wait):
    start = perf_counter()
    run()
    returned = perf_counter()
    wait()
    return returned - start, perf_counter() - returned


@answers.wrong("the clock starts after the call", line="correct", says="The second number is too small")
def started_late(run, wait):
    run()
    start = perf_counter()
    returned = perf_counter() - start
    wait()
    return returned, perf_counter() - start


@answers.wrong("0 for the first time", line="correct", says="The first number is not the time")
def returns_at_once(run, wait):
    start = perf_counter()
    run()
    wait()
    return 0.0, perf_counter() - start


@answers.wrong("the two times swapped", line="correct", says="in the wrong order")
def swapped(run, wait):
    return by_three_readings(run, wait)[::-1]


@answers.wrong("NaN", line="correct", says="A time is NaN")
def not_a_number(run, wait):
    return nan, by_three_readings(run, wait)[1]


@answers.wrong("readings of the clock", line="correct", says="The second number is too large")
def without_the_start(run, wait):
    run()
    returned = perf_counter()
    wait()
    return returned, perf_counter()


@answers.wrong("a reading, and the time of the wait", line="correct", says="The second number is too small")
def reading_and_wait(run, wait):
    run()
    returned = perf_counter()
    wait()
    return returned, perf_counter() - returned


@answers.wrong("the first time counted twice", line="correct", says="The second number is too large")
def counted_twice(run, wait):
    returned, done = by_three_readings(run, wait)
    return returned, returned + done
