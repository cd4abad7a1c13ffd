"""The random inputs of a check: sizes that no file names, other strides, and every dtype that a card allows."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from judge_sample_task import TASK, judge_answer, message, refused_at
from sample_task import normal, row_sums_slow

from course_utils.judging import drawn_inputs
from course_utils.tasks import Case

LARGE = replace(TASK, count_sizes=(4, 64))
WIDE = replace(TASK, dtypes={"x": ("float64", "int64", "int32", "uint8")}, limits=())


def draw_all(task, seed=0):
    generator = np.random.default_rng(seed)
    return drawn_inputs.draw_small(task, generator) + drawn_inputs.draw_large(task, generator)


def test_sizes_between_and_beyond_the_tasks_own_are_drawn():
    sizes = [[len(inputs[0]) for _, inputs in draw_all(LARGE, seed)] for seed in range(5)]
    assert all(each[:5] == list(LARGE.sizes) for each in sizes)
    assert all(1 < each[5] < 17 and each[5] not in LARGE.sizes for each in sizes)
    assert all(64 < each[6] <= 80 for each in sizes)
    assert len({tuple(each) for each in sizes}) > 1


@pytest.mark.slow
def test_an_answer_that_knows_the_published_sizes_is_refused():
    published = (*LARGE.sizes, *LARGE.count_sizes, 0, 2, 4)
    assert judge_answer(lambda x: x.sum(1), LARGE).right
    assert refused_at(lambda x: x.sum(1) if len(x) in published else x.sum(1) + 1, LARGE) == "correct"
    assert refused_at(lambda x: x.sum(1) if len(x) <= 64 else x.sum(1) + 1, LARGE) == "correct"


def test_inputs_have_gaps_and_another_order_in_memory():
    strides = {name.partition(" with ")[2]: x.stride() for name, (x,) in draw_all(LARGE)}
    assert strides["gaps in memory"][1] == 2 and strides["another order in memory"][0] == 1
    assert "with gaps in memory" in message(lambda x: x.view(-1).view(x.shape).sum(1), LARGE)


def test_an_argument_that_the_card_calls_contiguous_has_no_gaps():
    assert all(x.is_contiguous() for _, (x,) in draw_all(replace(TASK, contiguous=("x",))))


@pytest.mark.parametrize("dtype", ["float64", "int64", "int32", "uint8"])
def test_every_dtype_that_a_card_allows_is_drawn(dtype):
    names = {name: x.dtype for name, (x,) in draw_all(WIDE)}
    assert names[f"x of dtype {dtype}"] == getattr(torch, dtype)
    right = lambda x: x.sum(1, dtype=x.dtype)
    wrong = lambda x: right(x).float() if x.dtype == getattr(torch, dtype) else right(x)
    assert judge_answer(right, WIDE).right
    assert message(wrong, WIDE).startswith("For ")


def test_finite_edge_cases_are_compared_in_integers():
    nan, row = Case("NaN", lambda _: (torch.tensor([[torch.nan]]),)), Case("one row", normal(1, 3))
    task = replace(WIDE, edge_cases=(nan, row, Case("no rows", normal(0, 3))))
    wrong = lambda x: x.sum(1) if len(x) == 0 and x.dtype == torch.int32 else x.sum(1, dtype=x.dtype)
    assert "For no rows, in int32, the result has dtype int64; expected int32." in message(wrong, task)
    cases = [(case.name, case.make(np.random.default_rng(0))) for case in task.edge_cases]
    names = [name for name, _ in drawn_inputs.convert_to_integers(task, cases, np.random.default_rng(0))]
    assert names == ["one row, in int64", "no rows, in int64", "one row, in int32", "no rows, in int32"]


def test_wide_dtypes_get_values_that_narrower_ones_cannot_represent():
    inputs = {name: x for name, (x,) in draw_all(WIDE)}
    wide, integers = inputs["x of dtype float64"], inputs["x of dtype int64"]
    assert (wide.float().double() != wide).all()
    assert (integers.double().long() != integers).any()


def test_order_is_kept_when_floats_become_integers():
    ordered = replace(WIDE, inputs=lambda size, generator: (normal(size, 9)(generator)[0].sort().values,))
    assert all((x.long().diff() >= 0).all() for name, (x,) in draw_all(ordered) if "int" in name.partition("dtype")[2])


def test_gradients_are_compared_in_every_floating_dtype_that_a_card_allows():
    task = replace(TASK, dtypes={"x": ("float64",)}, edge_cases=(), gradients=True, limits=())
    without_gradient = lambda x: x.sum(1).detach() if x.dtype == torch.float64 else x.sum(1)
    assert "the gradients of x of dtype float64" in message(without_gradient, task)


def test_the_reference_replaces_the_slow_loop_in_a_long_case():
    lengths = []

    def noting(x):
        lengths.append(len(x))
        return row_sums_slow(x)

    long = Case("5,000 rows", normal(5000, 1))
    task = replace(TASK, slow=noting, reference=lambda x: x.sum(1), edge_cases=(long,), limits=())
    assert judge_answer(lambda x: x.sum(1), task).right
    assert 0 < max(lengths) < 5000
    assert "For 5,000 rows" in message(lambda x: torch.cat([x[:4096], 0 * x[4096:]]).sum(1), task)


def test_large_inputs_are_also_compared_in_float64_if_an_edge_case_has_that_dtype():
    in_float32 = lambda x: (x.float() if len(x) > 64 else x).sum(1).to(x.dtype)
    wide = Case("float64 values", lambda generator: (normal(3, 2)(generator)[0].double(),))
    assert ", in float64" in message(in_float32, replace(LARGE, edge_cases=(wide,)))
    assert judge_answer(lambda x: x.sum(1), replace(LARGE, edge_cases=(wide,))).right


@pytest.mark.slow
def test_gradients_are_compared_beyond_the_published_sizes():
    task = replace(LARGE, gradients=True, reference=lambda x: x.sum(1))
    half_of_it = lambda x: (x + x.detach()).sum(1) / 2 if len(x) > 64 else x.sum(1)
    assert judge_answer(lambda x: x.sum(1), task).right
    assert "the gradient of x has wrong values" in message(half_of_it, task)
    assert refused_at(half_of_it, task) == "correct"
