"""From what tracing read to shares of the plain call: a disturbed round decides nothing, whatever the machine does meanwhile."""

import pytest

from course_utils.counting.user_code import Statement
from course_utils.explaining.trace_overhead import shares
from course_utils.timing.line_clock import LineTime

COSTLY, CHEAP = Statement("step.py", 3), Statement("step.py", 4)


def read(costly_s, cheap_s, event_s, events=300):
    """One round: what the lines take and what tracing added to them."""
    return {
        COSTLY: LineTime(spent=costly_s + event_s * events, events=events),
        CHEAP: LineTime(spent=cheap_s + event_s * events, events=events),
    }


def test_two_rounds_in_which_another_program_had_the_core_move_no_share():
    rounds = [read(9e-4, 1e-4, 1e-6) for _ in range(3)] + [read(9e-4, 20e-3, 1e-6) for _ in range(2)]
    found = shares([2e-3] * 5, rounds, [1e-6] * 5)
    assert found == {COSTLY: pytest.approx(1.8e-3), CHEAP: pytest.approx(0.2e-3)}


def test_each_round_pays_the_price_that_tracing_had_in_it():
    prices = [1e-6, 3e-6, 3e-6, 1e-6, 3e-6]
    found = shares([1e-3] * 5, [read(9e-4, 1e-4, price) for price in prices], prices)
    assert found == {COSTLY: pytest.approx(0.9e-3), CHEAP: pytest.approx(0.1e-3)}


def test_events_that_cost_more_than_in_a_loop_of_their_own_are_taken_off_by_what_the_plain_call_took():
    found = shares([1e-3] * 5, [read(9e-4, 1e-4, 2.5e-6)] * 5, [1e-6] * 5)
    assert found == {COSTLY: pytest.approx(0.9e-3), CHEAP: pytest.approx(0.1e-3)}
