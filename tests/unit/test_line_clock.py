"""``LineClock`` charges each moment to exactly one line, across calls, generators, recursion and devices."""

import sys

import pytest

from course_utils.timing.line_clock import LineClock, event_overhead_s
from course_utils.timing.page_faults import page_fault_s, page_faults


class Clock:
    """A clock that moves only when ``spend`` is called."""

    def __init__(self):
        self.time = 0.0

    def now(self):
        return self.time

    def spend(self, seconds):
        self.time += seconds


def spent_by_line(function, clock, **options):
    """Return line number relative to the function's first line → time and runs of the line."""
    own = (__file__,)
    traced = LineClock(lambda frame, caller: frame.f_code.co_filename in own, clock.now, **options)
    first = function.__code__.co_firstlineno
    lines = {line.key and line.key[1] - first: line for line in traced.run(function)}
    assert sum(line.spent for line in lines.values()) == clock.time
    return {number: (line.spent, line.runs) for number, line in lines.items() if line.spent}


def test_the_decision_whether_a_function_is_traced_takes_no_time_of_a_line():
    clock, own = Clock(), {__file__}

    def decide(frame, caller):
        if frame.f_code.co_filename in own:
            return True
        clock.spend(100)
        return False

    def outer():
        clock.spend(1)
        sys.modules["posixpath"].join("a", "b")

    lines = LineClock(decide, clock.now).run(outer)
    assert clock.time > 100 and sum(line.spent for line in lines) == 1


def test_a_line_has_its_own_time_only():
    clock = Clock()

    def outer():
        clock.spend(1)
        for _ in range(3):
            inner()
        clock.spend(4)

    def inner():
        clock.spend(10)

    # `spend` is in this file too, so its only line gets all the time.
    assert list(spent_by_line(outer, clock).values()) == [(35, 5)]
    clock.time = 0.0
    clock.spend = lambda seconds: setattr(clock, "time", clock.time + seconds)
    assert sum(time for time, _ in spent_by_line(outer, clock).values()) == 35


def test_a_generator_and_its_consumer_have_separate_times():
    clock = Clock()
    clock.spend = clock.__class__.spend.__get__(clock)

    def rows():
        for number in range(3):
            clock.time += 10
            yield number

    def consume():
        for _ in rows():
            clock.time += 1

    assert spent_by_line(consume, clock) == {-3: (30, 3), 2: (3, 3)}


def test_recursion_adds_up_and_an_exception_changes_nothing():
    clock = Clock()

    def down(depth=3):
        clock.time += 1
        if not depth:
            raise ValueError
        down(depth - 1)

    def catch():
        try:
            down()
        except ValueError:
            clock.time += 5
        clock.time += 7

    assert spent_by_line(catch, clock) == {-5: (4, 4), 4: (5, 1), 5: (7, 1)}


def test_after_a_call_a_line_continues_the_run_that_made_the_call():
    continued = []

    def down(depth=3):
        return depth and down(depth - 1)

    LineClock(
        lambda frame, caller: frame.f_code is down.__code__,
        on_line=lambda line, start: line.runs,
        on_return=lambda line, run: continued.append(run),
    ).run(down)
    assert continued == [3, 2, 1, None]


def test_device_work_belongs_to_the_line_that_started_it():
    clock, queue = Clock(), []

    def wait():
        while queue:
            clock.time += queue.pop()

    def kernels():
        queue.append(3)
        queue.append(5)
        clock.time += 1

    assert spent_by_line(kernels, clock, waiters=(wait,)) == {1: (3, 1), 2: (5, 1), 3: (1, 1)}


def test_deciding_what_to_trace_and_releasing_the_result_cost_no_line_time():
    clock = Clock()

    class Result:
        def __del__(self):
            clock.time += 50

    def make():
        clock.time += 2
        return Result()

    def is_traced(frame, caller):
        clock.time += 7
        return frame.f_code is make.__code__

    lines = LineClock(is_traced, clock.now).run(make)
    assert {line.spent for line in lines} == {0, 2}


def test_library_calls_are_counted_at_their_line():
    def calls():
        pytest.approx(1)

    lines = LineClock(lambda frame, caller: frame.f_code is calls.__code__).run(calls)
    assert [bool(line.calls) for line in lines] == [False, True]


def test_a_function_that_a_framework_calls_works_for_the_framework():
    def help_anyone():
        pass

    def call(function):
        function()

    for function, file in ((help_anyone, "own"), (call, "framework")):
        function.__code__ = function.__code__.replace(co_filename=file)

    def calls():
        call(help_anyone)
        help_anyone()

    lines = LineClock(
        lambda frame, caller: frame.f_code is calls.__code__,
        is_framework="framework".__eq__,
        belongs_to_caller="own".__eq__,
    ).run(calls)
    assert [(line.calls, line.python_calls) for line in lines] == [(0, 0), (2, 0), (1, 1)]


def test_an_earlier_trace_function_is_restored():
    def tracer(*_):
        return None

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        LineClock(lambda frame, caller: False).run(lambda: None)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)


def test_trace_events_and_page_faults_have_a_measured_cost():
    assert 0 <= event_overhead_s() < 1e-3
    assert 0 <= page_fault_s() < 1e-3
    assert page_faults() >= 0
