"""``explain`` on the GPU finds the costliest line and its reason, and its lines add up to the call."""

from __future__ import annotations

from typing import Any

import pytest

from course_utils import explain


def many_launches(x: Any) -> Any:
    rows = x[:200]
    total = rows[0] * 0
    for row in rows:
        total += row  # costliest
    return total


def many_waits(x: Any) -> float:
    total = 0.0
    for row in x[:200]:
        total += row[0].item()  # costliest
    return total


def one_product(x: Any) -> Any:
    y = x @ x  # costliest
    return y[0, 0]


def over_memory(x: Any) -> Any:
    y = x + 1
    for _ in range(20):
        y.mul_(2)  # costliest
    return y


@pytest.mark.parametrize(
    ("function", "reasons"),
    [
        (many_launches, {"launches"}),
        (many_waits, {"syncs"}),
        (one_product, {"limit", "compute", "traffic"}),
        (over_memory, {"limit", "traffic"}),
    ],
)
def test_costliest_line_and_its_reason(cuda: str, function: Any, reasons: set[str]) -> None:
    import torch

    explanation = explain(function, torch.rand(4096, 4096, device=cuda))
    assert "# costliest" in explanation.costliest.source
    assert explanation.costliest.reason in reasons
    assert sum(line.seconds for line in explanation.lines) == pytest.approx(explanation.measured_s, rel=0.15)


def test_tensors_are_moved_to_the_device_that_is_named(measured_device: str) -> None:
    import torch

    explanation = explain(many_launches, torch.ones(256, 64), device=measured_device)
    assert explanation.device == measured_device
    assert explanation.costliest.reason == "launches"
