"""``Comparison`` and ``Ratio``: the samples of a comparison and their statistics. This module measures nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from course_utils.core.wording import significant
from course_utils.timing.interval import median_interval

STALL_FACTOR = 5.0  # a block that takes this many times its contender's median was stalled by the machine
NEGLIGIBLE = 0.01  # a smaller difference is neither faster nor slower
SAME = 0.03  # if the interval lies within this distance of 1, the verdict is "same"


@dataclass(frozen=True)
class Ratio:
    """A contender's speed relative to the baseline: the median of paired ratios and its 95 % interval.

    ``low`` and ``high`` are None if there were too few rounds for an interval; ``value`` is then the ratio of the medians if
    no round has both times, and NaN if one of the two was not timed.
    """

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def verdict(self) -> str:
        """Return ``faster``, ``slower`` or ``same``, compared with the baseline; ``unclear`` if undecided."""
        if self.low is None or self.high is None:
            return "unclear"
        if self.low > 1 + NEGLIGIBLE:
            return "faster"
        if self.high < 1 / (1 + NEGLIGIBLE):
            return "slower"
        return "same" if 1 / (1 + SAME) < self.low and self.high < 1 + SAME else "unclear"

    def __str__(self) -> str:
        if math.isnan(self.value):
            return "no ratio"
        if self.low is None or self.high is None:
            return f"{significant(self.value)}×"
        return f"{significant(self.value)}× ({significant(self.low)}–{significant(self.high)})"


@dataclass(frozen=True, repr=False)
class Comparison:
    """The result of ``compare``: raw samples and their statistics.

    Attributes:
        baseline: the contender that ratios are relative to.
        samples: contender → seconds per call, one entry per round, NaN for a round in which it was not timed.
        first_calls: contender → seconds of its first call, including compilation.
        min_rounds: how many paired rounds an interval needs.
        device, threads: where the contenders ran.
        errors: contender → a sentence that says why it was not timed.
        out_of_memory: the contenders among ``errors`` that ran out of memory.
        notes: contender → a sentence about how it was timed.
        cancelled: whether the comparison was cancelled.
        elapsed_s: seconds that the whole comparison took.
        compiling_s: seconds of calls that compiled code, which neither the budget nor the samples include.
    """

    baseline: str
    samples: Mapping[str, tuple[float, ...]]
    first_calls: Mapping[str, float]
    min_rounds: int
    device: str
    threads: int
    errors: Mapping[str, str] = field(default_factory=dict)
    out_of_memory: frozenset[str] = frozenset()
    notes: Mapping[str, str] = field(default_factory=dict)
    cancelled: bool = False
    elapsed_s: float = 0.0
    compiling_s: float = 0.0

    def rounds(self, name: str) -> int:
        """Return the number of rounds in which ``name`` was timed."""
        return int(np.isfinite(self._all(name)).sum())

    def median_s(self, name: str) -> float:
        """Return the median seconds per call in the steady state; the first call's seconds if there was no other call;
        NaN without calls."""
        clean = self._clean(name)
        times = clean[np.isfinite(clean)]
        return float(np.median(times)) if times.size else self.first_calls.get(name, math.nan)

    def quartiles_s(self, name: str) -> tuple[float, float]:
        """Return the lower and the upper quartile of seconds per call; both are the median if there was only the first
        call."""
        clean = self._clean(name)
        times = clean[np.isfinite(clean)]
        if not times.size:
            return (self.median_s(name),) * 2
        low, high = np.percentile(times, [25, 75])
        return float(low), float(high)

    def first_call_s(self, name: str) -> float:
        """Return the seconds of the first call, NaN if there was none."""
        return self.first_calls.get(name, math.nan)

    def ratio(self, name: str) -> Ratio:
        """Return how many times as fast as the baseline ``name`` is; NaN if one of the two was not timed."""
        if name not in self.samples or self.baseline not in self.samples:
            return Ratio(math.nan)
        if not self.rounds(name) or not self.rounds(self.baseline):
            return Ratio(self.median_s(self.baseline) / self.median_s(name))
        paired = self._clean(self.baseline) / self._clean(name)
        paired = paired[np.isfinite(paired)]
        if not paired.size:
            return Ratio(self.median_s(self.baseline) / self.median_s(name))
        value = float(np.median(paired))
        if np.isfinite(self._all(self.baseline) / self._all(name)).sum() < self.min_rounds or paired.size < 2:
            return Ratio(value)
        return Ratio(value, *median_interval(paired))

    def verdict(self, name: str) -> str:
        """Return the verdict of ``ratio(name)``; the baseline's is ``same``."""
        return "same" if name == self.baseline else self.ratio(name).verdict

    def break_even(self, name: str) -> float:
        """Return the number of calls after which ``name``, including its first call, has cost less than the baseline;
        infinity if never.
        """
        gain = self.median_s(self.baseline) - self.median_s(name)
        if not gain > 0:
            return math.inf
        return float(max(1, math.ceil((self.first_call_s(name) - self.median_s(name)) / gain)))

    @property
    def stall_share(self) -> float:
        """Return the share of timed blocks that the machine stalled; every statistic ignores them."""
        timed = sum(self.rounds(name) for name in self.samples)
        valid = sum(int(np.isfinite(self._clean(name)).sum()) for name in self.samples)
        return 1 - valid / timed if timed else 0.0

    def __repr__(self) -> str:
        """Return one line per contender, for a cell that ends with ``compare(...)``."""
        lines = []
        for name in sorted(self.samples, key=lambda name: name != self.baseline):
            ratio = self.ratio(name)
            is_compared = name != self.baseline and not math.isnan(ratio.value)
            than = f", {ratio} as fast as {self.baseline!r}" if is_compared else ""
            lines.append(f"{name!r}: {significant(1e6 * self.median_s(name))} µs a call{than}")
        return "\n".join([*lines, *self.errors.values()])

    def _all(self, name: str) -> np.ndarray:
        return np.asarray(self.samples.get(name, ()), dtype=float)

    def _clean(self, name: str) -> np.ndarray:
        times = self._all(name).copy()
        if times.size and np.isfinite(times).any():
            times[times > STALL_FACTOR * np.nanmedian(times)] = np.nan
        return times
