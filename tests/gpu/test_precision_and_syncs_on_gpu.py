"""On the GPU, results agree in full precision, and the course counts every synchronization that torch reports."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

from course_utils import count
from course_utils.frameworks import across_frameworks
from course_utils.frameworks.agreement import close


@pytest.mark.parametrize("signals", [1, 10, 1000])
def test_two_convolutions_agree(device: str, signals: int) -> None:
    import torch

    kernel = torch.full((1, 1, 9), 1 / 9, device=device)
    x = torch.randn(signals, 1, 100, device=device)
    with across_frameworks.full_precision():
        one_by_one = torch.stack([torch.conv1d(signal, kernel) for signal in x])
        assert close(one_by_one, torch.conv1d(x, kernel)) is None


@pytest.mark.parametrize("steps", [64, 1024])
def test_filter_agrees_with_its_convolution(device: str, steps: int) -> None:
    import torch
    from torch.nn.functional import conv1d, pad

    x = torch.randn(steps, 8, device=device)
    weights = 0.9 ** torch.arange(min(steps, 175) - 1, -1, -1, device=device, dtype=x.dtype)
    with across_frameworks.full_precision():
        states, state = torch.empty_like(x), torch.zeros_like(x[0])
        for step in range(steps):
            state = 0.9 * state + x[step]
            states[step] = state
        convolved = conv1d(pad(x.T[:, None], (len(weights) - 1, 0)), weights[None, None])[:, 0].T
        assert close(states, convolved) is None


# Name → code that lesson 13 lists, and whether Python waits in it.
LISTED: dict[str, tuple[Callable[[Any], Any], bool]] = {
    "sum": (lambda x: x.sum(), False),
    "where": (lambda x: x.where(x > 3, 0.0), False),
    "fill": (lambda x: x.clone().__setitem__(x > 3, 0.0), False),
    "item": (lambda x: x.sum().item(), True),
    "if": (lambda x: 1 if x.sum() > 3 else 2, True),
    "mask": (lambda x: x[x > 3], True),
    "nonzero": (lambda x: x.nonzero(), True),
    "unique": (lambda x: x.unique(), True),
    "format": (lambda x: f"{x.sum():.1f}", True),
    "print": (lambda x: str(x), True),
    "equal": (lambda x: x.equal(x), True),
    "tolist": (lambda x: x.tolist(), True),
    "to the host": (lambda x: x.cpu(), True),
}


@pytest.mark.parametrize("name", LISTED)
def test_counts_find_the_waits_that_torch_reports(cuda: str, name: str) -> None:
    import torch

    function, waits = LISTED[name]
    x = torch.arange(6.0, device=cuda)
    function(x)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        try:
            function(x)
        finally:
            torch.cuda.set_sync_debug_mode("default")
    reported = any("synchroniz" in str(warning.message) for warning in caught)
    counts = count(function, x)[1]
    assert (reported, counts.syncs + counts.transfers > 0) == (waits, waits)
