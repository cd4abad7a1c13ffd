"""The clock of lines: each line has its own time, whoever calls whom."""

import sys

import pytest

from course_utils.timing.line_clock import LineClock, event_s
from course_utils.timing.page_faults import fault_s, page_faults


class Clock:
    """Time that passes only when somebody spends it."""

    def __init__(self):
        self.time = 0.0

    def now(self):
        return self.time

    def spend(self, seconds):
        self.time += seconds


def spent(function, clock, **options):
    """Source line, counted from the function's first → what it took, and how often it ran."""
    own = (__file__,)
    traced = LineClock(lambda frame, caller: frame.f_code.co_filename in own, clock.now, **options)
    first = function.__code__.co_firstlineno
    lines = {line.key and line.key[1] - first: line for line in traced.run(function)}
    assert sum(line.spent for line in lines.values()) == clock.time
    return {number: (line.spent, line.runs) for number, line in lines.items() if line.spent}


def test_a_line_has_its_own_time_and_no_others():
    clock = Clock()

    def outer():
        clock.spend(1)
        for _ in range(3):
            inner()
        clock.spend(4)

    def inner():
        clock.spend(10)

    # `spend` is this file's code too: its one line takes the time of all.
    assert list(spent(outer, clock).values()) == [(35, 5)]
    clock.time = 0.0
    clock.spend = lambda seconds: setattr(clock, "time", clock.time + seconds)
    assert sum(time for time, _ in spent(outer, clock).values()) == 35


def test_a_generator_and_its_consumer_take_turns():
    clock = Clock()
    clock.spend = clock.__class__.spend.__get__(clock)

    def rows():
        for number in range(3):
            clock.time += 10
            yield number

    def consume():
        for _ in rows():
            clock.time += 1

    assert spent(consume, clock) == {-3: (30, 3), 2: (3, 3)}


def test_a_recursion_adds_up_and_an_error_on_the_way_disturbs_nothing():
    clock = Clock()

    def down(depth=3):
        clock.time += 1
        if not depth:
            raise ValueError
        down(depth - 1)

    def caught():
        try:
            down()
        except ValueError:
            clock.time += 5
        clock.time += 7

    assert spent(caught, clock) == {-5: (4, 4), 4: (5, 1), 5: (7, 1)}


def test_the_work_that_a_line_gave_to_a_device_is_that_lines():
    clock, queue = Clock(), []

    def wait():
        while queue:
            clock.time += queue.pop()

    def kernels():
        queue.append(3)
        queue.append(5)
        clock.time += 1

    assert spent(kernels, clock, waiters=(wait,)) == {1: (3, 1), 2: (5, 1), 3: (1, 1)}


def test_to_ask_whether_a_function_is_of_interest_and_to_give_its_result_back_is_no_lines_time():
    clock = Clock()

    class Result:
        def __del__(self):
            clock.time += 50

    def makes():
        clock.time += 2
        return Result()

    def enters(frame, caller):
        clock.time += 7
        return frame.f_code is makes.__code__

    lines = LineClock(enters, clock.now).run(makes)
    assert {line.spent for line in lines} == {0, 2}


def test_library_functions_are_counted_where_they_are_called():
    def calls():
        pytest.approx(1)

    found = LineClock(lambda frame, caller: frame.f_code is calls.__code__).run(calls)
    assert [bool(line.calls) for line in found] == [False, True]


def test_who_traced_before_traces_on():
    def tracer(*_):
        return None

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        LineClock(lambda frame, caller: False).run(lambda: None)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)


def test_what_tracing_and_new_memory_cost_is_measured():
    assert 0 <= event_s() < 1e-3
    assert 0 <= fault_s() < 1e-3
    assert page_faults() >= 0
