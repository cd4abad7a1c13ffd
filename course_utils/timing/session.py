"""One comparison while it runs: first calls, warm-up, rounds in random order, and the budget that they keep.

What a call measures and what it costs are two figures: on an accelerator the clock's own flushes and waits cost far more than
a short call. The samples hold the measured seconds; blocks and budget are planned in seconds on the wall.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from course_utils.core.errors import USER_CODE_ERRORS, summarize_error
from course_utils.core.wording import pluralize
from course_utils.frameworks import devices
from course_utils.timing.comparison import Comparison
from course_utils.timing.stopwatch import LEAST_S, Stopwatch

OVERHEAD_SHARE = 0.005  # the clock and the wait may cost this share of a block
ROUNDS_WANTED = 200  # enough for a narrow interval; more would only make blocks short
BLOCK_S = 0.25  # no block lasts longer on the wall, unless one call does: a comparison is cancelled between two blocks
LIMIT = 1.9  # times the budget: what would end later is not begun, so that twice the budget is never reached
COMPLETING = 1.8  # times the budget: up to here a contender may complete the rounds that an interval needs


@dataclass
class Session:
    """One comparison while it runs."""

    contenders: dict[str, Callable]
    make_args: Callable[[], tuple]
    baseline: str
    stopwatch: Stopwatch
    shuffle: Callable[[list], None]
    budget_s: float
    min_rounds: int
    on_progress: Callable[[float, Callable[[], Comparison]], None]
    cancelled: Callable[[], bool]
    device: str
    threads: int

    def run(self) -> None:
        self.start = self.stopwatch.now()
        self.first_calls: dict[str, float] = {}
        self.shapes: dict[str, tuple | None] = {}
        self.samples: dict[str, list[float]] = {}
        self.wall_s: dict[str, float] = {}  # a call's cost on the wall, the least so far
        self.making_s = 0.0  # what fresh arguments for a block cost, the last time
        self.excused_s = 0.0
        self.errors: dict[str, str] = {}
        self.exhausted: set[str] = set()
        self.notes: dict[str, str] = {}
        self._call_first()
        self._drop_other_shapes()
        self._warm_up()
        self._rounds()
        self.on_progress(1.0, self.result)

    def result(self) -> Comparison:
        notes = dict(self.notes)
        for name in self._active():
            timed = sum(not math.isnan(second) for second in self.samples[name])
            if timed < self.min_rounds and not self.cancelled():
                notes[name] = f"{name!r} ran {pluralize(timed or 1, 'time')} in the budget, too few for an interval."
        return Comparison(
            baseline=self.baseline,
            samples={name: tuple(self.samples[name]) for name in self._active()},
            first_calls=dict(self.first_calls),
            min_rounds=self.min_rounds,
            device=self.device,
            threads=self.threads,
            errors=dict(self.errors),
            out_of_memory=frozenset(self.exhausted),
            notes=notes,
            cancelled=self.cancelled(),
            elapsed_s=self._elapsed(),
        )

    def _elapsed(self) -> float:
        return self.stopwatch.now() - self.start

    def _spent(self) -> float:
        """Seconds of the budget that are gone; a first call that alone takes longer counts as one whole budget."""
        return self._elapsed() - self.excused_s

    def _call_first(self) -> None:
        # The baseline goes last: it is usually the slow one, and must not use up the others' only call.
        order = [name for name in self.contenders if name != self.baseline] + [self.baseline]
        for name in order:
            if self.cancelled():
                return
            if self._spent() > self.budget_s:
                self.notes[name] = f"{name!r} was not run: the others had used the whole budget."
                continue
            kept: list[Any] = []
            function = self.contenders[name]
            seconds = self._block(name, lambda *args, function=function, kept=kept: kept.append(function(*args)), 1)
            if seconds is not None:
                self.first_calls[name] = seconds
                self.excused_s += max(0.0, self.wall_s[name] - self.budget_s)
                self.samples[name] = []
                shape = getattr(kept[0], "shape", None)
                self.shapes[name] = None if shape is None else tuple(shape)

    def _drop_other_shapes(self) -> None:
        expected = self.shapes.get(self.baseline)
        for name, shape in self.shapes.items():
            if None not in (expected, shape) and shape != expected:
                self.errors[name] = (
                    f"{name!r} returned shape {shape} where {self.baseline!r} returned {expected}; "
                    "make both compute the same thing before you time them."
                )

    def _warm_up(self) -> None:
        """Run each contender until it gets no faster, within a tenth of the budget for all of them."""
        overhead = min(self.stopwatch.block(_nothing, (), 0) for _ in range(20))
        share = self.budget_s / 10 / max(1, len(self._active()))
        for name in self._active():
            start, calls, least = self._elapsed(), 1, self.first_calls[name]
            while self._elapsed() - start + self._cost(name, calls) < share and self._may_begin(name, calls):
                per_call = self._turn(name, calls)
                if per_call is None or (calls * per_call > overhead / OVERHEAD_SHARE and per_call > 0.9 * least):
                    break
                least = min(least, per_call)
                calls *= 2
        self.block_s = max(overhead / OVERHEAD_SHARE, self.budget_s / ROUNDS_WANTED / max(1, len(self._active())))

    def _rounds(self) -> None:
        while not self.cancelled():
            # The others' turns together last as long as the slowest one's call: on a busy machine a short turn slips in
            # where the neighbours sleep and a long one cannot, which would favour whoever is fast.
            slowest_s = max((self.wall_s[name] for name in self._active() if self._fits(name, 1)), default=0.0)
            turn_s = max(self.block_s, slowest_s / max(1, len(self._active()) - 1))
            calls = {name: max(1, math.ceil(turn_s / self.wall_s[name])) for name in self._active()}
            taking_part = [name for name in self._active() if self._fits(name, calls[name])]
            if not taking_part:
                return
            self.shuffle(taking_part)
            times = dict.fromkeys(self.samples, math.nan)
            for name in taking_part:
                if self._may_begin(name, calls[name]):
                    per_call = self._turn(name, calls[name])
                    times[name] = math.nan if per_call is None else per_call
            for name, second in times.items():
                self.samples[name].append(second)
            self.on_progress(min(1.0, self._spent() / self.budget_s), self.result)

    def _fits(self, name: str, calls: int) -> bool:
        """Whether one more turn of ``name`` keeps the promise about the budget."""
        turn = self._cost(name, calls)
        timed = sum(not math.isnan(second) for second in self.samples[name])
        still_needed = (self.min_rounds - timed) * turn
        if self._spent() + turn <= self.budget_s:
            return True
        return still_needed > 0 and self._spent() + still_needed <= COMPLETING * self.budget_s

    def _may_begin(self, name: str, calls: int) -> bool:
        """Whether a turn that was planned still has its place, after what the others have taken."""
        return not self.cancelled() and self._spent() + self._cost(name, calls) <= LIMIT * self.budget_s

    def _cost(self, name: str, calls: int) -> float:
        """Seconds on the wall that a turn of ``calls`` calls will take."""
        return calls * self.wall_s[name] + math.ceil(calls / self._at_once(name)) * self.making_s

    def _at_once(self, name: str) -> int:
        """Calls in a block."""
        return max(1, int(BLOCK_S / self.wall_s[name]))

    def _active(self) -> list[str]:
        return [name for name in self.samples if name not in self.errors]

    def _turn(self, name: str, calls: int) -> float | None:
        """Seconds per call over as many blocks as ``calls`` calls need, fewer once cancelled; None where one raised."""
        measured_s, done = 0.0, 0
        while done < calls and not (done and self.cancelled()):
            block = min(calls - done, self._at_once(name))
            seconds = self._block(name, self.contenders[name], block)
            if seconds is None:
                return None
            measured_s += seconds
            done += block
        return measured_s / done

    def _block(self, name: str, function: Callable, calls: int) -> float | None:
        """Seconds of a block, or None after a contender that raised: it leaves the comparison, the others go on."""
        before = self.stopwatch.now()
        args = self.make_args()
        start = self.stopwatch.now()
        self.making_s = start - before
        try:
            seconds = self.stopwatch.block(function, args, calls)
        except USER_CODE_ERRORS as error:  # what it said is kept and shown
            if devices.out_of_memory(error):
                self.exhausted.add(name)
            self.errors[name] = f"{name!r} raised {summarize_error(error)}"
            return None
        # The least so far: one block that a neighbour held up must not make all later blocks too short.
        wall_s = max(LEAST_S, (self.stopwatch.now() - start) / calls)
        self.wall_s[name] = min(self.wall_s.get(name, math.inf), wall_s)
        return seconds


def _nothing() -> None:
    pass
