"""The races of seven lessons run on the GPU without Jupyter: every contender is right, and no point beats the limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_utils import limits
from course_utils.races.lesson_runner import run_lesson

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
BUDGET_S = 1.5

WRONG_BY_DESIGN = {("03", "as it circulates"), ("09", "divided")}
"""Lesson and contender: the lesson shows that it fails."""


@pytest.mark.parametrize("number", ["03", "05", "07", "09", "12", "13", "18"])
def test_races_of_a_lesson_run_on_the_gpu(measured_device: str, number: str) -> None:
    (lesson,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    limits.ensure_peaks(measured_device)
    results = list(run_lesson(lesson, measured_device, BUDGET_S))
    assert results
    for result in results:
        assert result.device == measured_device
        judged = [point for point in result.points if (number, point.contender) not in WRONG_BY_DESIGN]
        bad = [point for point in judged if point.status in ("wrong", "failed")]
        assert not bad, f"{result.race}: {bad[0].note}"
        assert any(point.status == "measured" for point in result.points), result.race
        shares = {(point.contender, point.size): result.share(point) or 0.0 for point in result.points}
        assert max(shares.values()) <= 1.05, f"{result.race}: {max(shares, key=shares.__getitem__)} beats the limit"
