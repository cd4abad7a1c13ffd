"""What a call must leave alone: modes, gradients' switches, optimizers, and memory of its own for each result."""

import gc
import os
import re
import sys
from dataclasses import replace

import numpy as np
import pytest

from course_utils.sandbox.restore_settings import restore_settings

torch = pytest.importorskip("torch")

from judge_sample_task import TASK, judge_answer, message
from sample_task import normal


def _model_inputs(size, generator):
    layer = torch.nn.Linear(3, 2)
    layer.weight.data = normal(2, 3)(generator)[0]
    return layer, *normal(size, 3)(generator)


MODEL = replace(
    TASK, slow=lambda model, x: model(x).detach(), inputs=_model_inputs, edge_cases=(), mistakes=(), limits=()
)


def test_changed_mode_of_a_module_is_refused():
    assert judge_answer(lambda model, x: model(x).detach(), MODEL).right
    text = message(lambda model, x: model.eval()(x).detach(), MODEL)
    assert "model.training is False after the call; the slow loop leaves True" in text


def test_parameters_left_without_gradients_are_refused():
    text = message(lambda model, x: model.requires_grad_(False)(x), MODEL)
    assert "model.weight.requires_grad is False after the call" in text


def test_gradients_that_a_model_loses_are_reported():
    def dropping(model, x):
        model.zero_grad()
        return model(x).detach()

    def trained_inputs(size, generator):
        model, x = _model_inputs(size, generator)
        model(x).sum().backward()
        return model, x

    assert judge_answer(MODEL.slow, replace(MODEL, inputs=trained_inputs)).right
    reported = message(dropping, replace(MODEL, inputs=trained_inputs))
    assert "model.weight.grad is None after the call; the slow loop leaves a tensor" in reported


def test_attribute_that_a_model_keeps_is_refused():
    def row_sums(model, x):
        model.calls = 1
        return model(x).detach()

    assert "model.calls is 1 after the call; the slow loop leaves none" in message(row_sums, MODEL)


@pytest.mark.parametrize(
    ("register", "where"),
    [
        (lambda model: model.register_forward_hook(lambda *_: None), "model"),
        (lambda model: model.weight.register_hook(lambda gradient: None), "model.weight"),
    ],
)
def test_hooks_that_stay_on_a_model_are_refused(register, where):
    def row_sums(model, x):
        handle = register(model)
        result = model(x).detach()
        if removes:
            handle.remove()
        return result

    removes = True
    assert judge_answer(row_sums, MODEL).right
    removes = False
    assert f"row_sums leaves 1 hook on {where}, which later calls would run" in message(row_sums, MODEL)


@pytest.mark.parametrize(
    "change, setting",
    [
        (lambda: torch.set_grad_enabled(False), "torch.is_grad_enabled() at False"),
        (lambda: torch.set_grad_enabled(True), "torch.is_grad_enabled() at True"),
        (lambda: torch.use_deterministic_algorithms(True), "torch.are_deterministic_algorithms_enabled() at True"),
        (lambda: torch.set_num_threads(2), "torch.get_num_threads() at 2"),
        (lambda: setattr(torch.backends.mkldnn, "enabled", False), "torch.backends.mkldnn.enabled at False"),
        (lambda: torch.backends.mha.set_fastpath_enabled(False), "torch.backends.mha.get_fastpath_enabled() at False"),
    ],
)
def test_changed_setting_is_refused(change, setting):
    def row_sums(x):
        change()
        return x.sum(1)

    assert f"leaves {setting}" in message(row_sums, replace(TASK, limits=()))


def test_a_check_restores_every_setting_that_torch_lets_a_function_change():
    def row_sums(x):
        torch.backends.mkldnn.enabled = torch.backends.cudnn.enabled = False
        torch.backends.cuda.enable_flash_sdp(False)
        torch.set_autocast_enabled("cpu", True)
        torch.use_deterministic_algorithms(True, warn_only=True)
        torch.set_float32_matmul_precision("medium")
        torch.set_warn_always(True)
        return x.sum(1)

    with restore_settings() as left_changed:
        message(row_sums)
    assert not left_changed


def test_gradients_that_are_left_in_a_model_are_refused():
    def row_sums(model, x):
        model(x).sum().backward()
        return model(x).detach()

    assert "row_sums leaves a gradient in model." in message(row_sums, MODEL)


@pytest.mark.parametrize(
    ("change", "setting"),
    [
        (lambda: torch.set_num_threads(3), "torch.get_num_threads() at 3"),
        (lambda: torch.manual_seed(7), "torch.initial_seed() at 7"),
        (gc.disable, "gc.isenabled() at False"),
        (lambda: np.seterr(over="raise"), "np.geterr() at {'over': 'raise'}:"),
        (lambda: sys.setrecursionlimit(12345), "sys.getrecursionlimit() at 12345"),
        (lambda: os.environ.update(OMP_DYNAMIC="TRUE"), "os.environ at {'OMP_DYNAMIC': 'TRUE'}:"),
        (lambda: os.chdir("/"), "os.getcwd() at /:"),
        (lambda: os.environ.pop("PATH", None), "os.environ at {'PATH': None}:"),
    ],
)
def test_settings_that_are_left_changed_are_refused_and_restored(change, setting):
    def row_sums(x):
        change()
        return x.sum(1)

    with restore_settings() as left_changed:
        assert f"leaves {setting}" in message(row_sums, replace(TASK, limits=()))
    assert not left_changed


def test_a_generator_is_left_as_the_slow_loop_leaves_it():
    def draws(x, generator):
        return x.sum(1) + torch.rand(1, generator=generator)

    def draws_from_a_copy(x, generator):
        return draws(x, generator.clone_state())

    def inputs(size, generator):
        return *normal(size, 3)(generator), torch.Generator().manual_seed(int(generator.integers(2**31)))

    task = replace(TASK, slow=draws, inputs=inputs, edge_cases=(), mistakes=(), limits=())
    assert judge_answer(draws, task).right
    assert "draws_from_a_copy" not in (text := message(draws_from_a_copy, task))
    assert "leaves generator in another state than the slow loop does" in text


def test_inputs_that_change_only_at_a_counted_size_are_refused():
    def row_sums(x):
        result = x.sum(1)
        if len(x) == TASK.count_sizes[1]:
            x.zero_()
        return result

    text = message(row_sums)  # a drawn size may be the counted one
    assert re.match(rf"For a random input of size {TASK.count_sizes[1]}( [a-z ]+)?, row_sums changed its input x", text)


def test_a_memo_by_the_identity_of_a_list_is_refused():
    memo = {}

    def row_sums(tensors):
        if id(tensors) not in memo:
            memo[id(tensors)] = tensors, torch.stack(tensors)
        return memo[id(tensors)][1].sum(1)

    task = replace(
        TASK,
        slow=lambda tensors: torch.stack([each.sum() for each in tensors]),
        inputs=lambda size, generator: (list(normal(size, 3)(generator)[0]),),
        edge_cases=(),
        mistakes=(),
        limits=(),
    )
    assert message(row_sums, task).startswith("For new values in the same tensors, the result has wrong values")


def test_a_memo_by_identity_and_version_is_refused():
    memo = {}

    def row_sums(x):
        key = id(x), x._version
        if key not in memo:
            memo[key] = x, x.sum(1)
        return memo[key][1]

    assert "Two calls of row_sums with the very same tensors return the same memory" in message(row_sums)


def test_result_that_is_wrong_at_a_counted_size_is_not_correct():
    verdict = judge_answer(lambda x: x.sum(1) + (len(x) == TASK.count_sizes[1]), TASK)
    assert [str(line) for line in verdict.lines] == ["✗ correct   not yet, see below"]
    size = TASK.count_sizes[1]  # a drawn size may be the counted one
    assert re.match(rf"For a random input of size {size}( [a-z ]+)?, the result has wrong values", verdict.message)


@pytest.mark.parametrize("changed", [False, True])
def test_lists_whose_values_change_places_are_refused(changed):
    def totals(rows):
        return [sum(row) for row in rows]

    def sorted_totals(rows):
        result = totals(rows)
        if changed:
            rows.sort()
        return result

    def inputs(size, generator):
        return ([[2.0, float("nan")], [1.0, float(size)]],)

    task = replace(TASK, framework="none", slow=totals, inputs=inputs, edge_cases=(), mistakes=(), limits=())
    assert judge_answer(sorted_totals, task).right is not changed
    assert not changed or "changed its input rows[0][0]" in message(sorted_totals, task)
