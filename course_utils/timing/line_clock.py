"""``LineClock``: measures the time of each source line of one call through Python's trace function. It knows no
framework.

Tracing has a cost. The time inside the trace function is left out. The time that Python takes to call it is measured on
a loop of known length (``event_overhead_s``), for the caller to subtract. Python also asks for each library function
whether to trace it; that cost stays in the seconds, and ``LineTime.calls`` counts how often it occurred.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from types import CodeType, FrameType
from typing import Any

LineKey = tuple[CodeType, int]

TRIES = 3


@dataclass
class LineTime:
    """The time of one line.

    Attributes:
        key: its code object and line number; None for time outside any line.
        spent: seconds, or other units of the clock, in the line itself, without the lines that it calls.
        runs: how often it began.
        events: how many trace events it had.
        calls: how many functions it called that are not measured.
        python_calls: how many of these neither belong to a framework nor run on behalf of one; each resumption of a generator counts.
    """

    key: LineKey | None = None
    spent: float = 0.0
    runs: int = 0
    events: int = 0
    calls: int = 0
    python_calls: int = 0


class LineClock:
    """Traces a call and measures the time of each line.

    Args:
        is_traced: ``is_traced(frame, caller)`` decides whether the lines of a function that was just called are
            measured; ``caller`` is the innermost measured frame.
        now: the clock; any function that never decreases.
        waiters: functions to call at a line's end, so that the device finishes the line's work.
        is_framework: ``is_framework(file)`` says whether the functions of a file belong to a framework: they are never measured,
            and skipped as quickly as possible.
        belongs_to_caller: ``belongs_to_caller(file)`` says whether the functions of a file do the work of the code that
            calls them, such as a framework.
        on_line: ``on_line(line, start)`` is called when a line begins, at the position ``start`` in its code; its own time is
            left out.
        on_return: ``on_return(line, run)`` is called when a line continues after a call; ``run`` is what ``on_line`` returned
            when this run of the line began, and None outside any line; its own time is left out, too.
    """

    def __init__(
        self,
        is_traced: Callable[[FrameType, FrameType | None], bool],
        now: Callable[[], float] = perf_counter,
        waiters: Sequence[Callable[[], Any]] = (),
        on_line: Callable[[LineTime, int], Any] | None = None,
        on_return: Callable[[LineTime, Any], Any] | None = None,
        is_framework: Callable[[str], bool] = lambda file: False,
        belongs_to_caller: Callable[[str], bool] = lambda file: False,
    ) -> None:
        self._is_traced, self._now, self._waiters = is_traced, now, waiters
        self._on_line, self._on_return = on_line, on_return
        self._is_framework, self._belongs_to_caller = is_framework, belongs_to_caller

    def run(self, function: Callable[[], Any]) -> list[LineTime]:
        """Return the times of all lines of one call; the first entry is the time outside any line."""
        now, waiters, is_traced = self._now, self._waiters, self._is_traced
        on_line, on_return = self._on_line, self._on_return
        outside = current = LineTime()
        lines: dict[CodeType, dict[int, LineTime]] = {}
        skipped: set[CodeType] = set()
        others: dict[CodeType, bool] = {}  # Code of no framework → whether it does its caller's work.
        stack: list[tuple[LineTime, Any, FrameType | None]] = []
        run: Any = None
        innermost: FrameType | None = None
        last = 0.0

        def on_call(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal innermost, last
            code = frame.f_code
            if code in skipped:
                current.calls += 1
                return None
            call_s = now()
            if not is_traced(frame, innermost):
                current.calls += 1
                if code not in others and self._is_framework(code.co_filename):
                    skipped.add(code)
                else:
                    current.python_calls += not works_for_framework(frame)
                last += now() - call_s
                return None
            for wait in waiters:
                wait()
                call_s = now()
            current.spent += call_s - last
            current.events += 1
            stack.append((current, run, innermost))
            innermost = frame
            tracer = tracers.get(code) or tracers.setdefault(code, make_tracer(code))
            last = now()
            return tracer

        def works_for_framework(frame: FrameType | None) -> bool:
            while frame is not None and frame.f_code not in skipped:
                code = frame.f_code
                if code not in others:
                    others[code] = self._belongs_to_caller(code.co_filename)
                if not others[code]:
                    return False
                frame = frame.f_back
            return frame is not None

        def make_tracer(code: CodeType) -> Any:
            table = lines.setdefault(code, {})

            def on_event(frame: FrameType, event: str, argument: Any) -> Any:
                nonlocal current, run, innermost, last
                if event == "exception":
                    return on_event
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
                    if on_line is not None:
                        run = on_line(line, frame.f_lasti)
                else:
                    current, run, innermost = stack.pop()
                    if on_return is not None:
                        on_return(current, run)
                last = now()
                return on_event

            return on_event

        tracers: dict[CodeType, Any] = {}
        before = sys.gettrace()
        sys.settrace(on_call)
        try:
            last = now()
            result = function()  # noqa: F841 - a result that dies here would charge its release to the last line
        finally:
            sys.settrace(before)
            for wait in waiters:
                wait()
            current.spent += now() - last
        return [outside, *(line for table in lines.values() for line in table.values())]


def event_overhead_s(waiters: Sequence[Callable[[], Any]] = (), now: Callable[[], float] = perf_counter) -> float:
    """Return the seconds that one trace event adds to its line, including a wait for an idle device; the minimum of a
    few tries.

    Args:
        waiters: as for ``LineClock``.
        now: the clock of the trace; reading it is a part of the overhead.
    """

    def loop() -> None:
        for _ in range(400):
            pass

    def plain_s() -> float:
        start = now()
        loop()
        return now() - start

    def traced() -> tuple[float, int]:
        lines = LineClock(lambda frame, caller: frame.f_code is loop.__code__, now, waiters).run(loop)
        return sum(line.spent for line in lines), sum(line.events for line in lines)

    spent, events = min(traced() for _ in range(TRIES))
    return max(0.0, (spent - min(plain_s() for _ in range(TRIES))) / events)
