"""How well a median is known: its 95 % interval, for few samples and for noise that comes in bursts."""

from __future__ import annotations

import math

import numpy as np

RESAMPLES = 2000
OUTSIDE = 0.025  # of the probability, on either side


def median_interval(samples: np.ndarray) -> tuple[float, float]:
    """The 95 % interval of the median of ``samples``, shape (rounds,), in the order of measurement.

    The wider of two at either end. The bootstrap allows for noise in bursts, as a shared machine makes it, but is too
    narrow for a dozen rounds; the order statistics are exact for any number of independent rounds.
    """
    ends = bootstrap_interval(samples), order_statistics_interval(samples)
    return min(low for low, _ in ends), max(high for _, high in ends)


def bootstrap_interval(samples: np.ndarray) -> tuple[float, float]:
    """The percentile interval of resampled medians.

    Resamples runs of neighbouring rounds rather than single ones (moving-block bootstrap, Künsch 1989); the runs are
    rounds^(1/3) long.
    """
    count = samples.size
    length = max(1, round(count ** (1 / 3)))
    generator = np.random.default_rng(0)
    starts = generator.integers(0, count - length + 1, size=(RESAMPLES, math.ceil(count / length)))
    picks = (starts[:, :, None] + np.arange(length)).reshape(RESAMPLES, -1)[:, :count]
    low, high = np.quantile(np.median(samples[picks], axis=1), [OUTSIDE, 1 - OUTSIDE])
    return float(low), float(high)


def order_statistics_interval(samples: np.ndarray) -> tuple[float, float]:
    """The k-th smallest and the k-th largest sample, k as large as the sign test allows (Conover, 1999, section 3.2).

    With fewer than six samples no k does; then it is the least and the greatest of them.
    """
    # Counts of the 2^count equally likely sides of the median: whole numbers do not underflow.
    count, rank, below = samples.size, 0, 1
    while round(1 / OUTSIDE) * below <= 2**count:
        rank += 1
        below += math.comb(count, rank)
    ordered = np.sort(samples)
    rank = max(1, rank)
    return float(ordered[rank - 1]), float(ordered[count - rank])
