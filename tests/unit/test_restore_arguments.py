"""What a contender changes is put back before its next turn, in the memory where it lies: a kept buffer stays one."""

import numpy as np
import pytest

from course_utils.races import race
from course_utils.races.restore_arguments import kept

torch = pytest.importorskip("torch")


def made():
    return torch.arange(3.0), torch.full((3,), -1.0)


def never():
    raise AssertionError("these arguments need not be made anew")


def test_arguments_that_nobody_changes_are_given_as_they_are():
    arguments = made()
    assert kept(arguments, (), never) is arguments


@pytest.mark.parametrize("buffer", [torch.full((3,), -1.0), np.full(3, -1.0), (torch.full((3,), -1.0), np.zeros(2))])
def test_a_buffer_that_is_filled_holds_again_what_it_held_in_the_same_memory(buffer):
    as_they_were = kept((1, buffer), {1}, never)
    parts = buffer if isinstance(buffer, tuple) else (buffer,)
    before = [np.asarray(part).copy() for part in parts]
    for part in parts:
        part[:] = 7
    assert as_they_were()[1] is buffer
    assert all((np.asarray(part) == old).all() for part, old in zip(parts, before))


def test_a_model_that_is_trained_and_its_optimizer_begin_each_turn_as_they_were():
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.Adam(model.parameters())
    weight = model.weight.detach().clone()
    as_they_were = kept((model, optimizer), {0}, never)
    for _ in range(2):
        trained, steps = as_they_were()
        assert trained is model and torch.equal(model.weight, weight) and not steps.state
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
        assert not torch.equal(model.weight, weight)


def test_a_list_that_grows_is_made_anew_each_time():
    as_they_were = kept(([1],), {0}, lambda: ([1],))
    as_they_were()[0].append(2)
    assert as_they_were() == ([1],)


def test_a_race_lets_contenders_fill_one_and_the_same_buffer():
    filled = []

    def fill(x, out):
        filled.append(out.data_ptr())
        return out.copy_(x)

    ways = {"copy": fill, "add": lambda x, out: torch.add(x, 0, out=out)}
    filling = race("test", ways, lambda size, device: made(), (3,))
    assert {point.status for point in filling.run(budget_s=0.1).points} == {"measured"}
    assert len(filled) > 3 and len(set(filled[1:])) == 1, "all calls but the one that checks the result"
