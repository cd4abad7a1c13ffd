"""Speed and error of some ways: each error is the largest one beside the truth, and the chart shows every way in every case."""

import numpy as np
import pytest

from course_utils.races.accuracy import speed_and_error
from course_utils.ui import accuracy_chart

WAYS = {"exact": lambda x: x, "a hundredth off": lambda x: 1.01 * x, "no number": lambda x: np.full_like(x, np.nan)}
CASES = {"small": (np.array([1.0, -2.0]),), "large": (np.array([3.0, 1e6]),)}


@pytest.fixture(scope="module")
def found():
    return speed_and_error(WAYS, CASES, lambda x: x, budget_s=1.0)


def test_an_error_is_the_largest_one_as_a_share_of_the_largest_true_value(found):
    assert found.errors["exact", "large"] == 0
    assert found.errors["a hundredth off", "small"] == pytest.approx(0.01)
    assert found.errors["no number", "small"] == np.inf


def test_every_way_is_timed_in_every_case(found):
    assert (found.contenders, found.cases) == (tuple(WAYS), tuple(CASES))
    assert all(found.seconds[way, case] > 0 for way in WAYS for case in CASES)


def test_the_chart_tells_who_stands_on_it_and_draws_all_that_have_an_error(found, monkeypatch):
    told = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw, metadata: told.append(bundle))
    accuracy_chart.show(found)
    (bundle,) = told
    assert bundle["text/plain"].startswith("Time and error of 3 ways, exact, a hundredth off, no number, in the cases")
    assert "a hundredth off" in bundle["text/html"]
