"""Rounding passes, lost precision does not, and a phrase names the difference."""

import numpy as np
import pytest

from course_utils.judging.difference import difference, tolerance_of
from course_utils.judging.oracle import Expected, run_slow_loop
from course_utils.judging.recognize_cause import looks_like_lower_precision
from course_utils.tasks import Task

torch = pytest.importorskip("torch")


def one_by_one(x):
    """Return the sum of x, added from left to right."""
    total = torch.zeros((), dtype=x.dtype)
    for value in x:
        total = total + value
    return total


def running(x):
    """Return every partial sum of x."""
    total, sums = torch.zeros((), dtype=x.dtype), []
    for value in x:
        total = total + value
        sums.append(total)
    return torch.stack(sums)


def phrase(slow, given, x, **options):
    task = Task(id="any", title="", points=1, level=1, slow=slow, inputs=lambda size, generator: (), **options)
    first = difference(given, run_slow_loop(task, (x,)), tolerance_of(task))
    return first and first.sentence


def random(count, dtype=torch.float32, mean=0.0, seed=0):
    return (torch.from_numpy(np.random.default_rng(seed).standard_normal(count)) + mean).to(dtype)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("mean", [0.0, 3.0])
def test_another_order_of_addition_passes(dtype, mean, seed):
    x = random(2000, dtype, mean, seed)
    assert phrase(one_by_one, x.sum(), x) is None
    assert phrase(one_by_one, x.flip(0).sum(), x) is None
    assert phrase(running, x.cumsum(0), x) is None


@pytest.mark.parametrize("seed", range(20))
def test_half_precision_for_float32_does_not_pass(seed):
    x = random(50, seed=seed)
    for half in (torch.float16, torch.bfloat16):
        given = x.to(half).cumsum(0).float()
        assert phrase(running, given, x) is not None
        assert looks_like_lower_precision(given, Expected(running(x), (x,), lambda: running(x.double())))


def test_float32_for_float64_does_not_pass():
    x = random(50, torch.float64)
    assert phrase(running, x.float().cumsum(0).double(), x) is not None


def queue(change):
    """Return the length of a queue after each change, at least 0."""
    length, lengths = torch.zeros((), dtype=change.dtype), []
    for value in change:
        length = (length + value).clamp(min=0)
        lengths.append(length)
    return torch.stack(lengths)


@pytest.mark.slow
def test_sums_in_float64_may_be_off_by_their_own_rounding():
    change = random(20_000, torch.float64, seed=31)
    sums = change.cumsum(0)
    assert phrase(queue, sums - sums.cummin(0).values.clamp(max=0), change) is None
    sums = change.float().cumsum(0).double()
    assert phrase(queue, sums - sums.cummin(0).values.clamp(max=0), change) is not None


def test_a_difference_of_large_sums_in_float64_may_lose_their_last_digits():
    def after_the_peak(x):
        return running(x[4:])

    x = random(200, torch.float64)
    x[3] = 1e6
    for dtype, is_right in ((torch.float64, True), (torch.float32, False)):
        sums = x.to(dtype).cumsum(0).double()
        assert (phrase(after_the_peak, sums[4:] - sums[3], x) is None) == is_right


def test_tolerance_of_zero_requires_equality():
    x = random(2000)
    assert phrase(one_by_one, one_by_one(x) * (1 + 1e-4), x) is not None
    assert phrase(one_by_one, one_by_one(x) * (1 + 1e-4), x, tolerance=1e-3) is None
    assert phrase(one_by_one, one_by_one(x), x, tolerance=0) is None
    assert phrase(one_by_one, one_by_one(x) * (1 + 1e-6), x, tolerance=0) is not None


def test_bools_and_integers_have_no_tolerance():
    x = torch.tensor([1.0, -1.0, 0.0])
    assert phrase(lambda x: x > 0, x > 0, x) is None
    assert phrase(lambda x: x > 0, x >= 0, x) == "the result has wrong values (1 of 3 values)"
    assert phrase(lambda x: x.abs().byte(), x.abs().byte() + 1, x) == "the result has wrong values (all values)"


def test_nan_and_infinity_must_be_at_the_same_positions():
    x = torch.tensor([1.0, float("nan"), float("inf"), -float("inf")])
    same = torch.clone
    assert phrase(same, x.clone(), x) is None
    assert (
        phrase(same, x.nan_to_num(0.0, float("inf"), -float("inf")), x) == "the result has wrong values (1 of 4 values)"
    )
    assert phrase(same, torch.where(x < -9, -x, x), x) == "the result has wrong values (1 of 4 values)"


def test_an_overflow_as_in_the_loop_is_right():
    x = torch.tensor([3e38, 3e38])
    assert phrase(one_by_one, x.sum(), x) is None


def test_truth_values_must_be_equal():
    x = torch.tensor([1.0, -1.0])
    assert phrase(lambda x: x > 0, torch.tensor([True, False]), x) is None
    assert phrase(lambda x: x > 0, torch.tensor([True, True]), x) == "the result has wrong values (1 of 2 values)"


def test_integers_must_be_equal():
    x = torch.arange(5)
    assert phrase(torch.clone, x.clone(), x) is None
    assert phrase(torch.clone, x + (x == 4), x) == "the result has wrong values (1 of 5 values)"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (None, "the result is None; is `return` missing?"),
        ([1.0, 2.0], "the result is a list; expected a torch tensor"),
        (np.ones(2), "the result is a NumPy array; expected a torch tensor"),
        (torch.ones(2, 3).min(1), "the result is the pair (values, indices) that min returns along a dimension; take .values or .indices; expected a torch tensor"),
        (torch.ones(2).double(), "the result has dtype float64; expected float32"),
        (torch.ones(1, 2), "the result has shape (1, 2); expected (2,)"),
        (torch.ones(2, device="meta"), "the result is on meta; expected cpu"),
        (torch.nn.Parameter(torch.ones(2)), "the result is a torch Parameter; expected a plain torch tensor"),
        (torch.ones(2).to_sparse(), "the result is a torch.sparse_coo tensor; expected a plain, dense tensor"),
    ],
)  # fmt: skip
def test_message_names_the_difference(given, sentence):
    assert phrase(torch.clone, given, torch.ones(2)) == sentence


def test_a_huge_input_that_the_result_does_not_use_allows_no_error():
    x = torch.tensor([1.0, 2.0, 1e30])
    ignores_the_last = lambda x: x[:2] * 3
    assert phrase(ignores_the_last, x[:2] * 3 * (1 + 2**-22), x) is None
    assert phrase(ignores_the_last, x[:2] * 3.01, x) == "the result has wrong values (all values)"


def test_a_sum_that_cancels_may_be_off_by_a_rounding_of_its_terms():
    x = torch.tensor([1.0, 3.0, -4.0 + 2**-20])
    assert phrase(one_by_one, x.sum() + 2**-22, x) is None
    assert phrase(one_by_one, x.sum() + 2**-12, x) == "the result has wrong values"


def test_a_view_that_is_only_marked_as_negative_has_its_values():
    x = torch.ones(2)
    assert phrase(torch.clone, torch._neg_view(-x), x) is None


def test_parts_are_compared_one_by_one():
    x = torch.ones(2)
    both = lambda x: (x * 2, {"mean": 1.0})
    assert phrase(both, (x * 2, {"mean": 1}), x) is None
    assert phrase(both, (x * 2,), x) == "the result has 1 part; expected 2"
    assert phrase(both, (x * 3, {"mean": 1.0}), x) == "the result[0] has wrong values (all values)"
    assert phrase(both, (x * 2, {"mean": 2.0}), x) == "the result[1] at 'mean' has wrong values"
    assert phrase(both, (x * 2, {"sum": 2.0}), x) == "the dict[1] has the keys ['sum']; expected ['mean']"
    assert (
        phrase(both, (x * 2, {"mean": x}), x) == "the result[1] at 'mean' is a torch tensor; expected a Python number"
    )


def test_result_with_a_graph_is_refused_if_the_task_forbids_it():
    x = random(5).requires_grad_()
    asked = Expected(x.detach().cumsum(0), (x,), detached=True)
    assert difference(x.cumsum(0), Expected(x.detach().cumsum(0), (x,))) is None
    assert "still requires a gradient" in difference(x.cumsum(0), asked).sentence
    assert difference(x.detach().cumsum(0), asked) is None
    assert difference(x.cumsum(0), Expected(x.cumsum(0), (x,), detached=True)) is None


def test_result_that_requires_a_gradient_of_its_own_is_refused():
    x = random(5)
    assert "requires a gradient of its own" in difference(x.clone().requires_grad_(), Expected(x, ())).sentence
    assert difference(x.clone().requires_grad_(), Expected((2 * x).requires_grad_() / 2, ())) is None
