"""Speed and error: the error is the largest difference from the truth, and the chart shows every contender in every
case.
"""

import numpy as np
import pytest

from course_utils.core.errors import CourseError
from course_utils.races.speed_and_error import SpeedAndError, speed_and_error
from course_utils.ui import speed_and_error_chart

CONTENDERS = {
    "exact": lambda x: x,
    "a hundredth off": lambda x: 1.01 * x,
    "no number": lambda x: np.full_like(x, np.nan),
}
CASES = {"small": (np.array([1.0, -2.0]),), "large": (np.array([3.0, 1e6]),)}


@pytest.fixture(scope="module")
def result():
    return speed_and_error(CONTENDERS, CASES, lambda x: x, budget_s=1.0)


def test_error_is_a_share_of_the_largest_true_value(result):
    assert result.errors["exact", "large"] == 0
    assert result.errors["a hundredth off", "small"] == pytest.approx(0.01)
    assert result.errors["no number", "small"] == np.inf


def test_every_contender_is_timed_in_every_case(result):
    assert (result.contenders, result.cases) == (tuple(CONTENDERS), tuple(CASES))
    assert all(result.seconds[name, case] > 0 for name in CONTENDERS for case in CASES)


def test_chart_names_all_contenders(result, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw, metadata: shown.append(bundle))
    speed_and_error_chart.show(result)
    (bundle,) = shown
    assert bundle["text/plain"].startswith(
        "Time and error of 3 contenders: exact; a hundredth off; no number. The cases are "
    )
    assert "a hundredth off" in bundle["text/html"]


@pytest.mark.slow
def test_contender_that_raises_is_left_out_and_named(monkeypatch, capsys):
    def fails_on_large_values(x):
        if x.max() > 1e5:
            raise NotImplementedError("no kernel for 'Float8'\nand more")
        return x

    shown = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw, metadata: shown.append(bundle))
    partly = speed_and_error(CONTENDERS | {"float8": fails_on_large_values}, CASES, lambda x: x, budget_s=0.3)
    assert ("float8", "small") in partly.seconds
    assert ("float8", "large") not in partly.seconds and ("float8", "large") not in partly.errors
    speed_and_error_chart.show(partly)
    assert max(map(len, (printed := capsys.readouterr().out).splitlines())) <= 100
    assert "float8 has no dot for large" in printed
    assert " ".join(printed.split()).endswith("NotImplementedError: no kernel for 'Float8'")
    with pytest.raises(CourseError, match="No contender works in any case; float8 in the case large raised NotImpl"):
        speed_and_error({"float8": fails_on_large_values}, {"large": CASES["large"]}, lambda x: x)


def test_no_name_covers_a_dot_or_another_name(monkeypatch):
    names, cases, drawn = ("doubling", "chunks", "loop", "filter"), ("0.9", "0.999"), []
    milliseconds, errors = (
        (0.9, 1.0, 1.3, 1.25, 125, 125, 6, 140),
        (1.5e-7, 1.9e-7, 2.4e-7, 9e-7, 2e-7, 5e-6, 3e-7, 6e-6),
    )
    pairs = [(name, case) for name in names for case in cases]
    seconds = {pair: 1e-3 * each for pair, each in zip(pairs, milliseconds)}
    monkeypatch.setattr("course_utils.ui.lesson_chart.show_figure", lambda figure, alt: drawn.append(figure))
    speed_and_error_chart.show(SpeedAndError(names, cases, seconds, dict(zip(pairs, errors)), 1, "cpu", {}))
    (axes,) = drawn[0].axes
    boxes = [text.get_window_extent() for text in axes.texts if text.get_text() in names]
    dots = [axes.transData.transform((1e3 * seconds[pair], error)) for pair, error in zip(pairs, errors)]
    assert len(boxes) == 4 and not any(box.contains(*dot) for box in boxes for dot in dots)
    assert not any(one.overlaps(other) for one in boxes for other in boxes if one is not other)
