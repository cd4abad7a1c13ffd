"""``Profiler``: runs a call several times, each time from the same state: plain, traced by line, and counted."""

from __future__ import annotations

import io
import math
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TypeVar

from course_utils import frameworks
from course_utils.core.measurement_budgets import FIRST_LOOK_S
from course_utils.counting import code_owners
from course_utils.counting.by_line import count_lines
from course_utils.counting.by_module import ModulePath, count_modules
from course_utils.counting.user_code import Statement, UserCode
from course_utils.explaining.compiled_line_parts import profile_parts
from course_utils.explaining.module_times import ModuleTime, time_modules
from course_utils.explaining.plain_times import PlainTimes
from course_utils.explaining.raw_profile import RawProfile
from course_utils.explaining.reachable_state import ReachableState
from course_utils.explaining.trace_overhead import StatementTimes, TracedRound, merge_by_statement, seconds_by_statement
from course_utils.sandbox.output import OutputCapture, capture_displays
from course_utils.sandbox.restore_settings import restore_settings
from course_utils.timing import Stopwatch
from course_utils.timing.line_clock import LineClock, event_overhead_s
from course_utils.timing.page_faults import page_faults

SLOW_S = 1.0  # For its lines, a call that takes longer runs three times: plain, by line, and counted.
WARM_S = 0.1  # A call that takes less is timed right after another one, as in a program's loop.
ROUNDS, SETTLED_ROUNDS = 15, 7  # Each round runs the call plain and by line; fewer are enough if the plain times agree.
BLOCK_S = 1e-2  # A shorter call that changes nothing is repeated for this many seconds: the first calls are slower.
BUDGET_S = 0.6 * FIRST_LOOK_S  # No round starts later than this, unless too few have run.
SETTLED = 0.04  # Plain times agree if their quartiles are no further apart than this share of the median.
SHORT_S, FEWEST = 0.02, 9  # A shorter call gets at least this many rounds, however busy the machine is.
# Counting stops after this many seconds, or after this many times the call's time if that is longer.
COUNTING_S, COUNTING_TIMES = 5.0, 4
MOST_WARM_CALLS = 3  # Before a short call that is not repeated, at most this many calls warm the caches.
MAX_WARM_UPS = 8  # If a call still compiles after this many runs, every run counts as compiling.

T = TypeVar("T")


class Profiler:
    """Runs one call again and again; what it prints is shown once.

    Args:
        call: the function with its arguments.
        own: the learner's code.
        state: what is restored after each run.
        stopwatch: the clock for the device.
        waiters: functions that return when the device is done; empty for the CPU.
    """

    def __init__(
        self,
        call: Callable[[], Any],
        own: UserCode,
        state: ReachableState,
        stopwatch: Stopwatch,
        waiters: tuple[Callable[[], Any], ...],
    ) -> None:
        self._call, self._own, self._state, self._stopwatch, self._waiters = call, own, state, stopwatch, waiters
        self._times, self._repeats, self._warm_calls = 0, 1, 1
        self._plain_times = PlainTimes(stopwatch, on_device=bool(waiters))

    def profile(self) -> RawProfile:
        """Run the call plain, by line and counted. Errors of the code pass through."""
        try:
            return self._profile()
        finally:
            self._state.restore_original()

    def _profile(self) -> RawProfile:
        now = self._stopwatch.now
        before = frameworks.compilation_count(with_traces=True)
        first_s = first_call_s = self._time_plain(is_warm=False)
        compilations = frameworks.compilation_count(with_traces=True) - before
        always_compiles = compilations > 0 and not self._compile_all()
        if first_s < SLOW_S or compilations:
            self._plain_times.forget()  # The first call may prepare something that later calls reuse.
            first_s = self._time_plain(is_warm=False)
        is_slow = first_s >= SLOW_S
        if first_s < BLOCK_S and self._state.is_unchanged:
            self._repeats = math.ceil(BLOCK_S / max(first_s, 1e-6))
            warm_s = self._time_plain(is_warm=True)  # The first call found cold caches.
            self._repeats = math.ceil(BLOCK_S / max(warm_s, 1e-6))
        # Other virtual machines may have emptied a shared cache, and one call does not always fill it again.
        self._warm_calls = max(1 + self._repeats // 4, min(MOST_WARM_CALLS, int(SHORT_S / first_s)))
        if not is_slow:
            self._plain_times.forget()
        faults = {} if is_slow else self._measure_by_line(page_faults, is_warm=False)
        start, is_warm, fewest = now(), first_s < WARM_S and not is_slow, FEWEST if first_s < SHORT_S else 1
        times, rounds = self._plain_times, list[TracedRound]()
        while (
            not rounds or not is_slow and not self._is_settled() and (now() - start < BUDGET_S or len(rounds) < fewest)
        ):
            if not is_slow:
                self._time_plain(is_warm)
            # If other programs interrupt the call, the clock of the lines is the processor time of its threads.
            core_clock = times.clock_if_interrupted(last=1)
            wall_s = times.seconds[-1] if self._repeats > 1 else times.wall_s[-1]
            plain_s = times.core_times[-1].core_s if core_clock else wall_s
            traced = self._measure_by_line(core_clock or now, is_warm)
            event_s = event_overhead_s(self._waiters, core_clock or now)
            rounds.append(TracedRound(plain_s, traced, event_s, is_shared=core_clock is time.process_time))
        # Counting comes last, because its small objects fragment the memory between the tensors.
        clock = times.clock_if_interrupted() or now
        limit_s = max(COUNTING_S, COUNTING_TIMES * first_s)
        first_lines = rounds[0].times
        runs = {statement: line.runs for statement, line in first_lines.items()}
        counted = self._run_and_restore(lambda: count_lines(self._call, self._own, clock, limit_s, runs))
        compiled = {statement for statement, work in counted.lines.items() if work.compiled_calls}
        measured_s, share = times.median_s(), times.undisturbed_share()
        seconds = seconds_by_statement(measured_s, rounds)
        undisturbed = {statement: share * each for statement, each in seconds.items()}
        parts, interrupted = (
            profile_parts(self._run_and_restore, self._call, self._own, undisturbed) if compiled else ({}, set())
        )
        can_give_up = any(each.compiler.is_loaded() for each in frameworks.loaded())
        given_up = compiled - parts.keys() - interrupted if can_give_up else set()
        modules, uncompiled_s = self._time_modules(bool(compiled), is_slow) if self._state.has_modules else ({}, 0.0)
        module_works = self._run_and_restore(lambda: count_modules(self._call, clock, limit_s)) if modules else {}
        return RawProfile(
            measured_s=measured_s,
            quartiles_s=times.quartiles_s(),
            undisturbed_share=share,
            waited_s=times.waited_s(),
            seconds=seconds,
            counted_lines=counted,
            runs=runs,
            library_calls={statement: line.calls for statement, line in first_lines.items()},
            python_calls={statement: line.python_calls for statement, line in first_lines.items()},
            faults=self._fewest_faults(faults),
            times=self._times,
            first_call_s=first_call_s if compilations else None,
            always_compiles=always_compiles,
            parts=parts,
            given_up=given_up,
            interrupted=interrupted,
            modules=modules,
            module_works=module_works,
            uncompiled_s=uncompiled_s if compiled and modules else None,
        )

    def _is_settled(self) -> bool:
        """Return whether no more rounds are needed."""
        rounds = len(self._plain_times.seconds)
        return rounds >= ROUNDS or rounds >= SETTLED_ROUNDS and self._plain_times.spread() <= SETTLED

    def _compile_all(self) -> bool:
        """Run the call until it compiles nothing any more; False if it never stops compiling."""
        for _ in range(MAX_WARM_UPS):
            before = frameworks.compilation_count(with_traces=True)
            self._time_plain(is_warm=False)
            if frameworks.compilation_count(with_traces=True) == before:
                return True
        return False

    def _time_modules(self, is_compiled: bool, is_slow: bool) -> tuple[dict[ModulePath, ModuleTime], float]:
        """Return the time of each module, and of the whole call.

        Compiled code does not run the modules one by one, so the call then runs without the compiler.
        """
        times = self._plain_times
        core_clock = times.work_clock() if not times.are_shared() else times.clock_if_interrupted()
        now = core_clock or self._stopwatch.now
        plain_s = None if is_compiled else self._plain_times.median_s()
        most_faults = 0.0 if is_slow else math.inf if is_compiled else min(self._plain_times.page_faults)
        with ExitStack() as uncompiled:
            for framework in frameworks.loaded() if is_compiled else ():
                uncompiled.enter_context(framework.compiler.run_uncompiled())
            return time_modules(self._run_and_restore, self._call, self._own, now, self._waiters, plain_s, most_faults)

    def _time_plain(self, is_warm: bool) -> float:
        """Time the call as it is; a warm call follows another one and finds in the caches what that call left there."""

        def timed() -> float:
            if is_warm and self._state.is_unchanged:
                for _ in range(self._warm_calls):
                    self._call()  # Nothing runs between these calls and the timed ones, so that the caches stay as they are.
            elif is_warm:
                self._warm_up()
            return self._plain_times.time(self._call, self._repeats)

        self._times += self._repeats - 1 + (is_warm and self._state.is_unchanged) * self._warm_calls
        return self._run_and_restore(timed)

    def _measure_by_line(self, now: Callable[[], float], is_warm: bool) -> StatementTimes:
        def traced() -> StatementTimes:
            if is_warm and self._state.is_unchanged:
                self._times += 1
                self._call()
            elif is_warm:
                self._warm_up()
            clock = LineClock(
                self._own.runs_as_written,
                now,
                self._waiters,
                is_framework=code_owners.is_framework_file,
                belongs_to_caller=code_owners.belongs_to_caller,
            )
            return merge_by_statement(clock.run(self._call))

        return self._run_and_restore(traced)

    def _warm_up(self) -> None:
        """Run the call once more. Training goes on from there, as in a program; all other calls start from the same state."""
        self._times += 1
        with restore_settings():
            self._call()
        if not self._state.trains:
            self._state.restore()

    def _run_and_restore(self, run: Callable[[], T]) -> T:
        """Return the result of ``run``; then settings and the call's state are as before."""
        self._times += 1
        with restore_settings(), _show_only_first_run(self._times == 1):
            try:
                return run()
            finally:
                self._state.restore()

    def _fewest_faults(self, traced: StatementTimes) -> dict[Statement, int]:
        """Return the page faults of each statement, scaled down to the total of the plain call with the fewest.

        The allocator reuses memory in some calls and not in others, and a reason must hold for all calls.
        """
        total = sum(line.spent for line in traced.values())
        share = min(1.0, min(self._plain_times.page_faults) / total) if total else 1.0
        return {statement: int(share * line.spent) for statement, line in traced.items()}


@contextmanager
def _show_only_first_run(is_first: bool) -> Iterator[None]:
    """Let the first run print and warn, and no other."""
    if is_first:
        yield
        return
    with (
        redirect_stdout(io.StringIO()),
        redirect_stderr(io.StringIO()),
        capture_displays(OutputCapture()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        yield
