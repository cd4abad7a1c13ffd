"""``ProfiledRound``: what a framework's profiler shows of one call, by statement."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack
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


def profile_round(run: Callable[[Callable[[], Any]], Any], call: Callable[[], Any], own: UserCode) -> ProfiledRound:
    """Return what the profiler shows of one call.

    Args:
        run: runs a function that calls ``call``, and restores the state after it.
        call: the call to profile.
        own: the learner's code.
    """
    begun: list[tuple[float, float, LineKey | None]] = [(0.0, process_time(), None)]

    def note(line: LineTime, is_new: bool) -> None:
        begun.append((perf_counter(), process_time(), line.key))

    def profiled() -> tuple[list[TimedWork], StatementTimes]:
        with ExitStack() as profiles:
            lists = [profiles.enter_context(each.compiler.profile()) for each in frameworks.loaded()]
            lines = LineClock(own.runs_as_written, perf_counter, on_line=note).run(call)
            begun.append((perf_counter(), process_time(), None))
        return [work for works in lists for work in works], merge_by_statement(lines)

    with silence_stderr():  # torch's profiler writes lines of its own to stderr.
        timed_works, statement_times = run(profiled)
    times, core_times, keys = zip(*begun)
    statements = [NO_STATEMENT if key is None else statement_at(*key) for key in keys]
    works: dict[Statement, list[TimedWork]] = defaultdict(list)
    for work in timed_works:
        works[statements[max(0, bisect_right(times, work.start_s) - 1)]].append(work)
    core_s: Counter[Statement] = Counter()
    for statement, start_s, end_s in zip(statements, core_times, core_times[1:]):
        core_s[statement] += end_s - start_s
    return ProfiledRound(works, statement_times, core_s)
