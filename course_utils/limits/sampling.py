"""Measures the rate of one operation on a machine that runs other processes too: passes of short blocks.

A pass takes the best of a few short blocks, because a disturbance only makes a block slower. The typical rate is the
median of several passes, because the best pass may have had a lucky memory address.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from course_utils.limits.benchmark_kernels import Kernel
from course_utils.timing import Stopwatch

AGREEMENT = 0.10  # a figure is uncertain if every other pass differs from it by more
BLOCKS = 3
BLOCK_S = 0.4e-3  # short enough that most blocks run without an interruption by the system
BLOCKS_S = 0.03  # for all blocks of a kernel in one pass: if a call is long, more passes are better than more blocks
LONG_CALL_S = 0.1  # calls this long average over disturbances, so one per pass is enough
NEAR_BEST = 0.85  # a kernel whose first block stays below this share of the best rate gets no more blocks
MIN_WORK_SHARE = 0.3  # if less of the time is left after the launch cost, the rate would be mostly measurement error


@dataclass(frozen=True)
class Trial:
    """A kernel, and the seconds of each call that don't belong to its rate: the launch cost."""

    kernel: Kernel
    launch_s: float = 0.0

    def rate(self, seconds: float) -> float:
        """Return the kernel's work per second, 0 if the call is mostly launch cost."""
        work_s = seconds - self.launch_s
        return self.kernel.amount / work_s if work_s > MIN_WORK_SHARE * seconds else 0.0


@dataclass
class Probe:
    """Figures that are measured together, and the best rate of each pass so far, per second.

    Attributes:
        name: what is measured, for the progress message.
        make_trials: returns the trials of each figure.
        known_rates: figure → the rate that another framework reached; a figure below that rate need not be precise.
        rates: figure → the best rate of each pass.
    """

    name: str
    make_trials: Callable[[], Mapping[str, Sequence[Trial]]]
    known_rates: Mapping[str, float] = field(default_factory=dict)
    rates: dict[str, list[float]] = field(default_factory=dict)

    def is_outperformed(self) -> bool:
        """Return whether another framework is better at every figure."""
        return bool(self.rates) and all(self._is_outperformed(name) for name in self.rates)

    def sample(self, clock: Stopwatch, hurried: bool = False) -> None:
        """Run one more pass; a hurried one has one block per kernel."""
        for name, trials in self.make_trials().items():
            rates = self.rates.setdefault(name, [])
            if self._is_outperformed(name):
                continue
            known_rate = self.known_rates.get(name, 0.0)
            best = 0.0
            for trial in trials:
                best = max(best, best_rate(clock, trial, max(known_rate, best), hurried))
            if best:
                rates.append(best)

    def _is_outperformed(self, name: str) -> bool:
        return max(self.rates[name], default=math.inf) < self.known_rates.get(name, 0.0)


def best_rate(clock: Stopwatch, trial: Trial, known_rate: float = 0.0, hurried: bool = False) -> float:
    """Return the rate in the best of a few short blocks; one block if its rate is far below ``known_rate``.

    Blocks are planned in wall time: an accelerator's cold call takes far longer than its measured seconds.
    """
    calls = 1
    best_s, wall_s = _run_block(clock, trial.kernel, calls)
    if wall_s < BLOCK_S:  # A call that takes longer has warmed the caches itself.
        while True:
            best_s, wall_s = _run_block(clock, trial.kernel, calls)
            if wall_s >= BLOCK_S / 2:
                break
            calls *= 2
    first_rate = trial.rate(best_s)
    if hurried or first_rate < NEAR_BEST * known_rate or wall_s >= LONG_CALL_S:
        return first_rate
    for _ in range(max(1, min(BLOCKS, int(BLOCKS_S / wall_s)))):
        best_s = min(best_s, _run_block(clock, trial.kernel, calls)[0])
    return trial.rate(best_s)


def _run_block(clock: Stopwatch, kernel: Kernel, calls: int) -> tuple[float, float]:
    """Return the measured seconds per call, and the wall seconds of the whole block."""
    start = clock.now()
    seconds = clock.block(kernel.run, (), calls) / calls
    return seconds, clock.now() - start


def typical_rate(rates: Sequence[float]) -> float:
    """Return the median of the passes; the larger middle one if their number is even."""
    return sorted(rates)[len(rates) // 2]


def was_reached_twice(rate: float, passes: Iterable[float]) -> bool:
    """Return whether two of the passes came within ``AGREEMENT`` of ``rate``."""
    return sum(abs(each - rate) <= AGREEMENT * rate for each in passes) > 1
