"""Inputs that are derived from a random one: other magnitudes, small integers, NaN and infinity in one position."""

import copy
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from judge_sample_task import TASK, judge_answer, message

from course_utils import tasks
from course_utils.frameworks import tensor_trees
from course_utils.judging.derived_inputs import OTHER_MAGNITUDE, draw_derived
from course_utils.judging.recognize_cause import OTHER_EACH_TIME
from course_utils.tasks import Case, TaskInvalid

PLAIN = replace(TASK, edge_cases=(), limits=(), mistakes=())


def sums_below_a_million(x):
    return torch.where(x.abs() < 1e5, x, 0).sum(1)


def sums_of_distinct_values(x):
    return x.sum(1) if len(x.unique()) == x.numel() else torch.stack([row.unique().sum() + 0.5 for row in x])


@pytest.mark.parametrize(
    ("answer", "case"),
    [
        (sums_below_a_million, "x multiplied by 2²⁰"),
        (lambda x: x.sum(1) + 1e-8, "x divided by 2²⁰"),
        (sums_of_distinct_values, "small integers in x"),
    ],
)
def test_a_message_names_the_derived_input_and_shows_it(answer, case):
    text = message(answer, PLAIN)
    assert text.startswith(f"For a random input of size 3 with {case}, the result has wrong values"), text
    assert "(float32, shape (3, 4))" in text and "expected  " in text


def test_a_message_says_that_a_fixed_number_fits_one_magnitude():
    assert message(sums_below_a_million, PLAIN).endswith(OTHER_MAGNITUDE)
    assert OTHER_MAGNITUDE not in message(sums_of_distinct_values, PLAIN)


def test_a_message_says_that_a_kept_state_changes_a_small_result():
    earlier = [torch.zeros(())]

    def sums_with_a_kept_part(x):
        result = x.sum(1) + 1e-9 * earlier[-1]
        earlier.append(earlier[-1] + x.abs().sum())
        return result

    assert message(sums_with_a_kept_part, PLAIN).endswith(OTHER_EACH_TIME)


def test_a_second_call_that_fails_leaves_the_message_about_the_first():
    earlier = []

    def sums_once(x):
        if x.abs().max() > 1e5:
            if any(torch.equal(x, each) for each in earlier):
                raise RuntimeError("the second call")
            earlier.append(x.clone())
        return sums_below_a_million(x)

    assert message(sums_once, PLAIN).endswith(OTHER_MAGNITUDE)


def test_arguments_that_the_card_limits_keep_their_values():
    assert judge_answer(sums_below_a_million, replace(PLAIN, bounded=("x",))).right
    with pytest.raises(TaskInvalid, match="names .'z'. in dtypes or bounded; write names of the slow loop's arguments"):
        replace(PLAIN, bounded=("z",))


def test_a_derived_input_whose_result_is_mostly_rounding_refuses_only_what_rounding_does_not_explain():
    for tolerance in (None, 1e-4):
        task = replace(PLAIN, slow=lambda x: torch.cos(3.3 * x), tolerance=tolerance)
        assert judge_answer(lambda x: torch.cos(3 * x + 0.3 * x), task).right
        assert "with x divided by 2²⁰" in message(lambda x: torch.cos(3.3 * x) + (x.abs().max() < 1e-3), task)
        far_off = lambda x: torch.where(x.abs() < 1e4, torch.cos(3.3 * x), 50)
        assert "with x multiplied by 2²⁰" in message(far_off, task)


def test_nan_is_derived_only_if_an_edge_case_holds_it():
    with_nan = replace(PLAIN, edge_cases=(Case("NaN", lambda _: (torch.tensor([[torch.nan, 1.0]]),)),))
    right_for_two_columns = lambda x: x.sum(1) if x.shape[1] == 2 else x.nansum(1)
    assert judge_answer(right_for_two_columns, PLAIN).right
    assert "with one NaN in x" in message(right_for_two_columns, with_nan)


def test_infinite_results_are_compared_where_they_usually_are_infinite():
    def slow(x):
        return torch.where(torch.arange(x.shape[1]) == 1, torch.inf, x)

    def below_a_million(x):
        return torch.where(x.abs() < 1e5, slow(x), 0)

    assert "multiplied by 2²⁰" in message(below_a_million, replace(PLAIN, slow=slow))


def test_results_that_overflow_or_raise_in_the_slow_loop_are_not_compared():
    def slow(x):
        return torch.stack([row.exp().sum().log() for row in x]) if len(x) else x.sum(1)

    def refusing(x):
        if (x.abs() > 1e3).any():
            raise ValueError("too large")
        return x.sum(1)

    assert judge_answer(lambda x: x.logsumexp(1), replace(PLAIN, slow=slow)).right
    assert judge_answer(sums_below_a_million, replace(PLAIN, slow=refusing)).right


@pytest.mark.slow
def test_a_step_of_two_workers_is_right_in_every_draw():
    task = tasks.load("ddp_step")
    for seed in range(250, 270):
        for derived in draw_derived(task, [], np.random.default_rng(seed))[1]:
            model, loss, x, y, rate, single = inputs = tensor_trees.copy_inputs(derived.inputs)
            single.before, single.other, single.calls = copy.deepcopy(model), copy.deepcopy(model), 1
            given, cut = dict(single.other.named_parameters()), single.first_share
            parts = [
                torch.autograd.grad(loss(single.before(x[part]), y[part]).sum(), [*single.before.parameters()])
                for part in (slice(cut), slice(cut, None))
            ]
            with torch.no_grad():
                for parameter, one, other in zip(given.values(), *parts):
                    parameter -= rate * ((one + other) / len(x))
            task.slow(*inputs)
            assert task.same({"model": given}, {"model": dict(model.named_parameters())}, inputs) is None, seed
