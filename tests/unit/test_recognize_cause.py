"""A message names a cause only if it is the cause."""

from dataclasses import replace
from math import inf

import pytest

torch = pytest.importorskip("torch")

from judge_sample_task import TASK, message
from sample_task import normal

from course_utils.tasks import Case

PLAIN = replace(TASK, edge_cases=(), mistakes=(), limits=())


def test_small_integers_that_repeat_by_chance_are_no_earlier_call():
    task = replace(PLAIN, slow=lambda x: torch.stack([(row > 0).sum() for row in x]) if len(x) else x.long().sum(1))
    for _ in range(5):
        assert "earlier call" not in message(lambda x: (x > 0).sum(1).clamp(max=1), task)


def test_values_copied_from_inputs_that_repeat_are_no_earlier_call():
    row = torch.tensor([[1.0, 2, 3, 4, 5]])
    task = replace(
        PLAIN,
        slow=lambda x: torch.stack([max(column) for column in x.T]),
        inputs=lambda size, generator: normal(1, 5)(generator),
        edge_cases=(
            Case("one row", lambda _: (row,)),
            Case("a larger row below", lambda _: (torch.cat([row, row + 1]),)),
        ),
    )
    text = message(lambda x: 1 * x[0], task)
    assert text.startswith("For a larger row below, the result has wrong values") and "earlier call" not in text


def test_values_that_are_off_by_a_few_percent_are_no_lower_precision():
    assert "lower precision" not in message(lambda x: 1.04 * x.sum(1), PLAIN)


def test_another_branch_in_a_case_of_few_values_is_no_lower_precision():
    task = replace(PLAIN, edge_cases=(Case("exactly 100", lambda _: (torch.full((2, 1), 100.0),)),))
    text = message(lambda x: torch.where(x.sum(1) == 100.0, 1.03, 1.0) * x.sum(1), task)
    assert text.startswith("For exactly 100, the result has wrong values") and "lower precision" not in text


def test_a_row_left_out_is_no_lower_precision():
    assert "lower precision" not in message(lambda x: x[:, 1:].sum(1), PLAIN)


@pytest.mark.filterwarnings("error")
def test_lower_precision_next_to_infinity_causes_no_warning():
    def inputs(size, generator):
        return (torch.cat([*normal(size, 3)(generator), torch.full((1, 3), inf)]),)

    assert "lower precision" in message(lambda x: x.half().sum(1).float(), replace(PLAIN, inputs=inputs))


def test_a_wrong_step_of_a_model_is_no_lower_precision():
    def step(model, x, rate):
        total = model(x).sum()
        for parameter, gradient in zip(model.parameters(), torch.autograd.grad(total, list(model.parameters()))):
            parameter.data -= rate * gradient

    def inputs(size, generator):
        model = torch.nn.Linear(3, 2)
        for parameter in model.parameters():
            torch.nn.init.ones_(parameter)
        return model, *normal(size, 3)(generator), 1e-4

    task = replace(PLAIN, slow=step, writes=("model",), inputs=inputs)
    assert "lower precision" not in message(lambda model, x, rate: step(model, x, 2 * rate), task)


def test_zero_divided_by_zero_is_no_infinity():
    task = replace(
        PLAIN,
        slow=lambda x: (
            torch.stack([row / row if row != 0 else 0 * row.sign() for row in x.flatten()]).reshape(x.shape)
            if x.numel()
            else x.clone()
        ),
        inputs=lambda size, generator: normal(size, 1)(generator),
        edge_cases=(Case("zero and infinity", lambda _: (torch.tensor([[0.0], [3.0], [1.0]]),)),),
    )
    assert "∞" not in message(lambda x: x / x, task)
    task = replace(task, edge_cases=(Case("zero next to infinity", lambda _: (torch.tensor([[0.0], [inf]]),)),))
    assert "∞ · 0" not in message(lambda x: torch.where(x == inf, inf, x / x), task)


def test_an_input_that_a_message_can_show_comes_before_a_large_random_one():
    task = replace(
        PLAIN,
        inputs=lambda size, generator: normal(40, 40)(generator),
        edge_cases=(Case("three values", normal(1, 3)),),
    )
    assert message(lambda x: x.sum(1) + 1, task).startswith("For three values, the result has wrong values")


@pytest.mark.slow
def test_an_answer_that_is_too_slow_may_still_hold_a_loop():
    task = replace(PLAIN, inputs=lambda size, generator: normal(size, 3)(generator), race_size=500, target=20.0)
    text = message(lambda x: torch.stack([row.sum() for row in x]) if len(x) else x.sum(1), task)
    assert "which Python loop remains?" in text
