"""The step correct: right answers pass, and the message on a wrong one names the input and the cause."""

import random
import re
import sys
from dataclasses import replace

import pytest

from course_utils.tasks import Case

torch = pytest.importorskip("torch")

from judge_sample_task import TASK, judge_answer, message
from load_tolerance import in_one_of_three_attempts
from sample_task import ROW_SUMS, normal, row_sums_slow


def test_slow_loop_runs_once_per_input():
    asked = []

    def noting(x):
        asked.append(x.numpy().tobytes())
        return row_sums_slow(x)

    assert judge_answer(lambda x: x.sum(1), replace(TASK, slow=noting, limits=())).right
    random_ones = [each for each in asked if len(each) == 4 * 17 * 18]
    assert len(random_ones) == len(set(random_ones)) == 4  # one of the random inputs, and three for repeated calls


@in_one_of_three_attempts
def test_a_right_answer_has_three_steady_lines():
    verdicts = [judge_answer(lambda x: x.sum(1), ROW_SUMS) for _ in range(2)]
    texts = ["\n".join(map(str, verdict.lines)) for verdict in verdicts]
    assert (
        texts[0]
        == texts[1]
        == (
            "✓ correct   new random inputs and 3 edge cases\n"
            "✓ unlooped  at most 4 tensor operations\n"
            "✓ fast      at least 5× as fast as the slow loop, as far as it can be measured"
        )
    )
    assert [repr(verdict) for verdict in verdicts] == ["row_sums: right, 2 points"] * 2
    assert verdicts[0].ratio.value > 5 and verdicts[0].points == 2
    assert verdicts[0].counts[4].ops == verdicts[0].counts[16].ops == 1


def test_special_cases_are_compared_in_float64():
    def row_sums(x):
        return (x.float() if x.stride()[0] == 1 else x).sum(1).to(x.dtype)

    *others, turned = TASK.edge_cases
    for task in (TASK, replace(TASK, edge_cases=tuple(others), worst=(turned,))):
        assert "For a transposed matrix, in float64, the result has wrong values" in message(row_sums, task)


@pytest.mark.parametrize("draw", [lambda: torch.rand(()), random.random])
def test_a_result_that_is_wrong_for_some_random_numbers_is_refused(draw):
    state = torch.get_rng_state(), random.getstate()
    assert message(lambda x: x.sum(1) + (draw() < 0.5))
    assert torch.equal(torch.get_rng_state(), state[0]) and random.getstate() == state[1]


def test_each_check_draws_other_random_numbers():
    drawn = []
    for _ in range(2):
        judge_answer(lambda x: drawn.append(torch.rand(()).item()))
    assert len(drawn) == len(set(drawn)) >= 2


def test_steps_that_a_task_omits_are_reported():
    lines = judge_answer(lambda x: x.sum(1), replace(TASK, limits=())).lines
    assert [line.status for line in lines] == ["right", "not asked", "not asked"]


def test_the_inputs_are_new_each_time():
    seen = []
    judge_answer(lambda x: seen.append(x.sum().item()), TASK)
    judge_answer(lambda x: seen.append(x.sum().item()), TASK)
    assert len(seen) == len(set(seen)) >= 2


def test_a_message_shows_the_smallest_input_expected_and_given():
    text = message(lambda x: torch.where(x.sum(1) > -99, x.sum(1) + (torch.arange(len(x)) == 1), 0.0)).splitlines()
    assert text[0] == "For a random input of size 2, the result has wrong values (1 of 2 values)."
    # Numbers with few digits fit on one line.
    end = next(number for number, line in enumerate(text) if line.endswith("(float32, shape (2, 3))"))
    assert text[1].startswith("  x         [[") and end in (1, 2)
    expected, given, mark = text[end + 1 : end + 4]
    assert expected.startswith("  expected  ") and given.startswith("  given     ")
    assert set(mark.strip()) == {"^"} and len(expected) == len(given) == len(mark)


def test_usual_mistake_is_named():
    square = replace(TASK, inputs=lambda size, generator: normal(size, size)(generator), sizes=(2, 5))
    assert message(lambda x: x.sum(0), square).endswith("These are the sums of the columns.")


def test_lower_precision_gets_its_name():
    positive = replace(
        TASK, inputs=lambda size, generator: (normal(size, 3)(generator)[0].abs(),)
    )  # sums that nothing cancels
    text = message(lambda x: x.half().sum(1).float(), positive)
    (error,) = re.findall(r"The median relative error is (\S+): something is computed in a lower precision", text)
    assert 0 < float(error) < 0.01


def test_nan_from_a_masked_infinity_is_explained():
    from math import inf, nan

    positive = replace(
        TASK,
        slow=lambda x: torch.stack([torch.stack([each if each > 0 else 0 * each.sign() for each in row]) for row in x]),
        edge_cases=(Case("infinity", lambda _: (torch.tensor([[1.0, -2.0, inf]]),)),),
        limits=(),
        mistakes=(),
    )
    assert "∞ · 0 is NaN" in message(lambda x: x.clamp(min=0) * (x < inf), positive)
    assert "∞ · 0" not in message(lambda x: torch.where(x < inf, x.clamp(min=0), 7.0), positive)
    assert "∞ · 0" not in message(lambda x: torch.full_like(x, nan), positive)


def leaked(x):
    inside = []
    torch.vmap(lambda row: inside.append(row.sum()) or row)(x)
    return inside


def symbolic(x):
    from torch._subclasses import FakeTensorMode

    return FakeTensorMode().from_tensor(x)


# A message quotes the line that raises, so these functions are separate from the words that the tests expect.
def misspelled(x):
    return x.no_such_method()


def leaving(x):
    sys.exit("bye")


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda x: None, "is `return` missing?"),
        (lambda x: x.sum(1).tolist(), "the result is a list"),
        (lambda x: x.sum(1).numpy(), "the result is a NumPy array"),
        (lambda x: x.sum(1).float(), "For float64 values, the result has dtype float32; expected float64."),
        (lambda x: x.sum(1, keepdim=True), "shape (1, 1); expected (1,)"),
        (lambda x, y: x, "(x, y) cannot be called as row_sums(x)"),
        (lambda x: x.sum(1) / 0 if len(x) == 5 else x.sum(1), "For a random input of size 5"),
        (lambda x: x.cumsum_(1)[:, -1].clone(), "changed its input x"),
        (lambda x: x.t_().sum(0), "changed its input x"),
        (misspelled, "raised AttributeError"),
        (leaving, "raised SystemExit: bye"),
        (lambda x: (yield x), "the result is a generator"),
        (lambda x: x.sum(1).to_sparse(), "is a torch.sparse_coo tensor"),
        (lambda x: torch.nested.nested_tensor([x.sum(1)]), "is a nested tensor"),
        (lambda x: leaked(x)[-1], "from inside a torch.func transformation"),
        (lambda x: symbolic(x.sum(1)), "is a torch FakeTensor; expected a plain torch tensor"),
    ],
)  # fmt: skip
def test_message_names_what_is_wrong(answer, says):
    assert says in message(answer)


def test_message_on_a_wrong_shape_shows_the_values_of_a_small_case():
    text = message(lambda x: x.sum(1, keepdim=True))
    assert re.search(r"\n  x +\[\[.*\n  expected +\[[^\[].*\n  given +\[\[", text), text


def test_an_error_names_the_learners_own_line():
    def row_sums(x):
        return x.sum(7)

    assert "`return x.sum(7)`, raised IndexError" in message(row_sums)
    assert "/" not in message(row_sums)


def test_answer_that_is_not_written_gets_a_kind_message():
    def row_sums(x):
        raise NotImplementedError

    assert message(row_sums).startswith("row_sums is not written yet")


def test_unwritten_function_that_the_answer_calls_is_named():
    def drop_small(labels, min_area):
        raise NotImplementedError

    text = message(lambda x: drop_small(x, 1))
    assert text.startswith("row_sums calls drop_small, which still raises NotImplementedError"), text
    assert '`drop_small = task("drop_small").reference`' in text


def test_a_view_of_the_input_is_refused_unless_the_task_allows_it():
    first = replace(TASK, slow=lambda x: x[:, 0].clone(), edge_cases=(), mistakes=())
    assert "shares memory with the input x" in message(lambda x: x[:, 0], first)
    assert judge_answer(lambda x: x[:, 0], replace(first, may_alias=True)).right


def test_a_cached_answer_is_refused():
    cache = {}
    assert "earlier call" in message(lambda x: cache.setdefault(x.shape, x.sum(1)))
    by_identity = {}
    text = message(lambda x: by_identity.setdefault(id(x), (x, x.sum(1)))[1])
    assert text.startswith("For new values in the same tensors") and "earlier call" in text


def test_a_result_that_a_later_call_overwrites_is_refused():
    cache = {}

    def row_sums(x):
        return torch.sum(x, 1, out=cache.setdefault((x.shape, x.dtype), torch.empty(len(x), dtype=x.dtype)))

    assert "changed the result of an earlier one" in message(row_sums)


def test_answer_that_caches_by_a_models_identity_is_refused():
    def linear(generator):
        layer = torch.nn.Linear(3, 2)
        layer.weight.data = normal(2, 3)(generator)[0]
        return layer

    def inputs(size, generator):
        return linear(generator), *normal(size, 3)(generator)

    task = replace(TASK, slow=lambda model, x: model(x), inputs=inputs, edge_cases=(), limits=())
    assert judge_answer(lambda model, x: model(x), task).right  # its result has a graph, so it cannot be copied deeply

    by_identity = {}

    def with_cached_weights(model, x):
        weight = by_identity.setdefault(id(model), (model, model.weight.detach().clone()))[1]
        return x @ weight.T + model.bias

    assert message(with_cached_weights, task).startswith("For new values in the same tensors")


def test_an_answer_that_differs_from_call_to_call_is_refused():
    calls = iter(range(1000))
    assert "in a second call" in message(lambda x: x.sum(1) + (next(calls) == len(TASK.sizes) + 8))


@pytest.mark.slow
def test_tensor_without_its_device_is_refused():
    assert "torch.zeros(…) without a device" in message(lambda x: x.sum(1) + torch.zeros(len(x), dtype=x.dtype))
    assert judge_answer(lambda x: x.sum(1) + torch.zeros(len(x), dtype=x.dtype, device=x.device)).right
    assert judge_answer(lambda x: x.sum(1) + torch.tensor(0.0)).right
    assert judge_answer(lambda x: x[torch.arange(len(x))].sum(1)).right


@pytest.mark.parametrize(
    "of_no_rows, says",
    [
        (lambda x: torch.zeros(0, device=x.device), "For no rows, in float64, the result has dtype float32"),
        (lambda x: torch.zeros(0, dtype=x.dtype), "creates a tensor with torch.zeros(…) without a device"),
    ],
)
def test_a_special_branch_that_forgets_the_dtype_or_the_device_is_refused(of_no_rows, says):
    float64 = Case("float64 values", lambda g: (normal(2, 3)(g)[0].double(),))
    task = replace(TASK, edge_cases=(Case("no rows", normal(0, 3)),), worst=(float64,), mistakes=())
    assert says in message(lambda x: x.sum(1) if len(x) else of_no_rows(x), task)


def test_expected_error_needs_a_message():
    task = replace(TASK, raises=((Case("a vector", normal(3)), ValueError),))

    def refusing(error):
        def row_sums(x):
            if x.dim() != 2:
                raise error
            return x.sum(1)

        return row_sums

    assert judge_answer(refusing(ValueError("x must be a matrix")), task).right
    assert "without a message" in message(refusing(ValueError()), task)
    assert "should raise ValueError; line" in message(refusing(TypeError("no")), task)
    assert "should raise ValueError; it raised nothing." in message(lambda x: x.sum(-1), task)


@pytest.mark.slow
def test_gradients_are_compared_if_the_task_asks():
    task = replace(TASK, gradients=True)
    assert judge_answer(lambda x: x.sum(1), task).right
    assert "none reaches x" in message(lambda x: x.detach().sum(1), task)
    assert "wrong values" in message(lambda x: (x + x.detach()).sum(1) / 2, task)
    assert "a block under `torch.no_grad()`" in message(torch.no_grad()(lambda x: x.sum(1)), task)


def test_a_small_result_of_another_shape_is_shown():
    text = message(lambda x: x.sum(1)[None])
    assert "the result has shape (1, 1); expected (1,)" in text
    expected, given = text.splitlines()[-2:]
    assert expected.split()[0] == "expected" and given.split()[0] == "given" and "shape (1, 1)" in given


def test_hidden_nan_in_a_gradient_is_explained():
    zeros = Case("a matrix with a row of zeros", lambda g: (torch.eye(3)[[0, 1, 1]] * 0,))
    task = replace(TASK, gradients=True, edge_cases=(zeros,), limits=())

    def divided_and_multiplied(x):
        scale = x.abs().amax(1)  # the scale is 0: 0 / 0 is NaN, and torch.where replaces it too late
        return torch.where(scale > 0, (x / scale[:, None]).sum(1) * scale, 0 * x.sum(1))

    assert judge_answer(lambda x: x.sum(1), task).right
    text = message(divided_and_multiplied, task)
    assert "For the gradients of a matrix with a row of zeros, the gradient of x has wrong values" in text
    assert "0 times nan" in text


def test_gradients_are_also_compared_if_one_argument_needs_them():
    inputs = lambda size, generator: tuple(torch.from_numpy(generator.random((2, size, 3))))
    slow = lambda x, y: torch.stack([each.sum() for each in x * y])
    task = replace(TASK, slow=slow, inputs=inputs, edge_cases=(), worst="", mistakes=(), limits=(), gradients=True)

    def cuts_the_first(x, y):
        return ((x if y.requires_grad else x.detach()) * y).sum(1)

    assert judge_answer(lambda x, y: (x * y).sum(1), task).right
    assert "if only x needs a gradient, none reaches x" in message(cuts_the_first, task)
