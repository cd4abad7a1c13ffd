"""The 95 % confidence interval of a median, for few samples and for noise in bursts."""

from __future__ import annotations

import math

import numpy as np

RESAMPLES = 2000
TAIL = 0.025  # probability on each side of the interval


def median_interval(samples: np.ndarray) -> tuple[float, float]:
    """Return the 95 % interval of the median of ``samples``, shape (rounds,), in the order of measurement.

    At each end, the wider of two intervals counts. The bootstrap allows for bursts of noise, as on a shared machine, but is
    too narrow for a dozen rounds; the order statistics are exact for any number of independent rounds.
    """
    if samples.min() == samples.max():
        return float(samples[0]), float(samples[0])  # The baseline's ratios are all 1, for example.
    intervals = bootstrap_interval(samples), order_statistics_interval(samples)
    return min(low for low, _ in intervals), max(high for _, high in intervals)


def bootstrap_interval(samples: np.ndarray) -> tuple[float, float]:
    """Return the percentile interval of resampled medians.

    It resamples runs of neighboring rounds instead of single rounds (moving-block bootstrap, Künsch 1989); a run has
    rounds^(1/3) rounds.
    """
    count = samples.size
    length = max(1, round(count ** (1 / 3)))
    generator = np.random.default_rng(0)
    starts = generator.integers(0, count - length + 1, size=(RESAMPLES, math.ceil(count / length)))
    picks = (starts[:, :, None] + np.arange(length)).reshape(RESAMPLES, -1)[:, :count]
    low, high = np.quantile(np.median(samples[picks], axis=1), [TAIL, 1 - TAIL])
    return float(low), float(high)


def order_statistics_interval(samples: np.ndarray) -> tuple[float, float]:
    """Return the k-th smallest and the k-th largest sample, with the largest k that the sign test allows (Conover 1999,
    section 3.2).

    With fewer than six samples no k is allowed, and the interval is their minimum and maximum.
    """
    # Count outcomes among the 2^count equally likely ones instead of adding probabilities: integers don't underflow.
    count, rank, below = samples.size, 0, 1
    while round(1 / TAIL) * below <= 2**count:
        rank += 1
        below += math.comb(count, rank)
    ordered = np.sort(samples)
    rank = max(1, rank)
    return float(ordered[rank - 1]), float(ordered[count - rank])
