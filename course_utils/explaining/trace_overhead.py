"""From what tracing read to what each line takes: the price of tracing is taken off, and the rest are shares of the plain call."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

from course_utils.counting.user_code import NO_STATEMENT, Statement, statement_at
from course_utils.timing.line_clock import LineTime

Times = dict[Statement, LineTime]

MOST_A_STEP_S = 2e-6  # more than this, beyond what is known, tracing adds to no event and to no library function's call
LEFT = 0.1  # of what was read of a line at least this share is its own


def by_place(lines: Iterable[LineTime]) -> Times:
    """The lines of a statement put together; a statement begins as often as its seldomest line."""
    found: Times = {}
    outer: dict[Statement, int] = {}
    for line in lines:
        key = line.key
        place = NO_STATEMENT if key is None else statement_at(*key)
        before = found.setdefault(place, LineTime())
        before.spent += line.spent
        before.events += line.events
        before.calls += line.calls
        if key is None or not line.runs:
            continue
        starts = key[0].co_firstlineno  # a comprehension on the line has code of its own, which begins further down
        if not before.runs or starts < outer[place]:
            before.runs, outer[place] = line.runs, starts
        elif starts == outer[place]:
            before.runs = min(before.runs, line.runs)
    return found


def shares(plain: Sequence[float], rounds: Sequence[Times], events_s: Sequence[float]) -> dict[Statement, float]:
    """Place → seconds, which add up to the median of ``plain``.

    What a traced event takes is known, in each round anew: a shared machine is now quicker, now slower. But it is known of
    a loop that does nothing else, and between other work, or beside a busy neighbour, it is more; and library code that is
    written in Python gets slower, too. How much, each round tells by the whole call, traced and plain; it is taken off by
    the number of events and of library functions that a line has called.

    Args:
        plain: seconds of the plain call, one for each round.
        rounds: what tracing read, each time the whole.
        events_s: what it adds in each round to a line each time that Python tells of it.
    """
    told: dict[Statement, list[float]] = {place: [] for place in rounds[0]}
    for plain_s, times, event_s in zip(plain, rounds, events_s, strict=True):
        for place, seconds in _own(plain_s, times, event_s).items():
            told.setdefault(place, []).append(seconds)
    own = {place: statistics.median(seconds) for place, seconds in told.items()}
    whole, measured_s = sum(own.values()), statistics.median(plain)
    return {place: measured_s * spent / whole if whole else 0.0 for place, spent in own.items()}


def _own(plain_s: float, times: Times, event_s: float) -> dict[Statement, float]:
    """Place → its own seconds in one round."""
    known = sum(line.spent - event_s * line.events for line in times.values())
    steps = sum(line.events + line.calls for line in times.values())
    more_s = min(MOST_A_STEP_S, max(0.0, known - plain_s) / steps) if steps else 0.0
    prices = {place: event_s * line.events + more_s * (line.events + line.calls) for place, line in times.items()}
    return {place: max(LEFT * line.spent, line.spent - prices[place]) for place, line in times.items()}
