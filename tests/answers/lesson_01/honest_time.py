"""Answers to honest_time."""

import statistics
import time
import timeit
from time import perf_counter

import numpy as np
import torch

from answers import AnswersTo

answers = AnswersTo("honest_time")

# The slow loop loops over the calls, as any answer must; the check refuses it because it never waits.
answers.exception("the slow loop itself", "correct", says="wait()")

answers.right("the median, with a wait after each call")(lambda *inputs: statistics.median(readings(*inputs)))


@answers.right("perf_counter_ns")
def in_nanoseconds(run, wait, calls):
    return float(np.median(readings(run, wait, calls, time.perf_counter_ns))) / 1e9


@answers.right("three calls to warm up")
def with_three_warm_ups(run, wait, calls):
    for _ in range(3):
        run()
    wait()
    return statistics.median(readings(run, wait, calls))


@answers.right("one extra call, the first dropped")
def one_more_and_dropped(run, wait, calls):
    return statistics.median(readings(run, wait, calls + 1, warm_ups=0)[1:])


@answers.right("a wait before each call, too")
def waiting_before_too(run, wait, calls):
    run()
    stamps = []
    for _ in range(calls):
        wait()
        stamps.append(-time.perf_counter())
        run()
        wait()
        stamps[-1] += time.perf_counter()
    return sorted(stamps)[len(stamps) // 2]


answers.right("torch's median")(lambda *inputs: torch.tensor(readings(*inputs)).median().item())


@answers.right("timeit")
def by_timeit(run, wait, calls):
    def waited():
        run()
        wait()

    waited()
    return statistics.median(timeit.repeat(waited, number=1, repeat=calls))


@answers.right("differences of consecutive timestamps")
def between_stamps(run, wait, calls):
    run()
    wait()
    stamps = [perf_counter()]
    for _ in range(calls):
        run()
        wait()
        stamps.append(perf_counter())
    return np.median(np.diff(stamps))


answers.right("median_low")(lambda *inputs: statistics.median_low(readings(*inputs)))


@answers.wrong(line="correct", says="never called")
def no_wait(run, wait, calls):
    return statistics.median(readings(run, lambda: None, calls))


@answers.wrong(line="correct", says="began before the previous call was done")
def one_wait_at_the_end(run, wait, calls):
    run()
    wait()
    start = perf_counter()
    for _ in range(calls):
        run()
    wait()
    return (perf_counter() - start) / calls


@answers.wrong("the wait outside the timed span", "correct")
def waiting_outside_the_clock(run, wait, calls):
    run()
    wait()
    seconds = []
    for _ in range(calls):
        start = perf_counter()
        run()
        seconds.append(perf_counter() - start)
        wait()
    return statistics.median(seconds)


answers.wrong("no warm-up", "correct", says="the warm-up take at least 2")(
    lambda *i: statistics.median(readings(*i, warm_ups=0))
)


@answers.wrong("a warm-up without a wait", "correct", says="warm-up")
def warm_up_without_wait(run, wait, calls):
    run()
    return statistics.median(readings(run, wait, calls, warm_ups=0))


@answers.wrong("the warm-up counted as a call", "correct", says="the warm-up")
def counting_the_warm_up(run, wait, calls):
    return statistics.median(readings(run, wait, calls + 1, warm_ups=0))


answers.wrong("a call more", "correct", says="too many")(lambda r, w, n: statistics.median(readings(r, w, n + 1)))


answers.wrong("the mean", "correct", says="mean")(lambda *inputs: statistics.fmean(readings(*inputs)))
answers.wrong("the shortest call", "correct", says="shortest")(lambda *inputs: min(readings(*inputs)))
answers.wrong("the longest call", "correct", says="longest")(lambda *inputs: max(readings(*inputs)))


@answers.wrong("a trimmed mean", "correct")
def by_trimmed_mean(run, wait, calls):
    return statistics.fmean(sorted(readings(run, wait, calls))[: calls - calls // 5])


answers.wrong("the sum", "correct", says="sum")(lambda *inputs: sum(readings(*inputs)))
answers.wrong("milliseconds", "correct", says="milliseconds")(lambda *i: 1e3 * statistics.median(readings(*i)))


@answers.wrong(line="correct")
def a_clock_that_stops_while_the_process_waits(*inputs):
    return statistics.median(readings(*inputs, time.process_time))


answers.wrong("a tensor", "correct", says="number")(lambda *inputs: torch.tensor(readings(*inputs)).median())


@answers.wrong("all readings", "correct", says="number")
def readings(run, wait, calls, clock=perf_counter, warm_ups=1):
    for _ in range(warm_ups):
        run()
        wait()
    seconds = []
    for _ in range(calls):
        start = clock()
        run()
        wait()
        seconds.append(clock() - start)
    return seconds


answers.wrong("half of the calls", "correct")(lambda r, w, calls: statistics.median(readings(r, w, -(-calls // 2))))
answers.wrong("a constant", "correct")(lambda run, wait, calls: 0.002)


answers.wrong("readings subtracted in the wrong order", "correct", says="subtract the reading before run()")(
    lambda *inputs: -statistics.median(readings(*inputs))
)


@answers.wrong("at most three calls", "correct", says="the warm-up take at least")
def of_three_calls(run, wait, calls):
    return statistics.median(readings(run, wait, min(calls, 3)))


@answers.wrong("at most 20 calls", "correct", says="the warm-up take at least 101")
def of_20_calls(run, wait, calls):
    return statistics.median(readings(run, wait, min(calls, 20)))
