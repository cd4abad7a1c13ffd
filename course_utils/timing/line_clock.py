"""Tells on which lines the time of one call goes, through Python's trace function. It knows no framework.

Tracing has a price of its own. What is spent inside the trace function is left out; what Python takes to call it is found by
tracing a loop of known length, and taken off. For every function of a library Python asks, too, whether it is to be traced:
that price is left in the seconds, beside the number of times, for whoever also knows what the call takes untraced.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from types import CodeType, FrameType
from typing import Any

Key = tuple[CodeType, int]

TRIES = 3  # to find what an event takes


@dataclass
class LineTime:
    """What one line took.

    Attributes:
        key: its code and number; None for what lies outside of any line.
        spent: seconds, or whatever the clock counts, of the line itself; other lines' own are theirs.
        runs: times that it was begun.
        events: times that Python told of it.
        calls: functions of libraries that were called from it.
    """

    key: Key | None = None
    spent: float = 0.0
    runs: int = 0
    events: int = 0
    calls: int = 0


class LineClock:
    """Traces calls and keeps the time of each line.

    Args:
        enters: ``enters(frame, caller)``: whether the lines of a function just called are of interest; ``caller`` is the
            innermost frame that is.
        now: the clock; anything that only grows.
        waiters: what must be called at a line's end for its work to be done.
        begins: told of each line that begins, or goes on after a call: ``begins(line, anew)``; its own time is left out.
    """

    def __init__(
        self,
        enters: Callable[[FrameType, FrameType | None], bool],
        now: Callable[[], float] = perf_counter,
        waiters: Sequence[Callable[[], Any]] = (),
        begins: Callable[[LineTime, bool], None] | None = None,
    ) -> None:
        self._enters, self._now, self._waiters, self._begins = enters, now, waiters, begins

    def run(self, function: Callable[[], Any]) -> list[LineTime]:
        """Call ``function`` once; returns its lines' times, first what lies outside of any line."""
        now, waiters, enters, begins = self._now, self._waiters, self._enters, self._begins
        outside = current = LineTime()
        lines: dict[CodeType, dict[int, LineTime]] = {}
        stack: list[tuple[LineTime, FrameType | None]] = []
        innermost: FrameType | None = None
        last = 0.0

        def called(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal innermost, last
            called_at = now()
            if not enters(frame, innermost):
                current.calls += 1
                return None
            for wait in waiters:
                wait()
                called_at = now()
            current.spent += called_at - last
            current.events += 1
            stack.append((current, innermost))
            innermost = frame
            local = tracers.get(frame.f_code) or tracers.setdefault(frame.f_code, tracer(frame.f_code))
            last = now()
            return local

        def tracer(code: CodeType) -> Any:
            table = lines.setdefault(code, {})

            def stepped(frame: FrameType, event: str, argument: Any) -> Any:
                nonlocal current, innermost, last
                if event == "exception":
                    return stepped
                for wait in waiters:
                    wait()
                current.spent += now() - last
                current.events += 1
                if event == "line":
                    number = frame.f_lineno
                    line = table.get(number)
                    if line is None:
                        line = table[number] = LineTime((code, number))
                    line.runs += 1
                    current = line
                else:
                    current, innermost = stack.pop()
                if begins is not None:
                    begins(current, event == "line")
                last = now()
                return stepped

            return stepped

        tracers: dict[CodeType, Any] = {}
        before = sys.gettrace()
        sys.settrace(called)
        try:
            last = now()
            kept = function()  # noqa: F841 - to give its memory back is the caller's, and no line's
        finally:
            sys.settrace(before)
            for wait in waiters:
                wait()
            current.spent += now() - last
        return [outside, *(line for table in lines.values() for line in table.values())]


def event_s(waiters: Sequence[Callable[[], Any]] = ()) -> float:
    """Seconds that one traced event adds to its line, a wait for an idle device included: the least of a few tries."""

    def lines() -> None:
        for _ in range(400):
            pass

    def plain() -> float:
        start = perf_counter()
        lines()
        return perf_counter() - start

    def traced() -> tuple[float, int]:
        found = LineClock(lambda frame, caller: frame.f_code is lines.__code__, waiters=waiters).run(lines)
        return sum(line.spent for line in found), sum(line.events for line in found)

    spent, events = min(traced() for _ in range(TRIES))
    return max(0.0, (spent - min(plain() for _ in range(TRIES))) / events)
