"""Each line gets its share of the plain call, without the overhead of tracing, also if some rounds were disturbed."""

import pytest

from course_utils.counting.user_code import Statement
from course_utils.explaining.trace_overhead import TracedRound, seconds_by_statement
from course_utils.timing.line_clock import LineTime

COSTLY, CHEAP = Statement("step.py", 3), Statement("step.py", 4)


def traced_round(costly_s, cheap_s, event_s, events=300):
    """Return one round: the seconds of two lines, and what tracing added to them."""
    return {
        COSTLY: LineTime(spent=costly_s + event_s * events, events=events),
        CHEAP: LineTime(spent=cheap_s + event_s * events, events=events),
    }


def test_two_disturbed_rounds_of_five_change_no_share():
    rounds = [traced_round(9e-4, 1e-4, 1e-6) for _ in range(3)] + [traced_round(9e-4, 20e-3, 1e-6) for _ in range(2)]
    seconds = seconds_by_statement(2e-3, [TracedRound(2e-3, each, 1e-6) for each in rounds])
    assert seconds == {COSTLY: pytest.approx(1.8e-3), CHEAP: pytest.approx(0.2e-3)}


def test_the_time_of_several_threads_counts_only_if_all_rounds_were_interrupted():
    calm = [TracedRound(2e-3, traced_round(9e-4, 1e-4, 1e-6), 1e-6)] * 3
    shared = [TracedRound(4e-3, traced_round(18e-4, 1e-4, 1e-6), 1e-6, is_shared=True)] * 4
    assert seconds_by_statement(1e-3, [*calm, *shared])[COSTLY] == pytest.approx(0.9e-3)
    assert seconds_by_statement(1e-3, [*calm[:2], *shared])[COSTLY] == pytest.approx(18 / 19 * 1e-3)


def test_each_round_subtracts_its_own_cost_of_tracing():
    costs = [1e-6, 3e-6, 3e-6, 1e-6, 3e-6]
    seconds = seconds_by_statement(1e-3, [TracedRound(1e-3, traced_round(9e-4, 1e-4, cost), cost) for cost in costs])
    assert seconds == {COSTLY: pytest.approx(0.9e-3), CHEAP: pytest.approx(0.1e-3)}


def test_the_plain_call_shows_what_else_tracing_added():
    seconds = seconds_by_statement(1e-3, [TracedRound(1e-3, traced_round(9e-4, 1e-4, 2.5e-6), 1e-6)] * 5)
    assert seconds == {COSTLY: pytest.approx(0.9e-3), CHEAP: pytest.approx(0.1e-3)}


def test_tracing_slows_down_only_the_lines_that_call_python_functions():
    # The comprehension takes 1 ms and the conversion 2 ms; traced, the comprehension takes 4 ms with 500 calls.
    times = {COSTLY: LineTime(spent=4e-3, events=1, calls=500, python_calls=500), CHEAP: LineTime(spent=2e-3, events=1)}
    seconds = seconds_by_statement(3e-3, [TracedRound(3e-3, times, 1e-7)] * 5)
    assert seconds == {COSTLY: pytest.approx(1e-3, rel=0.02), CHEAP: pytest.approx(2e-3, rel=0.02)}
    times[COSTLY].python_calls = 0
    seconds = seconds_by_statement(3e-3, [TracedRound(3e-3, times, 1e-7)] * 5)
    assert seconds[COSTLY] == pytest.approx(3 * 3 / 5 * 1e-3, rel=0.02)
