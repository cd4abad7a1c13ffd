"""What a call must leave alone: modes, gradients' switches, optimizers, and memory of its own for each result."""

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")

from made_up_judging import TASK, judged, message
from made_up_task import normal


def _model_inputs(size, generator):
    layer = torch.nn.Linear(3, 2)
    layer.weight.data = normal(2, 3)(generator)[0]
    return layer, *normal(size, 3)(generator)


MODEL = replace(
    TASK, slow=lambda model, x: model(x).detach(), inputs=_model_inputs, edge_cases=(), mistakes=(), limits=()
)


def test_changed_mode_of_a_module_is_refused():
    assert judged(lambda model, x: model(x).detach(), MODEL).right
    text = message(lambda model, x: model.eval()(x).detach(), MODEL)
    assert "model.training is False after the call; the slow loop leaves True" in text


def test_parameters_left_without_gradients_are_refused():
    text = message(lambda model, x: model.requires_grad_(False)(x), MODEL)
    assert "model.weight.requires_grad is False after the call" in text


def test_gradients_that_a_model_loses_are_reported():
    def dropping(model, x):
        model.zero_grad()
        return model(x).detach()

    def trained(size, generator):
        model, x = _model_inputs(size, generator)
        model(x).sum().backward()
        return model, x

    assert judged(MODEL.slow, replace(MODEL, inputs=trained)).right
    reported = message(dropping, replace(MODEL, inputs=trained))
    assert "model.weight.grad is None after the call; the slow loop leaves a tensor" in reported


@pytest.mark.parametrize(
    "change, setting",
    [
        (lambda: torch.set_grad_enabled(False), "torch.is_grad_enabled() at False"),
        (lambda: torch.use_deterministic_algorithms(True), "torch.are_deterministic_algorithms_enabled() at True"),
        (lambda: torch.set_num_threads(2), "torch.get_num_threads() at 2"),
    ],
)
def test_changed_setting_is_refused(change, setting):
    def row_sums(x):
        change()
        return x.sum(1)

    assert f"leaves {setting}" in message(row_sums, replace(TASK, limits=()))


def test_a_memo_by_identity_and_version_is_refused():
    memo = {}

    def row_sums(x):
        key = id(x), x._version
        if key not in memo:
            memo[key] = x, x.sum(1)
        return memo[key][1]

    assert "Two calls of row_sums with the very same tensors return the same memory" in message(row_sums)


def test_result_that_is_wrong_at_a_counted_size_is_not_correct():
    verdict = judged(lambda x: x.sum(1) + (len(x) == TASK.count_sizes[1]), TASK)
    assert [str(line) for line in verdict.lines] == ["✗ correct   not yet, see below"]
    assert f"For a random input of size {TASK.count_sizes[1]}, the result has wrong values" in verdict.message
