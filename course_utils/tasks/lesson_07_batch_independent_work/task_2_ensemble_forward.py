"""An ensemble as one network: many small models, stacked and asked together.

The members' layers vary from case to case, so that no answer can rely on their names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.func import functional_call, stack_module_state

from course_utils.tasks.at_most import at_most
from course_utils.tasks.lesson_07_batch_independent_work.small_models import (
    PATIENCE_S,
    Settling,
    perceptron,
    reader,
    with_drawn_parameters,
)
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, normal
from course_utils.tasks.unwrap import items, prose


def ensemble_forward_slow(models, x):
    """What each member of the ensemble says about x, stacked in the order of the members."""
    answers = []
    for model in models:
        answers.append(model(x))
    return torch.stack(answers)


def _members(make: Callable[[], nn.Module], count: int, generator: Any) -> list[nn.Module]:
    return [with_drawn_parameters(make(), generator) for _ in range(count)]


def _member_inputs(size, generator):
    return _members(lambda: Settling(6, 3), size, generator), normal(generator, 5, 6)


def _by_vmap(models, x):
    def ask_one(parameters, buffers):
        return functional_call(models[0], (parameters, buffers), (x,))

    return torch.vmap(ask_one)(*stack_module_state(models))


def _by_hand(models, x):
    own, _ = stack_module_state(models)
    state = x.expand(len(models), -1, -1)
    for _ in range(models[0].steps):
        state = torch.tanh(torch.baddbmm(own["inner.bias"][:, None], state, own["inner.weight"].mT) + x)
    return torch.baddbmm(own["read.bias"][:, None], state, own["read.weight"].mT)


TASK = Task(
    id="ensemble_forward",
    title="An ensemble as one network",
    points=2,
    level=1,
    slow=ensemble_forward_slow,
    inputs=_member_inputs,
    edge_cases=(
        Case("a single member", lambda g: (_members(lambda: Settling(3, 2), 1, g), normal(g, 4, 3))),
        Case("a batch without rows", lambda g: (_members(lambda: Settling(3, 2), 2, g), normal(g, 0, 3))),
        Case("a batch of one row", lambda g: (_members(lambda: Settling(3, 2), 3, g), normal(g, 1, 3))),
        Case("members of one layer", lambda g: (_members(lambda: nn.Linear(3, 2), 3, g), normal(g, 4, 3))),
        Case(
            "members without a bias", lambda g: (_members(lambda: nn.Linear(3, 2, bias=False), 3, g), normal(g, 4, 3))
        ),
        Case("members of several layers", lambda g: (_members(lambda: perceptron(4, 2), 3, g), normal(g, 3, 4))),
        Case("members with convolutions", lambda g: (_members(lambda: reader(2), 2, g), normal(g, 3, 1, 6))),
        Case(
            "members with running statistics",
            lambda g: (_members(lambda: nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4)), 3, g), normal(g, 5, 3)),
        ),
        Case(
            "members that look words up", lambda g: (_members(lambda: nn.Embedding(7, 3), 2, g), integers(g, 0, 7, 5))
        ),
        Case("the same member twice", lambda g: (2 * _members(lambda: perceptron(4, 2), 1, g), normal(g, 3, 4))),
        Case(
            "float64 members",
            lambda g: (_members(lambda: Settling(3, 2).double(), 2, g), normal(g, 4, 3, dtype=torch.float64)),
        ),
    ),
    sizes=(1, 2, 3, 5),
    count_sizes=(4, 32),
    race_size=96,
    story=prose(
        """
        Many small networks with the same layers were trained, and each is asked about the same batch. How far their answers
        lie apart says how sure they are. Write `ensemble_forward(models, x)`, which asks all of them at once.
        """
    ),
    rules=prose(
        """
        - `models` is a list of at least one module, all of the same class and shapes, with parameters and buffers of
        their own, in evaluation mode (`model.eval()` was called: no layer changes its buffers, none drops values by
        chance). They may be any modules whose forward pass returns one tensor: do not rely on the names of their layers.
        - The result has the shape (members, *shape of one answer), in the order of the list. `models` and `x` stay as
        they were.
        - The number of tensor operations does not grow with the number of members.
        """
    ),
    limits=(
        # About 300 suffice; `state_dict` detaches each tensor of each member, and who stacks those is right all the same.
        at_most(500, "ops"),
        at_most(0, "syncs"),
    ),
    target=1.4,
    ways={"vmap, stacked each time": _by_vmap, "by hand, stacked each time": _by_hand},
    hints=items(
        """
        - The members run the same code with other numbers. What if those numbers were one tensor for each parameter, with
          the members along a new first axis?
        - `torch.func.stack_module_state` makes such tensors, of parameters and of buffers. `torch.func.functional_call`
          runs a module with parameters that you hand it, and `torch.vmap` runs a function along a new axis.
        - parameters, buffers = stack_module_state(models); then vmap a function of (parameters, buffers) that returns
          functional_call(models[0], (parameters, buffers), (x,)).
        """
    ),
    mistakes=(
        Mistake(
            "This is the first member's answer for every member: hand functional_call the stacked parameters.",
            lambda models, x: torch.stack([models[0](x)] * len(models)),
        ),
        Mistake(
            "Every member has the first one's buffers: hand functional_call both dicts, (parameters, buffers).",
            lambda models, x: torch.stack(
                [functional_call(models[0], dict(model.named_parameters()), (x,)) for model in models]
            ),
        ),
        Mistake(
            "This is the average of the members: each answer is wanted by itself.",
            lambda models, x: ensemble_forward_slow(models, x).mean(0),
        ),
        Mistake(
            "The batch stands first: wanted are the members along the first axis.",
            lambda models, x: ensemble_forward_slow(models, x).transpose(0, 1),
        ),
        Mistake(
            "The members stand one below the other without an axis of their own.",
            lambda models, x: ensemble_forward_slow(models, x).flatten(0, 1),
        ),
        Mistake("The members are in reverse order.", lambda models, x: ensemble_forward_slow(models, x).flip(0)),
    ),
    sources=("S4.1",),
    timeout_s=PATIENCE_S,
)
