"""`explain` agrees with a person who did not know how it works about the costliest lines and their reasons."""

from dataclasses import replace

import pytest
from explained_case import REASONS, Result, find_undisturbed, messages
from explained_functions import CASES

from course_utils.explaining import profiler


@pytest.fixture(scope="module")
def findings():
    """Return the results of all twenty cases."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(profiler, "BUDGET_S", 0.3)
        return [find_undisturbed(case) for case in CASES]


def test_each_case_has_one_marked_line_and_all_reasons_of_a_cpu_occur():
    assert len({case.id for case in CASES}) == len(CASES) == 20
    assert len({case.line for case in CASES}) == 20
    assert all(1 <= len(case.reasons) <= 2 for case in CASES)
    assert {reason for case in CASES for reason in case.reasons} == REASONS - {"transfers", "unknown"}


def test_a_wrong_line_or_reason_and_a_wrong_sum_are_reported():
    case = CASES[0]
    right = Result(case.id, f"explained_functions.py:{case.line}", "launches", lines_s=0.9, measured_s=1.0)
    assert right.miss(case) is None and right.gap() is None
    assert replace(right, reason="python").miss(case) == (
        f"brighten: expected launches at {right.place}, found python at {right.place}"
    )
    elsewhere = f"explained_functions.py:{case.line - 1}"
    assert f"found launches at {elsewhere}" in replace(right, place=elsewhere).miss(case)
    assert replace(right, lines_s=0.8).gap() == "brighten: the lines add up to 0.8 s of 1 s"
    assert replace(right, lines_s=1.2).gap()


@pytest.mark.slow
def test_the_costliest_line_and_its_reason_are_right_in_18_of_20(findings):
    misses = messages(finding.miss(case) for finding, case in zip(findings, CASES, strict=True))
    assert len(misses) <= 2, "\n".join(misses)


@pytest.mark.slow
def test_the_lines_of_each_function_add_up_to_its_call_within_15_percent(findings):
    gaps = messages(finding.gap() for finding in findings)
    assert not gaps, "\n".join(gaps)
