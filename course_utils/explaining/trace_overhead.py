"""Removes what tracing adds to the seconds of each line.

Tracing adds to a line's seconds for each trace event of the line, and for each library function that the line calls. The
cost of an event is known from a loop that does nothing else, but between other work it is higher. The whole call shows by
how much: without all that tracing adds, the traced call takes as long as a plain one.

    traced: line A 14 µs with 3 events and 1 library call, line B 6 µs with 2 events; an event costs 1 µs; plain: 12 µs
    without the known cost: A 11 µs, B 4 µs, together 15 µs, so 3 µs are left for 6 events and calls: 0.5 µs each
    A: 11 - 4 * 0.5 = 9 µs, B: 4 - 2 * 0.5 = 3 µs

Some versions of Python run a function several times slower while a trace function is set, even if it traces none of its lines. If
events and calls do not explain how much longer the traced call takes, the lines that call such functions get the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from course_utils.counting.user_code import NO_STATEMENT, Statement, statement_at
from course_utils.timing.line_clock import LineTime

StatementTimes = dict[Statement, LineTime]

MAX_EXTRA_S = 2e-6  # Tracing adds no more than this, beyond the known cost, to an event or a library function's call.
LEAST_SHARE = 0.1  # At least this share of a line's traced seconds is its own.
ENOUGH = 3  # This many rounds are enough for the lines' shares.
MOST_SLOWDOWN = 6.0  # Tracing makes Python functions at most this many times slower.


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


def seconds_by_statement(measured_s: float, rounds: Sequence[TracedRound]) -> dict[Statement, float]:
    """Return each statement's own seconds; together they are ``measured_s``, the seconds of the whole call."""
    # Rounds whose clock adds up the time of several threads count only if there are too few others.
    unshared = [each for each in rounds if not each.is_shared]
    rounds = unshared if len(unshared) >= ENOUGH else [each for each in rounds if each.is_shared] or unshared
    # What an interruption adds to one line looks like a cost of all events, so the rounds with the least extra cost count.
    extra_s = _lower_quartile([each.extra_s() for each in rounds])
    python_share = _lower_quartile([each.python_share(extra_s) for each in rounds])
    own: dict[Statement, list[float]] = {}
    for each in rounds:
        for statement, line in each.times.items():
            own.setdefault(statement, []).append(each.own_s(line, extra_s, python_share))
    typical = {statement: _lower_quartile(seconds) for statement, seconds in own.items()}
    total = sum(typical.values())
    return {statement: measured_s * seconds / total if total else 0.0 for statement, seconds in typical.items()}


@dataclass(frozen=True)
class TracedRound:
    """One traced call.

    Attributes:
        plain_s: the seconds of the plain call before it, by the clock of the trace.
        times: what tracing measured.
        event_s: the known cost of one trace event; it varies with what else the machine does.
        is_shared: whether the clock is the processor time of several threads together.
    """

    plain_s: float
    times: StatementTimes
    event_s: float
    is_shared: bool = False

    def extra_s(self) -> float:
        """Return what tracing adds to one event, or one call of a library function, beyond the known cost of an event."""
        without_known_s = sum(line.spent - self.event_s * line.events for line in self.times.values())
        steps = sum(line.events + line.calls for line in self.times.values())
        return min(MAX_EXTRA_S, max(0.0, without_known_s - self.plain_s) / steps) if steps else 0.0

    def python_share(self, extra_s: float) -> float:
        """Return the share that tracing added to the remaining seconds of the lines that call Python functions."""
        rest = {statement: self.own_s(line, extra_s, 0.0) for statement, line in self.times.items()}
        slowed_s = sum(seconds for statement, seconds in rest.items() if self.times[statement].python_calls)
        added_s = sum(rest.values()) - self.plain_s
        return min(1 - 1 / MOST_SLOWDOWN, max(0.0, added_s / slowed_s)) if slowed_s else 0.0

    def own_s(self, line: LineTime, extra_s: float, python_share: float) -> float:
        """Return a line's own seconds."""
        rest_s = line.spent - self.event_s * line.events - extra_s * (line.events + line.calls)
        return max(LEAST_SHARE * line.spent, rest_s * (1 - python_share * (line.python_calls > 0)))


def _lower_quartile(seconds: Sequence[float]) -> float:
    """Return the lower quartile: interruptions only lengthen a line, so they change it little."""
    return sorted(seconds)[len(seconds) // 4]
