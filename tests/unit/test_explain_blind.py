"""`explain` agrees with a person who did not know how it works about the costliest lines and their reasons."""

import json
from dataclasses import replace

import pytest
from explained_case import REASONS, Result, find_undisturbed, messages
from explained_functions import CASES
from run_with_tensorflow import run_with_tensorflow

from course_utils.explaining import profiler


@pytest.fixture(scope="module")
def findings():
    """Return the results of all twenty cases."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(profiler, "BUDGET_S", 0.3)
        return [find_undisturbed(case) for case in CASES]


@pytest.fixture(scope="module")
def in_tensorflow():
    """Return the misses and gaps in the TensorFlow functions, which run in a process of their own."""
    # With one thread, as in torch, the limits that the cases above have measured apply.
    one_thread = dict.fromkeys(("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"), "1")
    done = run_with_tensorflow("explained_functions_tensorflow.py", timeout_s=240, **one_thread)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


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


@pytest.mark.process
def test_the_costliest_line_and_its_reason_are_right_in_18_of_20(findings):
    misses = messages(finding.miss(case) for finding, case in zip(findings, CASES, strict=True))
    assert len(misses) <= 2, "\n".join(misses)


@pytest.mark.process
def test_the_lines_of_each_function_add_up_to_its_call_within_15_percent(findings):
    gaps = messages(finding.gap() for finding in findings)
    assert not gaps, "\n".join(gaps)


@pytest.mark.process
def test_at_most_one_tensorflow_case_is_wrong(in_tensorflow):
    assert len(in_tensorflow["misses"]) <= 1, "\n".join(in_tensorflow["misses"])


@pytest.mark.process
def test_tensorflow_lines_add_up(in_tensorflow):
    assert not in_tensorflow["gaps"], "\n".join(in_tensorflow["gaps"])
