"""What a comparison found: raw samples and the statistics over them. It measures nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from course_utils.core.wording import significant
from course_utils.timing.interval import median_interval

STALL = 5.0  # a block this many times its contender's median was held up by the machine
NEGLIGIBLE = 0.01  # a smaller difference is not called faster or slower
SAME = 0.03  # an interval this close around 1 is called the same


@dataclass(frozen=True)
class Ratio:
    """How many times faster than the baseline: the median of paired ratios and its 95 % interval.

    ``low`` and ``high`` are None where too few rounds allowed an interval; ``value`` is NaN where nothing was paired.
    """

    value: float
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        if math.isnan(self.value):
            return "no ratio"
        if self.low is None or self.high is None:
            return f"{significant(self.value)}×"
        return f"{significant(self.value)}× ({significant(self.low)}–{significant(self.high)})"


@dataclass(frozen=True, repr=False)
class Comparison:
    """What ``compare`` found: raw samples and the statistics over them.

    Attributes:
        baseline: the contender that ratios are taken against.
        samples: contender → seconds per call, one entry a round, NaN where it sat the round out.
        first_calls: contender → seconds of its very first call, compilation and start-up included.
        min_rounds: how many paired rounds an interval needs.
        device, threads: where it ran.
        errors: contender → the sentence that says why it was not timed.
        out_of_memory: the contenders among ``errors`` that ran out of memory.
        notes: contender → a sentence about how it was timed.
        cancelled: whether it was stopped before its budget was used.
        elapsed_s: seconds that the whole comparison has taken.
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

    def rounds(self, name: str) -> int:
        """Rounds in which ``name`` was timed."""
        return int(np.isfinite(self._all(name)).sum())

    def median_s(self, name: str) -> float:
        """Median seconds per call in the steady state; the first call where no other fitted; NaN where none ran."""
        clean = self._clean(name)
        times = clean[np.isfinite(clean)]
        return float(np.median(times)) if times.size else self.first_calls.get(name, math.nan)

    def quartiles_s(self, name: str) -> tuple[float, float]:
        """Lower and upper quartile of seconds per call; both the median where only one call fitted."""
        clean = self._clean(name)
        times = clean[np.isfinite(clean)]
        if not times.size:
            return (self.median_s(name),) * 2
        low, high = np.percentile(times, [25, 75])
        return float(low), float(high)

    def first_call_s(self, name: str) -> float:
        """Seconds of the very first call, NaN where it never ran."""
        return self.first_calls.get(name, math.nan)

    def ratio(self, name: str) -> Ratio:
        """How many times faster ``name`` is than the baseline; NaN where one of the two was not timed."""
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
        """``faster``, ``slower`` or ``same`` as the baseline, or ``unclear`` where the interval does not tell."""
        if name == self.baseline:
            return "same"
        ratio = self.ratio(name)
        if ratio.low is None or ratio.high is None:
            return "unclear"
        if ratio.low > 1 + NEGLIGIBLE:
            return "faster"
        if ratio.high < 1 / (1 + NEGLIGIBLE):
            return "slower"
        return "same" if 1 / (1 + SAME) < ratio.low and ratio.high < 1 + SAME else "unclear"

    def break_even(self, name: str) -> float:
        """Calls after which ``name``, its first call included, has cost less than the baseline; infinity if never."""
        gain = self.median_s(self.baseline) - self.median_s(name)
        if not gain > 0:
            return math.inf
        return float(max(1, math.ceil((self.first_call_s(name) - self.median_s(name)) / gain)))

    @property
    def stall_share(self) -> float:
        """The share of all timed blocks that the machine held up; they are left out of every statistic."""
        timed = sum(self.rounds(name) for name in self.samples)
        kept = sum(int(np.isfinite(self._clean(name)).sum()) for name in self.samples)
        return 1 - kept / timed if timed else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; a round sat out is None."""
        return {
            "baseline": self.baseline,
            "device": self.device,
            "threads": self.threads,
            "stall_share": self.stall_share,
            "cancelled": self.cancelled,
            "contenders": {
                name: {
                    "median_s": self.median_s(name),
                    "quartiles_s": self.quartiles_s(name),
                    "first_call_s": self.first_call_s(name),
                    "ratio": [(ratio := self.ratio(name)).value, ratio.low, ratio.high],
                    "verdict": self.verdict(name),
                    "samples_s": [None if math.isnan(second) else second for second in self.samples[name]],
                }
                for name in self.samples
            },
            "errors": dict(self.errors),
            "notes": dict(self.notes),
        }

    def __repr__(self) -> str:
        """A line a contender: what a cell shows that ends with ``compare(...)``."""
        told = []
        for name in sorted(self.samples, key=lambda name: name != self.baseline):
            against = "" if name == self.baseline else f", {self.ratio(name)} as fast as {self.baseline!r}"
            told.append(f"{name!r}: {significant(1e6 * self.median_s(name))} µs a call{against}")
        return "\n".join([*told, *self.errors.values()])

    def _all(self, name: str) -> np.ndarray:
        return np.asarray(self.samples.get(name, ()), dtype=float)

    def _clean(self, name: str) -> np.ndarray:
        times = self._all(name).copy()
        if times.size and np.isfinite(times).any():
            times[times > STALL * np.nanmedian(times)] = np.nan
        return times
