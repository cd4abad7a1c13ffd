"""``ComparisonRun``: runs one comparison within its budget: first calls, warm-up, then rounds in random order.

A call has a measured time and a wall time: on an accelerator the stopwatch's flushes and waits take far longer than a
short call. Samples hold measured seconds; blocks and the budget are planned in wall seconds.

A block in which a framework compiled code counts neither as a sample nor toward the budget; it is run again.

A *block* is a number of calls between two readings of the clock. A *turn* is one contender's part of a round: one
block, or several if one would last longer than ``MAX_BLOCK_S``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from course_utils.core.errors import USER_CODE_ERRORS, summarize_error
from course_utils.core.wording import pluralize
from course_utils.frameworks import across_frameworks
from course_utils.timing.comparison import Comparison
from course_utils.timing.compilation_watch import CompilationWatch
from course_utils.timing.stopwatch import MIN_CALL_S, Stopwatch

OVERHEAD_SHARE = 0.005  # the share of a block that clock and synchronization may take
TARGET_ROUNDS = 200  # enough for a narrow interval; more rounds would only make the blocks shorter
MAX_BLOCK_S = 0.25  # wall seconds, unless one call takes longer: a comparison is cancelled between two blocks
HARD_LIMIT = 1.9  # No turn begins that would end after this share of the budget, so none exceeds twice the budget.
COMPLETION_LIMIT = 1.8  # Until this share of the budget, a contender may complete the rounds that its interval needs.


@dataclass
class ComparisonRun:
    """One comparison while it runs; ``compare`` documents the fields."""

    contenders: dict[str, Callable]
    make_args: Callable[[], tuple]
    baseline: str
    stopwatch: Stopwatch
    shuffle: Callable[[list], None]
    budget_s: float
    min_rounds: int
    on_progress: Callable[[float, Callable[[], Comparison]], None]
    compilation_count: Callable[[], int]
    cancelled: Callable[[], bool]
    device: str
    threads: int
    calls_per_block: int | None = None

    def run(self) -> None:
        self.start = self.stopwatch.now()
        self.first_calls: dict[str, float] = {}
        self.shapes: dict[str, tuple | None] = {}
        self.samples: dict[str, list[float]] = {}
        self.call_wall_s: dict[str, float] = {}  # the least wall seconds of a call so far
        self.make_args_s = 0.0  # seconds that making the last block's arguments took
        self.excused_s = 0.0
        self.compilations = CompilationWatch(self.compilation_count)
        self.errors: dict[str, str] = {}
        self.out_of_memory: set[str] = set()
        self.not_run: set[str] = set()
        self._call_first()
        self._exclude_other_shapes()
        self._warm_up()
        self._run_rounds()
        self.on_progress(1.0, self.result)

    def result(self) -> Comparison:
        notes = {name: " ".join(filter(None, self._notes(name))) for name in self.contenders}
        return Comparison(
            baseline=self.baseline,
            samples={name: tuple(self.samples[name]) for name in self._active()},
            first_calls=dict(self.first_calls),
            min_rounds=self.min_rounds,
            device=self.device,
            threads=self.threads,
            errors=dict(self.errors),
            out_of_memory=frozenset(self.out_of_memory),
            notes={name: note for name, note in notes.items() if note},
            cancelled=self.cancelled(),
            elapsed_s=self._elapsed_s(),
            compiling_s=self.compilations.seconds,
        )

    def _notes(self, name: str) -> Iterator[str]:
        if name in self.not_run:
            yield f"{name!r} was not run: the others used the whole budget."
        if name not in self._active():
            return
        timed = sum(not math.isnan(second) for second in self.samples[name])
        if timed < self.min_rounds and not self.cancelled():
            yield f"{name!r} ran {pluralize(timed or 1, 'time')} within the budget, too few for an interval."
        yield self.compilations.note(name)

    def _elapsed_s(self) -> float:
        return self.stopwatch.now() - self.start

    def _spent_s(self) -> float:
        """Return the used seconds of the budget; a first call that exceeds it counts as exactly one budget."""
        return self._elapsed_s() - self.excused_s

    def _call_first(self) -> None:
        # A baseline that is named first is usually slow: it goes last, so that it leaves the others time for a call.
        order = sorted(self.contenders, key=lambda name: name == self.baseline == next(iter(self.contenders)))
        for name in order:
            if self.cancelled():
                return
            if self._spent_s() > self.budget_s:
                self.not_run.add(name)
                continue
            results: list[Any] = []
            function = self.contenders[name]
            store_result = lambda *args, function=function, results=results: results.append(function(*args))
            seconds, compiled = self._run_block(name, store_result, 1)
            if compiled and self._block(name, function, 1) is None:
                continue
            if seconds is not None:
                self.first_calls[name] = seconds
                self.excused_s += 0.0 if compiled else max(0.0, self.call_wall_s[name] - self.budget_s)
                self.samples[name] = []
                shape = getattr(results[0], "shape", None)
                self.shapes[name] = None if shape is None else tuple(shape)

    def _exclude_other_shapes(self) -> None:
        expected = self.shapes.get(self.baseline)
        for name, shape in self.shapes.items():
            if None not in (expected, shape) and shape != expected:
                self.errors[name] = (
                    f"{name!r} returned shape {shape}, but {self.baseline!r} returned {expected}; "
                    "make both compute the same result before you time them."
                )

    def _warm_up(self) -> None:
        """Run each contender in growing blocks until it is warm, within a tenth of the budget for all of them.

        A contender is warm if a block is so long that the clock's cost is negligible, and at most 10 % faster per call
        than the best block before. Example: a call of 2 µs that takes 8 µs while caches are cold, and a clock that
        costs 1 µs.

            calls in the block   1     2     4     8     …    128
            µs per call          8     4     3     2.5   …    2
            clock's share        12%   12%   8%    5%    …    0.4% < OVERHEAD_SHARE, and no faster than before: warm
        """
        overhead_s = min(self.stopwatch.block(_do_nothing, (), 0) for _ in range(20))
        share_s = self.budget_s / 10 / max(1, len(self._active()))
        for name in self._active():
            start, calls, best_s = self._elapsed_s(), 1, self.first_calls[name]
            while self._elapsed_s() - start + self._turn_wall_s(name, calls) < share_s and self._may_begin(name, calls):
                call_s = self._turn(name, calls)
                if call_s is None or (calls * call_s > overhead_s / OVERHEAD_SHARE and call_s > 0.9 * best_s):
                    break
                best_s = min(best_s, call_s)
                calls *= 2
        self.min_turn_s = max(overhead_s / OVERHEAD_SHARE, self.budget_s / TARGET_ROUNDS / max(1, len(self._active())))

    def _run_rounds(self) -> None:
        while not self.cancelled():
            # Let the other turns together last as long as the slowest contender's call. On a busy machine a short turn
            # fits into a pause of the other processes and a long one does not, which would favor fast contenders.
            slowest_s = max((self.call_wall_s[name] for name in self._active() if self._fits(name, 1)), default=0.0)
            turn_s = max(self.min_turn_s, slowest_s / max(1, len(self._active()) - 1))
            calls = {name: max(1, math.ceil(turn_s / self._call_with_args_s(name))) for name in self._active()}
            participants = [name for name in self._active() if self._fits(name, calls[name])]
            if not participants:
                return
            self.shuffle(participants)
            times = dict.fromkeys(self.samples, math.nan)
            for name in participants:
                if self._may_begin(name, calls[name]):
                    call_s = self._turn(name, calls[name])
                    times[name] = math.nan if call_s is None else call_s
            for name, second in times.items():
                self.samples[name].append(second)
            self.on_progress(min(1.0, self._spent_s() / self.budget_s), self.result)

    def _fits(self, name: str, calls: int) -> bool:
        """Return whether the budget allows another turn of ``name``."""
        turn_s = self._turn_wall_s(name, calls)
        timed = sum(not math.isnan(second) for second in self.samples[name])
        needed_s = (self.min_rounds - timed) * turn_s
        if self._spent_s() + turn_s <= self.budget_s:
            return True
        return needed_s > 0 and self._spent_s() + needed_s <= COMPLETION_LIMIT * self.budget_s

    def _may_begin(self, name: str, calls: int) -> bool:
        """Return whether a planned turn still fits, after the time that the other turns took."""
        return not self.cancelled() and self._spent_s() + self._turn_wall_s(name, calls) <= HARD_LIMIT * self.budget_s

    def _turn_wall_s(self, name: str, calls: int) -> float:
        """Return the wall seconds that a turn of ``calls`` calls will take."""
        return calls * self.call_wall_s[name] + math.ceil(calls / self._calls_per_block(name)) * self.make_args_s

    def _call_with_args_s(self, name: str) -> float:
        """Return the wall seconds of a call, including, in short blocks, its share of making the block's arguments."""
        return self.call_wall_s[name] + (self.make_args_s / self.calls_per_block if self.calls_per_block else 0.0)

    def _calls_per_block(self, name: str) -> int:
        """Return the largest number of calls in a block."""
        return self.calls_per_block or max(1, int(MAX_BLOCK_S / self.call_wall_s[name]))

    def _active(self) -> list[str]:
        return [name for name in self.samples if name not in self.errors]

    def _turn(self, name: str, calls: int) -> float | None:
        """Return the seconds per call in a turn of ``calls`` calls, fewer if cancelled; None if a call raised."""
        measured_s, done = 0.0, 0
        while done < calls and not (done and self.cancelled()):
            count = min(calls - done, self._calls_per_block(name))
            seconds = self._block(name, self.contenders[name], count)
            if seconds is None:
                return None
            measured_s += seconds
            done += count
        return measured_s / done

    def _block(self, name: str, function: Callable, calls: int) -> float | None:
        """Return the seconds of a block without compilation; None if a call raised or the comparison is cancelled."""
        seconds, compiled = self._run_block(name, function, calls)
        while compiled and not self.cancelled():
            seconds, compiled = self._run_block(name, function, calls)
        return None if compiled else seconds

    def _run_block(self, name: str, function: Callable, calls: int) -> tuple[float | None, bool]:
        """Return the seconds of a block and whether it compiled code; None if a call raised, which excludes it."""
        before = self.stopwatch.now()
        args = self.make_args()
        start = self.stopwatch.now()
        self.make_args_s = start - before
        self.compilations.start_block()
        try:
            seconds = self.stopwatch.block(function, args, calls)
        except USER_CODE_ERRORS as error:
            if across_frameworks.is_out_of_memory(error):
                self.out_of_memory.add(name)
            self.errors[name] = f"{name!r} raised {summarize_error(error)}"
            return None, False
        wall_s = self.stopwatch.now() - start
        if self.compilations.is_left_out(name, wall_s):
            self.excused_s += wall_s
            return seconds, True
        # Use the least so far: a block that another process delayed must not make all later blocks too short.
        self.call_wall_s[name] = min(self.call_wall_s.get(name, math.inf), max(MIN_CALL_S, wall_s / calls))
        return seconds, False


def _do_nothing() -> None:
    pass
