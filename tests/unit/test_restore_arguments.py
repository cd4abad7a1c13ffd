"""Changed arguments are restored in the same memory before each call, so that a preallocated buffer stays one."""

import numpy as np
import pytest

from course_utils.races import race
from course_utils.races.restore_arguments import restoring_arguments

torch = pytest.importorskip("torch")


def new_arguments():
    return torch.arange(3.0), torch.full((3,), -1.0)


def make_none():
    raise AssertionError("these arguments need not be made again")


def test_unchanged_arguments_are_passed_on():
    arguments = new_arguments()
    assert restoring_arguments(arguments, (), make_none) is arguments


@pytest.mark.parametrize("buffer", [torch.full((3,), -1.0), np.full(3, -1.0), (torch.full((3,), -1.0), np.zeros(2))])
def test_filled_buffer_is_restored_in_the_same_memory(buffer):
    restored = restoring_arguments((1, buffer), {1}, make_none)
    parts = buffer if isinstance(buffer, tuple) else (buffer,)
    before = [np.asarray(part).copy() for part in parts]
    for part in parts:
        part[:] = 7
    assert restored()[1] is buffer
    assert all((np.asarray(part) == old).all() for part, old in zip(parts, before))


def test_trained_model_and_its_optimizer_are_restored():
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.Adam(model.parameters())
    weight = model.weight.detach().clone()
    restored = restoring_arguments((model, optimizer), {0}, make_none)
    for _ in range(2):
        trained, steps = restored()
        assert trained is model and torch.equal(model.weight, weight) and not steps.state
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
        assert not torch.equal(model.weight, weight)


def test_growing_list_is_restored_before_each_call():
    restored = restoring_arguments(([1],), {0}, lambda: ([1],))
    restored()[0].append(2)
    assert restored() == ([1],)


@pytest.mark.slow
def test_contenders_of_a_race_fill_the_same_buffer():
    filled = []

    def fill(x, out):
        filled.append(out.data_ptr())
        return out.copy_(x)

    contenders = {"copy": fill, "add": lambda x, out: torch.add(x, 0, out=out)}
    filling = race("test", contenders, lambda size, device: new_arguments(), (3,))
    assert {point.status for point in filling.run(budget_s=0.5).points} == {"measured"}
    assert len(filled) > 3 and len(set(filled[1:])) == 1, "all calls except the one that checks the result"
