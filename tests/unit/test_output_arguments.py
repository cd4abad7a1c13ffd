"""A task may name an argument that must be written: the buffer is then the result, and its memory must stay."""

from dataclasses import replace

import pytest

from course_utils.tasks import Mistake, Task
from course_utils.tasks.at_most import at_most

torch = pytest.importorskip("torch")

from judge_sample_task import judge_answer, message, refused_at
from sample_task import normal


def doubled_slow(x, out):
    """Write twice each value of x into out."""
    for i in range(len(x)):
        out[i] = 2 * x[i]


DOUBLED = Task(
    id="doubled",
    title="Twice, in place",
    points=1,
    level=1,
    slow=doubled_slow,
    inputs=lambda size, generator: (*normal(size)(generator), *normal(size)(generator)),
    writes=("out",),
    limits=(at_most(2, "ops"), at_most(0, "bytes")),
    mistakes=(Mistake("This is x itself.", lambda x, out: out.copy_(x)),),
)


@pytest.mark.parametrize(
    "answer",
    [
        lambda x, out: torch.mul(x, 2, out=out),
        lambda x, out: out.copy_(x).mul_(2),
        lambda x, out: [torch.add(x, x, out=out), "whatever it returns"][1],
    ],
)
def test_written_argument_is_the_result(answer):
    verdict = judge_answer(answer, DOUBLED)
    assert verdict.right, verdict.message
    assert str(verdict.lines[1]) == "✓ unlooped  at most 2 tensor operations, no new memory"


def test_unwritten_argument_is_reported():
    for lost in (lambda x, out: 2 * x, lambda x, out: torch.add(x, x, out=torch.empty_like(x))):
        text = message(lost, DOUBLED)
        assert text.startswith("For a random input of size 1, out has wrong values")
        assert "Nothing was written into out" in text


def test_a_wrong_value_is_one_of_the_buffers():
    def off_by_one_place(x, out):
        torch.mul(x, 2, out=out)
        out[1:2] += 1

    assert message(off_by_one_place, DOUBLED).startswith("For a random input of size 2, out has wrong values (1 of 2")
    assert message(lambda x, out: out.copy_(x), DOUBLED).endswith("This is x itself.")


def test_only_named_arguments_may_be_written():
    text = message(lambda x, out: out.copy_(x.mul_(2)), DOUBLED)
    assert "changed its input x; leave inputs as they are and write into out only" in text


def test_buffer_with_new_memory_is_refused():
    def replaced(x, out):
        out.data = 2 * x

    for answer in (replaced, lambda x, out: out.set_(2 * x)):
        assert "puts another memory, or another shape, under out" in message(answer, DOUBLED)


def test_buffer_that_was_refilled_is_written_again():
    seen = []

    def once(x, out):
        if not any(each is x and version == x._version for each, version in seen):
            torch.mul(x, 2, out=out)
            seen.append((x, x._version))

    text = message(once, DOUBLED)
    assert text.startswith("For a second call with the same tensors, filled as before, out has wrong values")


@pytest.mark.slow
def test_new_memory_next_to_a_written_buffer_counts():
    assert "none are allowed. Each operation, even a comparison, allocates a new tensor unless" in message(
        lambda x, out: out.copy_(2 * x), DOUBLED
    )
    assert refused_at(lambda x, out: out.copy_(2 * x), DOUBLED) == "unlooped"


def test_a_constant_that_stays_on_the_host_is_noticed():
    assert "without a device" in message(lambda x, out: torch.add(x, x + torch.zeros(len(x)), out=out), DOUBLED)


def test_a_slow_loop_that_writes_can_be_raced():
    raced = replace(DOUBLED, target=2.0, race_size=200)
    assert judge_answer(lambda x, out: torch.mul(x, 2, out=out), raced).right
    wrong_when_large = lambda x, out: torch.mul(x, 2 + (len(x) == 200), out=out)
    assert message(wrong_when_large, raced).startswith("For a random input of size 200, out has wrong values")


def test_result_needs_the_precision_of_the_buffer():
    wide = replace(DOUBLED, inputs=lambda size, g: (*normal(size)(g), *normal(size, dtype=torch.float64)(g)))
    assert judge_answer(lambda x, out: torch.mul(x, 2, out=out), wide).right


def step_slow(model, x, optimizer):
    """Make one step of the optimizer along x, and return the model's mean before the step."""
    optimizer.zero_grad()
    mean = model(x).mean()
    mean.backward()
    optimizer.step()
    return torch.tensor(mean.item())


def step_inputs(size, generator):
    model = torch.nn.Linear(size, 2)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(normal(*parameter.shape)(generator)[0])
    return model, *normal(3, size)(generator), torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


STEP = Task(
    id="step",
    title="One step",
    points=1,
    level=1,
    slow=step_slow,
    inputs=step_inputs,
    writes=("model",),
    returns=True,
    detached=True,
    limits=(at_most(0, "syncs"),),
)


def step(model, x, optimizer):
    optimizer.zero_grad()
    mean = model(x).mean()
    mean.backward()
    optimizer.step()
    return mean.detach()


@pytest.mark.slow
def test_trained_model_is_judged_with_the_return_value():
    assert judge_answer(step, STEP).right, judge_answer(step, STEP).message
    assert "the result has wrong values" in message(lambda *inputs: step(*inputs) + 1, STEP)
    assert "model.weight has wrong values" in message(lambda model, x, optimizer: model(x).mean().detach(), STEP)
    assert "the result is None; is `return` missing?" in message(lambda *inputs: [step(*inputs), None][1], STEP)
    assert "the result still requires a gradient" in message(lambda m, x, o: [m(x).mean(), step(m, x, o)][0], STEP)


def test_parameters_with_new_memory_are_refused():
    def replaced(model, x, optimizer):
        result = step(model, x, optimizer)
        model.weight.data = model.weight.data.clone()
        return result

    assert "puts another memory under a parameter of model, as `p.data = …` does" in message(replaced, STEP)
