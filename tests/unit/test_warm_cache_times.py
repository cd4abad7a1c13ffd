"""An operation of torch runs again on few rows, which shows how much of its time is arithmetic."""

import time

import pytest
import torch
from load_tolerance import in_one_of_three_attempts

from course_utils.counting.torch_warm_cache_times import TorchWarmCacheTimes
from course_utils.frameworks import across_frameworks

aten = torch.ops.aten
ROWS = torch.randn(300_000, 3, generator=torch.Generator().manual_seed(1))


def arithmetic_s(name, func, *args, seconds=1.0):
    return TorchWarmCacheTimes(time.thread_time).seconds(name, func, args, {}, [func(*args)], seconds)


def fastest_s(function):
    times = []
    for _ in range(9):
        start = time.thread_time()
        function()
        times.append(time.thread_time() - start)
    return min(times)


@in_one_of_three_attempts
def test_short_rows_take_as_long_in_the_cache():
    with across_frameworks.threads(1):  # a second thread that waits for a busy core would be counted as arithmetic
        shown_s, whole_s = arithmetic_s("sum", aten.sum.dim_IntList, ROWS, [1]), fastest_s(lambda: ROWS.sum(1))
    assert 0.5 * whole_s < shown_s < 2 * whole_s


def test_what_an_operation_adds_to_a_row_is_cut_with_the_rows_and_other_inputs_are_not():
    seen = []

    def record(*args):
        seen.append(tuple(tuple(each.shape) for each in args))
        return []

    times = TorchWarmCacheTimes(time.perf_counter)
    times.arithmetic_s(lambda some: record(*some), [ROWS, ROWS[:, :1], torch.ones(3)], [])
    assert seen[0] == ((1, 3), (1, 1), (3,))
    assert 1 < seen[-1][0][0] < len(ROWS) and seen[-1][0][0] == seen[-1][1][0] and seen[-1][2] == (3,)


@pytest.mark.parametrize(
    ("name", "func", "args"),
    [
        ("bernoulli", aten.bernoulli.default, (torch.full((1000, 3), 0.5),)),
        ("clone", aten.clone.default, (ROWS,)),
        ("add", aten.add.Tensor, (torch.eye(3).to_sparse(), torch.eye(3).to_sparse())),
    ],
)
def test_what_draws_random_numbers_or_only_moves_values_is_not_tried(name, func, args):
    state, before = torch.get_rng_state(), args[0].clone()
    times = TorchWarmCacheTimes(time.perf_counter)
    assert times.seconds(name, func, args, {}, [], 1.0) == 0.0
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.equal(
        args[0].to_dense() if args[0].is_sparse else args[0], before.to_dense() if before.is_sparse else before
    )


def test_rows_that_meet_all_rows_of_another_input_are_cut_alone_and_a_table_belongs_to_the_last_axes():
    seen = []

    def record(some):
        seen.append([tuple(each.shape) for each in some])
        return [torch.maximum(*some)]

    times = TorchWarmCacheTimes(time.perf_counter)
    for inputs in ([torch.ones(900, 1, 2), torch.ones(900, 2)], [torch.ones(8, 300, 300), torch.ones(300, 300)]):
        times.arithmetic_s(record, inputs, [torch.maximum(*inputs)])
    assert seen[0] == [(1, 1, 2), (900, 2)] and [(8, 1, 300), (1, 300)] in seen


def test_what_an_operation_writes_into_is_tried_on_a_copy():
    total, labels, values = torch.zeros(50, 8), torch.arange(100_000) % 50, torch.ones(100_000, 8)
    assert TorchWarmCacheTimes(time.thread_time).seconds(
        "index_add_", aten.index_add_.default, (total, 0, labels, values), {}, [total], 1.0
    )
    assert not total.any()


def test_an_operation_that_does_not_check_its_inputs_is_not_tried():
    lstm, x = torch.nn.LSTM(32, 64), torch.randn(100, 4, 32)
    state, never = torch.zeros(1, 4, 64), lambda *_: pytest.fail("tried")
    inputs = (x, *lstm._flat_weights, state, state)
    for name in ("mkldnn_rnn_layer", "mkldnn_rnn_layer_backward", "lu_unpack", "_ctc_loss_backward"):
        assert TorchWarmCacheTimes(time.perf_counter).seconds(name, never, inputs, {}, [x], 1.0) == 0.0


def test_a_short_operation_is_not_tried():
    assert arithmetic_s("sum", aten.sum.dim_IntList, ROWS, [1], seconds=1e-6) == 0.0


def test_a_short_operation_is_tried_for_few_shapes_and_a_known_shape_keeps_its_time(monkeypatch):
    times = TorchWarmCacheTimes(time.perf_counter)
    monkeypatch.setattr(times, "arithmetic_s", lambda *_: 1e-6)
    sizes = [*range(1, 102), 1]
    shown = [times.seconds("sin", aten.sin.default, (torch.ones(size),), {}, [], 1e-5) for size in sizes]
    assert shown == [1e-6] * 50 + [0.0] * 51 + [1e-6]
