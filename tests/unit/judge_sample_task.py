"""Functions that return the verdict, or its message, on an answer to the sample task."""

from dataclasses import replace

import pytest

from course_utils.judging import Answer, judge

torch = pytest.importorskip("torch")

from sample_task import ROW_SUMS

TASK = replace(ROW_SUMS, target=None)  # Most tests need no race.


def judge_answer(function, task=TASK):
    return judge(task, Answer(function, task))


def message(answer, task=TASK):
    verdict = judge_answer(answer, task)
    assert verdict.message is not None, f"passed: {verdict.lines}"
    assert verdict.points == 0
    assert "AssertionError" not in verdict.message
    return verdict.message


def refused_at(answer, task=TASK):
    return judge_answer(answer, task).lines[-1].name
