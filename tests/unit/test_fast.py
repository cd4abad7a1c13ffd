"""The step fast: only an answer that is certainly too slow is refused."""

import re
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from course_utils.judging import Answer, fast, judge
from course_utils.timing import Ratio

torch = pytest.importorskip("torch")

from judge_sample_task import judge_answer, message
from sample_task import ROW_SUMS


@pytest.mark.slow
def test_a_slow_answer_without_a_loop_is_refused_by_the_race():
    def row_sums(x):
        time.sleep(0.08)  # a busy machine slows down the loop, but not a sleep
        return x.sum(1)

    verdict = judge_answer(row_sums, ROW_SUMS)
    assert verdict.lines[-1].name == "fast" and "at least 5.00× is required" in verdict.message


@pytest.mark.slow
def test_an_answer_whose_one_call_outlasts_the_race_is_refused():
    def row_sums(x):
        end = time.thread_time() + 0.2  # On a crowded machine, a sleep would count as the delay by other programs.
        while len(x) == ROW_SUMS.race_size and time.thread_time() < end:
            pass
        return x.sum(1)

    verdict = judge(ROW_SUMS, Answer(row_sums, ROW_SUMS), race_s=0.1)
    assert re.search(r"one call takes \d+\.\d s, longer than the whole race may last", verdict.message)


@pytest.mark.slow
def test_a_call_that_other_programs_delay_is_judged_by_its_work(monkeypatch):
    def row_sums(x):
        time.sleep(0.2 if len(x) == ROW_SUMS.race_size else 0)
        return x.sum(1)

    monkeypatch.setattr(fast, "WorkTimer", lambda: SimpleNamespace(seconds=0.05))
    verdict = judge(replace(ROW_SUMS, target=4.0), Answer(row_sums, ROW_SUMS), race_s=0.1)
    assert verdict.right and verdict.inconclusive, "both calls take the same work, which decides nothing"


def test_an_answer_that_is_right_for_small_inputs_only_is_refused():
    assert "The results of small inputs are right." in message(lambda x: x.sum(1) + (len(x) == 40), ROW_SUMS)


@pytest.mark.parametrize("ratio, is_inconclusive", [(4.1, False), (3.9, True)])
def test_a_ratio_without_an_interval_decides_if_it_is_far_above_the_target(monkeypatch, ratio, is_inconclusive):
    target = ROW_SUMS.target
    monkeypatch.setattr(fast, "_race", lambda *_: Ratio(ratio * target, None, None))
    assert judge_answer(lambda x: x.sum(1), ROW_SUMS).inconclusive == is_inconclusive


def test_a_race_ends_after_few_rounds_that_are_far_above_the_target():
    calls = []

    def slow(x):
        calls.append(x)
        time.sleep(0.1)
        return x.sum(1)

    task = replace(ROW_SUMS, slow=slow)
    pool = [task.inputs(task.race_size, np.random.default_rng(0))]
    ratio = fast._race(task, task.target, Answer(lambda x: x.sum(1), task), pool, 0.4)
    assert ratio.value > 4 * task.target
    assert len(calls) <= 3, "5 rounds would give an interval"
