"""``Part``: one piece of the work inside a line of compiled code, with its time."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from course_utils.counting.user_code import Statement, UserCode
from course_utils.explaining.profiled_round import ProfiledRound, guard_seconds, profile_round
from course_utils.frameworks.compiler_interface import TimedWork

RUNS, MOST_RUNS = 3, 20  # Rounds are profiled until RUNS of them are calm, but at most MOST_RUNS.
BUDGET_S = 2.0  # The last of these rounds starts before this many seconds have passed.
TOO_LONG = 1.25  # Parts that are not interrupted take less than this many times the time of their statement.
LITTLE_FOR_OTHERS = 0.1  # A part takes nearly all of a statement's time if all others take at most this share of it.
ROUNDING = 1e-9  # A line's time outside of its parts is overhead only above this share of the line.
GUARD_CHECKS = "guard checks of compiled functions"  # By checking guards, Dynamo finds the compiled code for a call.
OVERHEAD = "call overhead and Python"
GRAPH_OVERHEAD = "overhead of the call and of its operations"  # TensorFlow's profiler omits short operations.


@dataclass(frozen=True)
class Part:
    """One piece of the work of a line, in one call.

    Attributes:
        name: the operation, the operations of a fused kernel, ``GUARD_CHECKS``, ``OVERHEAD`` or
            ``GRAPH_OVERHEAD``.
        kind: ``"operation"``, ``"kernel"``, ``"overhead"``, ``"other"`` for several small ones together, ``"module"`` for a module
            that an uncompiled line runs, or ``"call"`` for the moment of a graph's call, until ``fit_parts`` drops it.
        seconds: the time of all its runs.
        calls: how often it ran; it may have run more often if ``has_short_runs``.
        reads, writes: bytes of a kernel's inputs and results in all its runs; 0 if they are not known.
        functions: the elementary functions that a kernel computes.
        arithmetic_s: the part of its seconds that is shown to be arithmetic: it remains if the cache holds all values.
        tried_s: the part of its seconds in operations that also ran on values in the cache.
        has_short_runs: whether it is an operation of a graph that runs so briefly that TensorFlow's profiler omits runs.
        is_contiguous: whether a kernel is known to read and write only values that are neighbors in memory.
        lines: the source lines that it was written in, as far as they are known.
    """

    name: str
    kind: str
    seconds: float
    calls: int
    reads: int = 0
    writes: int = 0
    functions: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    arithmetic_s: float = 0.0
    is_contiguous: bool = False
    tried_s: float = 0.0
    has_short_runs: bool = False

    @property
    def label(self) -> str:
        """Return the part's name, how often it ran, and its source lines, for a table."""
        lines = ", ".join(map(str, self.lines))
        where = f" (line{'s' * (len(self.lines) > 1)} {lines})" if lines else ""
        times = f" × {self.calls}{' or more' if self.has_short_runs else ''}" if self.calls > 1 else ""
        return self.name + times + where


Parts = dict[Statement, tuple[Part, ...]]


def profile_parts(
    run: Callable[[Callable[[], Any]], Any],
    call: Callable[[], Any],
    own: UserCode,
    seconds: Mapping[Statement, float],
) -> tuple[Parts, set[Statement]]:
    """Return the parts of each statement that runs compiled code, with undisturbed times, and the statements whose parts
    are unknown because other programs interrupted each profiled call. Statements without such code are in neither.

    The last part is the rest of the statement in the profiled call.

    Args:
        run: runs a function, which calls ``call``, and then restores the state.
        call: the call to profile.
        own: the learner's code.
        seconds: the undisturbed time of each statement, from calls without the profiler.
    """
    guards_s = _undisturbed_guards_s(run, call, sum(seconds.values()))
    start, rounds = perf_counter(), [profile_round(run, call, own, guards_s) for _ in range(RUNS)]
    while True:
        parts = {statement: _parts_of(statement, rounds) for statement in _statements_with_compiled_code(rounds)}
        interrupted = {each for each in parts if _are_interrupted(parts[each], each, rounds, seconds)}
        is_enough = not interrupted and sum(each.is_calm() for each in rounds) >= RUNS
        if is_enough or len(rounds) >= MOST_RUNS or perf_counter() - start >= BUDGET_S:
            parts |= {each: _bound_longest(parts[each], each, rounds, seconds) for each in interrupted}
            return {each: shown for each, shown in parts.items() if shown}, {each for each in parts if not parts[each]}
        rounds.append(profile_round(run, call, own, guards_s))


def _undisturbed_guards_s(
    run: Callable[[Callable[[], Any]], Any], call: Callable[[], Any], call_s: float
) -> Sequence[float]:
    """Return the seconds of each guard check of the call, in the round that was disturbed least; () if their number differs."""
    if not guard_seconds(run, call):  # The first round prepares the profiler.
        return ()
    start, rounds = perf_counter(), list[list[float]]()
    while len(rounds) < RUNS and (not rounds or perf_counter() - start < BUDGET_S):
        rounds.append(guard_seconds(run, call, call_s))
    return list(map(min, zip(*rounds))) if len(set(map(len, rounds))) == 1 else ()


def _statements_with_compiled_code(rounds: Sequence[ProfiledRound]) -> list[Statement]:
    rounds_with = Counter(
        statement
        for each in rounds
        for statement, works in each.works.items()
        if any(work.kind != "operation" for work in works)
    )
    # On a busy machine, a round may give the work at the end of a statement to the next one.
    return [statement for statement, number in rounds_with.items() if number > len(rounds) / 2]


def _are_interrupted(
    parts: Sequence[Part], statement: Statement, rounds: Sequence[ProfiledRound], seconds: Mapping[Statement, float]
) -> bool:
    """Return whether other programs interrupted these parts in every round: they take longer than the statement that contains
    them, and longer than the process had a core during it.
    """
    parts_s = sum(part.seconds for part in parts if part.name != OVERHEAD)
    core_s = statistics.median(each.core_s.get(statement, math.inf) for each in rounds)
    return parts_s > TOO_LONG * max(seconds.get(statement, math.inf), core_s)


def _bound_longest(
    parts: Sequence[Part], statement: Statement, rounds: Sequence[ProfiledRound], seconds: Mapping[Statement, float]
) -> tuple[Part, ...]:
    """Return interrupted parts in which the longest one takes what all others leave of the statement's undisturbed time;
    () if the others leave too little of it.

    If ``tanh`` took 9 ms, ``sum`` 0.05 ms, and the undisturbed statement takes 1 ms, ``tanh`` takes 0.95 ms of it.
    """
    longest, *others = sorted((part for part in parts if part.name != OVERHEAD), key=lambda part: -part.seconds)
    others.append(Part(OVERHEAD, "overhead", _rest_s(statement, rounds), 1))
    whole_s, others_s = seconds.get(statement, 0.0), sum(part.seconds for part in others)
    if others_s > LITTLE_FOR_OTHERS * whole_s:
        return ()
    return (replace(longest, seconds=whole_s - others_s), *others)


def _rest_s(statement: Statement, rounds: Sequence[ProfiledRound]) -> float:
    """Return the least time of the statement outside of its parts in one of the rounds."""
    # A busy machine may delay the work of one round and the call of another one, so both are of the same round.
    rests = (
        each.times[statement].spent - sum(work.end_s - work.start_s for work in each.works[statement])
        for each in rounds
        if statement in each.times and statement in each.works
    )
    return max(0.0, min(rests, default=0.0))


def _parts_of(statement: Statement, rounds: Sequence[ProfiledRound]) -> tuple[Part, ...]:
    parts = _merge([each.works.get(statement, []) for each in rounds])
    # If the parts run on other threads, the call also waits until these get a core.
    core_s = min((each.core_s[statement] for each in rounds if statement in each.core_s), default=math.inf)
    rest_s = min(_rest_s(statement, rounds), core_s - sum(part.seconds for part in parts))
    return (*parts, Part(OVERHEAD, "overhead", max(0.0, rest_s), 1))


def profiled_s(parts: Sequence[Part]) -> float:
    """Return the seconds of the statement with these parts in the profiled call; infinity if they do not show it."""
    return sum(part.seconds for part in parts) if any(part.name == OVERHEAD for part in parts) else math.inf


def _merge(rounds: Sequence[list[TimedWork]]) -> list[Part]:
    """Return one part for each name, the longest first."""
    parts = []
    for name in dict.fromkeys(work.name for works in rounds for work in works):
        same = [[work for work in works if work.name == name] for works in rounds]
        first = next(works for works in same if works)
        parts.append(
            Part(
                name=GUARD_CHECKS if first[0].kind == "guards" else name,
                kind="overhead" if first[0].kind == "guards" else first[0].kind,
                seconds=_undisturbed_s(same),
                calls=len(first),
                reads=sum(work.reads for work in first),
                writes=sum(work.writes for work in first),
                functions=first[0].functions,
            )
        )
    return sorted(parts, key=lambda part: -part.seconds)


def _undisturbed_s(rounds: Sequence[list[TimedWork]]) -> float:
    """Return the seconds of all runs of a part, each in the round that was disturbed least; 0 if most rounds lack the
    part.
    """
    seconds = [[work.seconds for work in sorted(works, key=lambda each: each.start_s)] for works in rounds]
    if len({len(each) for each in seconds}) == 1:
        return sum(map(min, zip(*seconds)))
    sums = [sum(each) for each in seconds if each]
    return min(sums) if len(sums) > len(rounds) / 2 else 0.0
