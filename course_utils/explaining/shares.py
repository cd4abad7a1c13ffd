"""From what tracing read to what each line takes: the price of tracing is taken off, and the rest are shares of the plain call."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

from course_utils.counting.own_code import CALL, Place, place_of
from course_utils.timing.line_clock import LineTime

Times = dict[Place, LineTime]

MOST_A_CALL_S = 2e-6  # more than this tracing does not add to a library function that is called
LEFT = 0.1  # of what was read of a line at least this share is its own


def by_place(lines: Iterable[LineTime]) -> Times:
    """The lines of a statement put together; a statement begins as often as its seldomest line."""
    found: Times = {}
    outer: dict[Place, int] = {}
    for line in lines:
        key = line.key
        place = CALL if key is None else place_of(*key)
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


def shares(measured_s: float, rounds: Sequence[Times], events_s: Sequence[float]) -> dict[Place, float]:
    """Place → seconds, which add up to ``measured_s``.

    What a traced event takes is known, in each round anew: a shared machine is now quicker, now slower. Beyond it, tracing slows down library code that is written in Python; how much, is
    told by the whole call, traced and plain, and taken off by the number of library functions that a line has called.

    Args:
        measured_s: seconds of the plain call.
        rounds: what tracing read, each time the whole.
        events_s: what it adds in each round to a line each time that Python tells of it.
    """
    told: dict[Place, list[float]] = {place: [] for place in rounds[0]}
    for times, event_s in zip(rounds, events_s, strict=True):
        for place in told.keys() & times.keys():
            line = times[place]
            told[place].append(max(LEFT * line.spent, line.spent - event_s * line.events))
    own = {place: statistics.median(seconds) for place, seconds in told.items()}
    calls = sum(line.calls for line in rounds[0].values())
    too_much = sum(own.values()) - measured_s
    if calls and too_much > 0:
        price = min(MOST_A_CALL_S, too_much / calls)
        own = {place: max(LEFT * spent, spent - price * rounds[0][place].calls) for place, spent in own.items()}
    whole = sum(own.values())
    return {place: measured_s * spent / whole if whole else 0.0 for place, spent in own.items()}
