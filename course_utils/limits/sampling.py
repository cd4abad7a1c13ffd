"""How the speed of one operation is found on a machine that does other things as well: passes of short blocks.

A pass takes the best of a few short blocks, since what disturbs a block only makes it slower. What an operation typically
reaches when nothing disturbs it is the middle of several passes: the best one may have been lucky with where its memory lay.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from course_utils.limits.benchmark_kernels import Kernel
from course_utils.timing import Stopwatch

AGREEMENT = 0.10  # two passes that differ by more leave a figure uncertain
BLOCKS = 5
BLOCK_S = 0.4e-3  # short enough that most blocks run between two interruptions by the system
BLOCKS_S = 0.03  # for all blocks of a kernel in one pass: where a call takes long, later passes are better spent
NEAR_BEST = 0.85  # what stays below this share of the best at first sight is not looked at more closely
TOLD = 0.3  # of a call that mostly starts an operation, what is left for its memory lies within the error


@dataclass(frozen=True)
class Trial:
    """A kernel, and the seconds of each call that are not what is measured: starting the operation."""

    kernel: Kernel
    idle_s: float = 0.0

    def rate(self, seconds: float) -> float:
        """What it does per second, 0 where nothing can be said of it."""
        own_s = seconds - self.idle_s
        return self.kernel.amount / own_s if own_s > TOLD * seconds else 0.0


@dataclass
class Probe:
    """Figures that are measured together, and what was found: the best rate of each pass, per second.

    Attributes:
        name: what is being measured, for people.
        trials: makes what is tried for each figure.
        rivals: what other frameworks have reached: a figure that stays below need not be found exactly.
    """

    name: str
    trials: Callable[[], Mapping[str, Sequence[Trial]]]
    rivals: Mapping[str, float] = field(default_factory=dict)
    rates: dict[str, list[float]] = field(default_factory=dict)

    def beaten(self) -> bool:
        """Whether every figure stays below a rival."""
        return bool(self.rates) and all(self._beaten(name) for name in self.rates)

    def look(self, clock: Stopwatch, hurried: bool = False) -> None:
        """One more pass; a hurried one has one block of each."""
        for name, trials in self.trials().items():
            rates = self.rates.setdefault(name, [])
            if self._beaten(name):
                continue
            rival = self.rivals.get(name, 0.0)
            best = 0.0
            for trial in trials:
                best = max(best, best_rate(clock, trial, max(rival, best), hurried))
            if best:
                rates.append(best)

    def _beaten(self, name: str) -> bool:
        return max(self.rates[name], default=math.inf) < self.rivals.get(name, 0.0)


def best_rate(clock: Stopwatch, trial: Trial, rival: float = 0.0, hurried: bool = False) -> float:
    """The rate in the best of a few short blocks; one that is far behind ``rival`` in its first block gets no other.

    Blocks are planned by the time that they take on the wall: a cold call of an accelerator takes far longer there than the
    seconds that are read.
    """
    calls = 1
    best_s, wall_s = _block(clock, trial.kernel, calls)
    if wall_s < BLOCK_S:  # what is long is warm by the end of its first call
        while True:
            best_s, wall_s = _block(clock, trial.kernel, calls)
            if wall_s >= BLOCK_S / 2:
                break
            calls *= 2
    first = trial.rate(best_s)
    if hurried or first < NEAR_BEST * rival:
        return first
    for _ in range(max(1, min(BLOCKS, int(BLOCKS_S / wall_s)))):
        best_s = min(best_s, _block(clock, trial.kernel, calls)[0])
    return trial.rate(best_s)


def _block(clock: Stopwatch, kernel: Kernel, calls: int) -> tuple[float, float]:
    """Seconds of each call of a block, and those that the whole took on the wall."""
    start = clock.now()
    seconds = clock.block(kernel.run, (), calls) / calls
    return seconds, clock.now() - start


def typical_rate(rates: Sequence[float]) -> float:
    """The middle of the passes, of two the better one."""
    return sorted(rates)[len(rates) // 2]


def rates_agree(rates: Sequence[float]) -> bool:
    """Whether the typical rate was reached twice within ``AGREEMENT``."""
    middle = typical_rate(rates)
    return sum(abs(rate - middle) <= AGREEMENT * middle for rate in rates) > 1
