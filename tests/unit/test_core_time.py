"""The time in which a call's thread ran on a core, and the time in which it waited."""

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from course_utils.explaining import plain_times
from course_utils.explaining.plain_times import PlainTimes
from course_utils.timing import core_time
from course_utils.timing.core_time import CoreTime, measure_core_time


def compute():
    sum(range(300_000))


ALONE = """
import json, sys, time
from course_utils.timing.core_time import measure_core_time

calls = [lambda: time.sleep(0.05), lambda: sum(range(300_000))]
json.dump([measure_core_time(call) for call in calls], sys.stdout)
"""


@pytest.mark.slow
def test_a_sleeping_call_waits_and_a_computing_one_does_not():
    # OpenBLAS's threads wait for work in a loop for a while, which counts as work of the process.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", ALONE], env=environment, capture_output=True, text=True, check=True)
    sleeping, computing = (CoreTime(*times) for times in json.loads(done.stdout))
    if sleeping.waited_s is None:
        pytest.skip("the system does not report it")
    assert sleeping.waited_s > 0.04 > sleeping.core_s
    assert computing.waited_s < 0.04 and computing.core_s > 0


def test_the_time_of_a_call_contains_the_work_of_other_threads():
    with ThreadPoolExecutor(1) as pool:
        pool.submit(compute).result()  # The scheduler reports the delays of a thread that has not ended.
        core = measure_core_time(lambda: [pool.submit(compute).result() for _ in range(5)])
    assert core.is_shared and core.core_s > measure_core_time(compute).core_s
    if core.waited_s is None:
        pytest.skip("the system does not report it")
    assert core.waited_s < core.core_s, "this thread waits for the other one, which works"


def test_a_call_without_waits_needs_no_report_of_the_scheduler(monkeypatch):
    monkeypatch.setattr(core_time, "_delay_s", lambda: None)
    monkeypatch.setattr(core_time, "_count_waits", lambda: 3)
    assert measure_core_time(compute).waited_s == 0.0
    counts = iter(range(9))
    monkeypatch.setattr(core_time, "_count_waits", lambda: next(counts))
    assert measure_core_time(compute).waited_s is None


def test_a_call_is_disturbed_if_other_programs_take_its_time_and_not_if_it_waits():
    def plain_times(core_s, waited_s, is_shared=False):
        times = PlainTimes(stopwatch=None, on_device=False)
        times.seconds, times.wall_s, times.core_times = (
            [1.0] * 3,
            [1.0] * 3,
            [CoreTime(core_s, waited_s, is_shared)] * 3,
        )
        return times

    assert plain_times(0.4, 0.0).is_disturbed() and plain_times(0.4, 0.01).is_disturbed()
    assert plain_times(0.4, 0.01).undisturbed_share() == 0.4
    assert plain_times(0.4, 0.0).clock_if_interrupted() is time.thread_time
    assert plain_times(0.4, 0.01).work_clock() is None
    assert plain_times(0.4, 0.01, True).clock_if_interrupted() is time.process_time
    for waits in (plain_times(0.4, 0.6), plain_times(0.4, None)):
        assert not waits.is_disturbed() and waits.undisturbed_share() == 1.0
    assert not plain_times(0.95, 0.0).is_disturbed()


class Clock:
    """A clock that only calls advance: each by 1 s, the seventh by 100 s."""

    def __init__(self):
        self.time, self.calls = 0.0, 0

    def now(self):
        return self.time

    def call(self):
        self.calls += 1
        self.time += 100.0 if self.calls == 7 else 1.0

    def block(self, function, args, calls):
        start = self.time
        for _ in range(calls):
            function(*args)
        return self.time - start


def test_an_interruption_of_one_short_call_does_not_change_the_time_of_a_block(monkeypatch):
    # This system doesn't report the time of other programs, and its clock is not the thread's.
    monkeypatch.setattr(plain_times, "measure_core_time", lambda call: (call(), CoreTime(0.0, None))[1])
    clock = Clock()
    assert PlainTimes(clock, on_device=False).time(clock.call, 40) == 1.0
    assert clock.calls == 40
    on_device = PlainTimes(Clock(), on_device=True)
    assert on_device.time(on_device.stopwatch.call, 40) == 139 / 40
