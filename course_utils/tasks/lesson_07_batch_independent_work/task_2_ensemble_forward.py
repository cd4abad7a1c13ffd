"""An ensemble as one network: many small models, stacked and evaluated together.

The members' layers vary from case to case, so that no answer can rely on their names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.func import functional_call, stack_module_state

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_07_batch_independent_work.small_models import (
    MixedSamples,
    RepeatedLayer,
    ScaledLayer,
    conv_model,
    two_layers,
    with_one_scale,
    with_random_parameters,
)
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, normal


def ensemble_forward_slow(models, x):
    """Return each member's output for x, stacked in the order of the members."""
    outputs = []
    for model in models:
        outputs.append(model(x))
    return torch.stack(outputs)


def _members(make: Callable[[], nn.Module], count: int, generator: Any) -> list[nn.Module]:
    return [with_random_parameters(make(), generator) for _ in range(count)]


def _member_inputs(size, generator):
    return _members(lambda: RepeatedLayer(6, 3), size, generator), normal(generator, 5, 6)


def _by_vmap(models, x):
    def one_member(parameters, buffers):
        return functional_call(models[0], (parameters, buffers), (x,))

    return torch.vmap(one_member)(*stack_module_state(models))


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
        Case("a single member", lambda g: (_members(lambda: RepeatedLayer(3, 2), 1, g), normal(g, 4, 3))),
        Case("a batch without rows", lambda g: (_members(lambda: RepeatedLayer(3, 2), 2, g), normal(g, 0, 3))),
        Case("a batch of one row", lambda g: (_members(lambda: RepeatedLayer(3, 2), 3, g), normal(g, 1, 3))),
        Case("members of one layer", lambda g: (_members(lambda: nn.Linear(3, 2), 3, g), normal(g, 4, 3))),
        Case(
            "members without a bias", lambda g: (_members(lambda: nn.Linear(3, 2, bias=False), 3, g), normal(g, 4, 3))
        ),
        Case(
            "members with a frozen scale",
            lambda g: (_members(lambda: ScaledLayer(3, 2, frozen=True), 3, g), normal(g, 4, 3)),
        ),
        Case("members of several layers", lambda g: (_members(lambda: two_layers(4, 2), 3, g), normal(g, 3, 4))),
        Case("members with convolutions", lambda g: (_members(lambda: conv_model(2), 2, g), normal(g, 3, 1, 6))),
        Case(
            "members with running statistics",
            lambda g: (_members(lambda: nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4)), 3, g), normal(g, 5, 3)),
        ),
        Case("members with an embedding", lambda g: (_members(lambda: nn.Embedding(7, 3), 2, g), integers(g, 0, 7, 5))),
        Case(
            "members that mix the rows of the batch",
            lambda g: (_members(lambda: MixedSamples(3, 2), 3, g), normal(g, 4, 3)),
        ),
        Case("outputs of three axes", lambda g: (_members(lambda: nn.Embedding(7, 3), 2, g), integers(g, 0, 7, 5, 2))),
        Case(
            "outputs of one axis",
            lambda g: (_members(lambda: nn.Sequential(nn.Linear(3, 1), nn.Flatten(0)), 2, g), normal(g, 4, 3)),
        ),
        Case("a parameter without an axis", lambda g: (_members(lambda: with_one_scale(3, 2), 2, g), normal(g, 4, 3))),
        Case("the same member twice", lambda g: (2 * _members(lambda: two_layers(4, 2), 1, g), normal(g, 3, 4))),
        Case(
            "float64 members",
            lambda g: (_members(lambda: RepeatedLayer(3, 2).double(), 3, g), normal(g, 3, 3, dtype=torch.float64)),
        ),
        Case("a batch of 4,099 rows", lambda g: (_members(lambda: two_layers(3, 2), 2, g), normal(g, 4099, 3))),
        Case("members with 4,099 inputs", lambda g: (_members(lambda: nn.Linear(4099, 2), 3, g), normal(g, 2, 4099))),
        Case("members with 4,099 outputs", lambda g: (_members(lambda: nn.Linear(3, 4099), 3, g), normal(g, 2, 3))),
    ),
    worst="Each member computes its output on its own, whatever the other members are.",
    sizes=(1, 2, 3, 5),
    count_sizes=(4, 32),
    race_size=96,
    story=prose(
        """
        Many small networks with the same layers were trained, and each one predicts for the same batch `x`. The spread of
        their outputs shows the uncertainty of the ensemble. Write `ensemble_forward(models, x)`, which evaluates all
        networks together.
        """
    ),
    rules=prose(
        """
        - `models` is a list of at least one module, and a module can appear in it twice. All modules have the same class and
          shapes, have their own parameters and buffers, and are in evaluation mode (`model.eval()` was called, so no layer
          changes its buffers or drops values). The `state_dict()` of each contains each parameter and each buffer once.
          The forward pass of each returns one tensor. Don't rely on the names of the layers.
        - The result has shape (members, *shape of one output), in the order of the list. `models` and `x` are not
          modified.
        """
    ),
    limits=(
        # `vmap` over stacked parameters takes 107, even if they come from `state_dict`.
        at_most(500, "ops"),
        at_most(0, "syncs"),
    ),
    target=1.4,
    ways={"vmap, stacked per call": _by_vmap, "baddbmm, stacked per call": _by_hand},
    hints=items(
        """
        - All members run the same code with different parameters. What if each parameter were one tensor with the
          members along a new first axis?
        - `torch.func.stack_module_state` makes such tensors from the parameters and the buffers.
          `torch.func.functional_call` runs a module with parameters that you pass in, and `torch.vmap` maps a function
          over that axis.
        - `parameters, buffers = stack_module_state(models)`; then apply `vmap` to a function of `(parameters, buffers)`
          that returns `functional_call(models[0], (parameters, buffers), (x,))`.
        """
    ),
    mistakes=(
        Mistake(
            "Every member has the first member's output: pass the stacked parameters to `functional_call`.",
            lambda models, x: torch.stack([models[0](x)] * len(models)),
        ),
        Mistake(
            "Every member uses the first member's buffers: pass both dicts to `functional_call`, `(parameters, "
            "buffers)`.",
            lambda models, x: torch.stack(
                [functional_call(models[0], dict(model.named_parameters()), (x,)) for model in models]
            ),
        ),
        Mistake(
            "This is the mean over the members: return each member's output.",
            lambda models, x: ensemble_forward_slow(models, x).mean(0),
        ),
        Mistake(
            "The batch axis comes first: the members belong along the first axis.",
            lambda models, x: ensemble_forward_slow(models, x).transpose(0, 1),
        ),
        Mistake(
            "The members are concatenated along the batch axis: give them an axis of their own, as `torch.stack` does.",
            lambda models, x: ensemble_forward_slow(models, x).flatten(0, 1),
        ),
        Mistake(
            "The members are in reverse order: keep the order of `models`.",
            lambda models, x: ensemble_forward_slow(models, x).flip(0),
        ),
    ),
    sources=("S4.1",),
)
