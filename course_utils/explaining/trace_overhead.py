"""Removes what tracing adds to the seconds of each line.

Tracing adds to a line's seconds for each trace event of the line, and for each library function that the line calls. The price of
an event is known from a loop that does nothing else, but between other work it is higher. The whole call shows by how much: traced,
without the known price, it may take no longer than plain.

    traced: line A 14 µs with 3 events and 1 library call, line B 6 µs with 2 events; an event costs 1 µs; plain: 12 µs
    without the known price: A 11 µs, B 4 µs, together 15 µs, so 3 µs are left for 6 events and calls: 0.5 µs each
    A: 11 - 4 * 0.5 = 9 µs, B: 4 - 2 * 0.5 = 3 µs
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from course_utils.counting.user_code import NO_STATEMENT, Statement, statement_at
from course_utils.timing.line_clock import LineTime

StatementTimes = dict[Statement, LineTime]

MAX_EXTRA_S = 2e-6  # Tracing adds no more than this, beyond the known price, to an event or a library function's call.
LEAST_SHARE = 0.1  # At least this share of a line's traced seconds is its own.


def merge_by_statement(lines: Iterable[LineTime]) -> StatementTimes:
    """Return the times of the lines that belong to one statement, together; a statement runs as often as its rarest
    line.
    """
    merged: StatementTimes = {}
    outermost: dict[Statement, int] = {}
    for line in lines:
        key = line.key
        statement = NO_STATEMENT if key is None else statement_at(*key)
        total = merged.setdefault(statement, LineTime())
        total.spent += line.spent
        total.events += line.events
        total.calls += line.calls
        total.python_calls += line.python_calls
        if key is None or not line.runs:
            continue
        # A comprehension has code of its own, which starts further down than the function that contains it.
        starts = key[0].co_firstlineno
        if not total.runs or starts < outermost[statement]:
            total.runs, outermost[statement] = line.runs, starts
        elif starts == outermost[statement]:
            total.runs = min(total.runs, line.runs)
    return merged


def seconds_by_statement(
    measured_s: float, plain_s: Sequence[float], rounds: Sequence[StatementTimes], events_s: Sequence[float]
) -> dict[Statement, float]:
    """Return each statement's own seconds; together they are ``measured_s``.

    Args:
        measured_s: the seconds of the whole call.
        plain_s: the seconds of the plain call, in each round, by the clock of the trace.
        rounds: what tracing measured, in each round.
        events_s: the known price of one trace event, in each round; it varies with what else the machine does.
    """
    rounds_and_prices = list(zip(rounds, events_s, strict=True))
    # What an interruption adds to one line looks like a cost of all events, so the rounds with the least extra cost count.
    extra_s = _lower_quartile(
        [_extra_s(plain, times, event_s) for plain, (times, event_s) in zip(plain_s, rounds_and_prices, strict=True)]
    )
    own: dict[Statement, list[float]] = {}
    for times, event_s in rounds_and_prices:
        for statement, line in times.items():
            overhead_s = event_s * line.events + extra_s * (line.events + line.calls)
            own.setdefault(statement, []).append(max(LEAST_SHARE * line.spent, line.spent - overhead_s))
    typical = {statement: _lower_quartile(seconds) for statement, seconds in own.items()}
    total = sum(typical.values())
    return {statement: measured_s * seconds / total if total else 0.0 for statement, seconds in typical.items()}


def _extra_s(plain_s: float, times: StatementTimes, event_s: float) -> float:
    """Return what tracing adds to one event, or one call of a library function, beyond the known price of an event."""
    without_known_s = sum(line.spent - event_s * line.events for line in times.values())
    steps = sum(line.events + line.calls for line in times.values())
    return min(MAX_EXTRA_S, max(0.0, without_known_s - plain_s) / steps) if steps else 0.0


def _lower_quartile(seconds: Sequence[float]) -> float:
    """Return the lower quartile: interruptions only lengthen a line, so they change it little."""
    return sorted(seconds)[len(seconds) // 4]
