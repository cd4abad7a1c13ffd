"""``time_modules``: the time of each module that a call runs, and the line that calls it."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import Any

from course_utils.core.measurement_budgets import FIRST_LOOK_S
from course_utils.counting.by_module import ModulePath, ModuleStack
from course_utils.counting.user_code import NO_STATEMENT, Statement, UserCode, statement_at
from course_utils.timing.page_faults import page_faults

ROUNDS, BUDGET_S = 5, 0.3 * FIRST_LOOK_S
LEAST_SHARE = 0.1  # At least this share of a module's time is its own, whatever the hooks add.


@dataclass
class ModuleTime:
    """The time of one module in one call.

    Attributes:
        seconds: the time of all its runs, with the modules inside it.
        runs: how often it ran.
        inner_runs: how often modules inside it ran.
        statement: the learner's statement that called it, itself or through a library.
        page_faults: the pages that the system provided for all its runs; 0 if they were not counted.
    """

    seconds: float = 0.0
    runs: int = 0
    inner_runs: int = 0
    statement: Statement = NO_STATEMENT
    page_faults: int = 0


def time_modules(
    run: Callable[[Callable[[], Any]], Any],
    call: Callable[[], Any],
    user_code: UserCode,
    now: Callable[[], float],
    waiters: Sequence[Callable[[], Any]],
    plain_s: float | None,
    most_faults: float,
) -> tuple[dict[ModulePath, ModuleTime], float]:
    """Return the time of each module in the round that disturbed it least, in the order of first runs, and that of the call.

    Args:
        run: runs a function that calls ``call``, and restores the state after it.
        call: the call.
        user_code: the learner's code.
        now: the clock.
        waiters: functions that return when the device is done; empty for the CPU.
        plain_s: the time of the plain call, which the times are scaled to; None to scale nothing.
        most_faults: the page faults of the call. The counts of the modules are scaled down to it; 0 to count none.
    """
    rounds: list[tuple[float, dict[ModulePath, ModuleTime]]] = []
    start = perf_counter()
    while not rounds or rounds[0][1] and len(rounds) < ROUNDS and perf_counter() - start < BUDGET_S:
        rounds.append(run(lambda: _one_round(call, user_code, now, waiters)))
    total_s, times = min(rounds, key=lambda each: each[0])
    for path, module in times.items():
        module.seconds = min(each[path].seconds for _, each in rounds if path in each)
    runs = sum(module.runs for module in times.values())
    whole_s = max(total_s - runs * _hook_s(), LEAST_SHARE * total_s)
    scale = 1.0 if plain_s is None else plain_s / whole_s
    for module in times.values():
        own_s = max(LEAST_SHARE * module.seconds, module.seconds - _hook_s() * (module.inner_runs + module.runs / 2))
        module.seconds = own_s * scale
    if times and most_faults:
        total, faults = run(lambda: _one_round(call, user_code, page_faults, ()))
        share = min(1.0, most_faults / total) if total else 0.0
        for path in times.keys() & faults.keys():
            times[path].page_faults = int(share * faults[path].seconds)
    return times, scale * whole_s


def _one_round(
    call: Callable[[], Any], user_code: UserCode, now: Callable[[], float], waiters: Sequence[Callable[[], Any]]
) -> tuple[float, dict[ModulePath, ModuleTime]]:
    """Return the time of the call with hooks and the time of each module. If ``now`` counts page faults, return their numbers."""
    times = defaultdict[ModulePath, ModuleTime](ModuleTime)
    stack, starts = ModuleStack(), list[float]()

    def entry() -> Any:
        return call()

    def on_enter() -> None:
        module = times[stack.path]
        if not module.runs:
            frame, _, _ = user_code.find_frames(sys._getframe(1), entry.__code__)
            module.statement = NO_STATEMENT if frame is None else statement_at(frame.f_code, frame.f_lineno)
        module.runs += 1
        for depth in range(1, len(stack.path)):
            times[stack.path[:depth]].inner_runs += 1
        _wait(waiters)
        starts.append(now())

    def on_leave() -> None:
        _wait(waiters)
        times[stack.path].seconds += now() - starts.pop()

    with stack.follow(on_enter, on_leave):
        start = now()
        entry()
        return now() - start, dict(times)


@cache
def _hook_s() -> float:
    """Return the seconds that the hooks add to one run of a module: measured on the stack alone, without a framework's
    part.
    """
    stack, module = ModuleStack(), object()
    tries = []
    for _ in range(50):
        start = perf_counter()
        stack.enter(module)
        stack.leave(module)
        tries.append(perf_counter() - start)
    return min(tries)


def _wait(waiters: Sequence[Callable[[], Any]]) -> None:
    for wait in waiters:
        wait()
