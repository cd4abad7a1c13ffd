"""``ProfiledRound``: what a framework's profiler shows of one call, by statement."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from time import perf_counter, process_time
from types import MappingProxyType
from typing import Any, NamedTuple

from course_utils import frameworks
from course_utils.counting.user_code import NO_STATEMENT, Statement, UserCode, statement_at
from course_utils.explaining.trace_overhead import StatementTimes, merge_by_statement
from course_utils.frameworks.compiler_interface import TimedWork
from course_utils.sandbox.output import silence_stderr
from course_utils.timing.line_clock import LineClock, LineKey, LineTime

BUSY = 0.9  # If the process had a core for less than this share of the call's time, other programs took the rest.


class ProfiledRound(NamedTuple):
    """One profiled call.

    Attributes:
        works: the kernels, operations and guard checks of each statement.
        times: the time of each statement.
        core_s: the seconds in which this process had a processor core during each statement.
    """

    works: Mapping[Statement, list[TimedWork]]
    times: StatementTimes
    core_s: Mapping[Statement, float] = MappingProxyType({})

    def is_calm(self) -> bool:
        """Return whether this process had at least one core during nearly all of the call."""
        return sum(self.core_s.values()) >= BUSY * sum(line.spent for line in self.times.values())


def guard_seconds(
    run: Callable[[Callable[[], Any]], Any], call: Callable[[], Any], call_s: float = math.inf
) -> list[float]:
    """Return the seconds of each guard check of a profiled call that no clock of lines traces.

    Guards call Python functions, and tracing makes a check several times slower. If this call took longer than ``call_s``, the
    undisturbed time of a call, the checks have the same share of both.
    """

    def profiled() -> tuple[list[TimedWork], float]:
        with _profiles() as lists:
            start = perf_counter()
            call()
            profiled_s = perf_counter() - start
        return [work for works in lists for work in works], profiled_s

    with silence_stderr():
        works, profiled_s = run(profiled)
    guards = sorted((work for work in works if work.kind == "guards"), key=lambda work: work.start_s)
    return [min(1.0, call_s / profiled_s) * (work.end_s - work.start_s) for work in guards]


def profile_round(
    run: Callable[[Callable[[], Any]], Any], call: Callable[[], Any], own: UserCode, guards_s: Sequence[float] = ()
) -> ProfiledRound:
    """Return what the profiler shows of one call.

    Args:
        run: runs a function that calls ``call``, and restores the state after it.
        call: the call to profile.
        own: the learner's code.
        guards_s: the seconds of each guard check without tracing. If the call has another number of checks, it shows none.
    """
    begun: list[tuple[float, float, LineKey | None]] = [(0.0, process_time(), None)]

    def note(line: LineTime, _: object) -> None:
        begun.append((perf_counter(), process_time(), line.key))

    def profiled() -> tuple[list[TimedWork], StatementTimes]:
        with _profiles() as lists:
            lines = LineClock(own.runs_as_written, perf_counter, on_line=note, on_return=note).run(call)
            begun.append((perf_counter(), process_time(), None))
        return [work for works in lists for work in works], merge_by_statement(lines)

    with silence_stderr():  # torch's profiler writes lines of its own to stderr.
        timed_works, statement_times = run(profiled)
    times, core_times, keys = zip(*begun)
    statements = [NO_STATEMENT if key is None else statement_at(*key) for key in keys]
    works: dict[Statement, list[TimedWork]] = defaultdict(list)
    for work in _with_untraced_guards(timed_works, guards_s):
        works[statements[max(0, bisect_right(times, work.start_s) - 1)]].append(work)
    core_s: Counter[Statement] = Counter()
    for statement, start_s, end_s in zip(statements, core_times, core_times[1:]):
        core_s[statement] += end_s - start_s
    return ProfiledRound(works, statement_times, core_s)


@contextmanager
def _profiles() -> Iterator[list[list[TimedWork]]]:
    with ExitStack() as profiles:
        yield [profiles.enter_context(each.compiler.profile()) for each in frameworks.loaded()]


def _with_untraced_guards(works: Sequence[TimedWork], guards_s: Sequence[float]) -> list[TimedWork]:
    """Return the work with guard checks that take as long as without tracing; without the checks if their number differs."""
    guards = sorted((work for work in works if work.kind == "guards"), key=lambda work: work.start_s)
    others = [work for work in works if work.kind != "guards"]
    if len(guards) != len(guards_s):
        return others
    shorter = (min(seconds, work.end_s - work.start_s) for work, seconds in zip(guards, guards_s))
    return others + [replace(work, end_s=work.start_s + seconds) for work, seconds in zip(guards, shorter)]
