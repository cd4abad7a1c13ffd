"""The GPU's limits: measured in time, the same twice, reached by a copy and beaten by nothing."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import pytest

from course_utils import limits
from course_utils.limits import Cost
from course_utils.limits.peaks import COPYING
from course_utils.races import race

MB = 2**20


def negate_16_times(x: Any) -> Any:
    for _ in range(16):
        x.neg_()
    return x


@pytest.fixture(scope="module")
def peaks(measured_device: str) -> limits.Peaks:
    measured = limits.ensure_peaks(measured_device)
    assert measured is not None
    return measured


def test_limits_are_measured_within_ten_seconds_and_agree(measured_device: str, peaks: limits.Peaks) -> None:
    start = perf_counter()
    again = limits.measure_peaks(measured_device)
    assert perf_counter() - start <= 10
    assert again.device == measured_device and again.matmul
    figures = {dtype: (rate, again.matmul[dtype]) for dtype, rate in peaks.matmul.items()}
    figures["bandwidth"] = peaks.copy_bandwidths[-1][1], again.copy_bandwidths[-1][1]
    figures["launch"] = peaks.launch_s(COPYING), again.launch_s(COPYING)
    for name, (first, second) in figures.items():
        assert second == pytest.approx(first, rel=0.2), name


def test_large_copy_comes_close_to_the_limit(measured_device: str, peaks: limits.Peaks) -> None:
    size = 64 * MB
    share = shares(measured_device, lambda x: x.clone(), [size], lambda n: Cost(reads=4 * n, writes=4 * n, launches=1))[
        size
    ]
    assert 0.85 <= share <= 1.05


@pytest.mark.parametrize(
    ("function", "cost"),
    [
        (lambda x: x + x, lambda n: Cost(reads=4 * n, writes=4 * n, launches=1)),
        (lambda x: x.neg_(), lambda n: Cost(updates=4 * n, launches=1)),
        (lambda x: x.sum(), lambda n: Cost(reads=4 * n, launches=1)),
        (negate_16_times, lambda n: Cost(updates=4 * n, launches=16)),
    ],
    ids=["add", "negate in place", "sum", "16 launches"],
)
def test_no_operation_beats_the_limit(
    measured_device: str, peaks: limits.Peaks, function: Callable[[Any], Any], cost: Callable[[int], Cost]
) -> None:
    assert max(shares(measured_device, function, [2**12, 2**16, MB, 16 * MB, 64 * MB], cost).values()) <= 1.05


def shares(
    device: str, function: Callable[[Any], Any], sizes: list[int], cost: Callable[[int], Cost]
) -> dict[int, float]:
    """Return size → the share of the limit that ``function`` reaches, as a race shows it."""
    import torch

    result = race("share", {"once": function}, lambda n, device: (torch.ones(n, device=device),), sizes, cost=cost).run(
        device=device, budget_s=2.0
    )
    shares = {point.size: result.share(point) for point in result.points}
    return {size: share for size, share in shares.items() if share is not None}
