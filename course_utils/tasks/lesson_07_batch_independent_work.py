"""The exercises of lesson 07: pieces of work that do not need each other, done in one batch.

Sizes keep the slow loops under a third of a second; what is fast enough stands far below what the answers reach. The
models here are small on purpose: what is counted and raced is the loop over them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional

from course_utils.tasks.prose import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import every_second, normal, whole

INF = float("inf")
NAN = float("nan")

# The first gradient by torch.func loads torch's compiler, and a module is followed slowly while its operations are
# counted: on a busy machine these take seconds.
PATIENCE_S = 10.0


def project_heads_slow(x, weights):
    """What each head makes of x, one after the other, stacked in the order of the heads."""
    projections = []
    for head in range(len(weights)):
        projections.append(x @ weights[head])
    return torch.stack(projections)


def ensemble_forward_slow(models, x):
    """What each member of the ensemble says about x, stacked in the order of the members."""
    answers = []
    for model in models:
        answers.append(model(x))
    return torch.stack(answers)


def per_sample_grads_slow(model, loss, x, y):
    """For each parameter the gradients of the losses of single samples, one row a sample."""
    parameters = dict(model.named_parameters())
    rows = {name: [] for name in parameters}
    for i in range(len(x)):
        one = loss(model(x[i : i + 1]), y[i : i + 1])
        for name, gradient in zip(parameters, torch.autograd.grad(one, parameters.values())):
            rows[name].append(gradient)
    return {name: torch.stack(gradients) for name, gradients in rows.items()}


class Settling(nn.Module):
    """A small network that applies the same layer again and again: each step may correct the one before."""

    def __init__(self, width: int, out: int, steps: int = 20) -> None:
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.read = nn.Linear(width, out)
        self.steps = steps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(batch, width) → (batch, out)."""
        state = x
        for _ in range(self.steps):
            state = torch.tanh(self.inner(state) + x)
        return self.read(state)


class Tied(nn.Module):
    """Two layers that are one: the same weights are used on the way in and on the way out."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)
        self.second.weight = self.first.weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(batch, width) → (batch, width)."""
        return self.second(torch.tanh(self.first(x)))


def _drawn(module: nn.Module, generator: Any) -> nn.Module:
    """The module in evaluation mode, with parameters and statistics that this generator drew."""
    for name, value in module.state_dict().items():
        if not value.is_floating_point():
            continue
        numbers = normal(generator, *value.shape, dtype=value.dtype, scale=0.5)
        value.copy_(numbers.abs() + 0.5 if name.endswith("running_var") else numbers)
    return module.eval()


def _members(make: Callable[[], nn.Module], count: int, generator: Any) -> list[nn.Module]:
    return [_drawn(make(), generator) for _ in range(count)]


def _perceptron(width: int, out: int) -> nn.Module:
    return nn.Sequential(nn.Linear(width, 5), nn.Tanh(), nn.Linear(5, out))


def _reader(channels: int) -> nn.Module:
    """Takes batches of series only: without the batch axis, Flatten has nothing to flatten."""
    return nn.Sequential(nn.Conv1d(1, channels, 3), nn.ReLU(), nn.Flatten(), nn.Linear(4 * channels, 2))


def _head_inputs(size, generator):
    return normal(generator, 8, 16), normal(generator, size, 16, 8)


def _member_inputs(size, generator):
    return _members(lambda: Settling(6, 3), size, generator), normal(generator, 5, 6)


def _sample_inputs(size, generator):
    model = _drawn(_perceptron(4, 3), generator)
    return model, functional.mse_loss, normal(generator, size, 4), normal(generator, size, 3)


def _regression(make: Callable[[], nn.Module], x: torch.Tensor, out: int, generator: Any, loss: Any = None) -> tuple:
    y = normal(generator, len(x), out, dtype=x.dtype)
    return _drawn(make().to(x.dtype), generator), loss or functional.mse_loss, x, y


def squared_error(given, wanted):
    """The sum of the squared differences."""
    return (given - wanted).square().sum()


def mean_squared_error(given, wanted):
    """The mean of the squared differences; unlike torch's it asks for no equal shapes, and so nobody is warned."""
    return (given - wanted).square().mean()


PROJECT_HEADS = Task(
    id="project_heads",
    title="All heads at once",
    points=2,
    lesson="07_batch_independent_work",
    slow=project_heads_slow,
    inputs=_head_inputs,
    edge_cases=(
        Case("a single head", lambda g: (normal(g, 3, 4), normal(g, 1, 4, 2))),
        Case("a batch without rows", lambda g: (normal(g, 0, 4), normal(g, 3, 4, 2))),
        Case("no features at all", lambda g: (normal(g, 3, 0), normal(g, 2, 0, 4))),
        Case("heads that give a single number", lambda g: (normal(g, 3, 4), normal(g, 2, 4, 1))),
        Case("all sizes alike", lambda g: (normal(g, 3, 3), normal(g, 3, 3, 3))),
        Case("a batch turned on its side", lambda g: (normal(g, 4, 3).T, normal(g, 2, 4, 5))),
        Case("weights turned on their side", lambda g: (normal(g, 3, 4), normal(g, 2, 5, 4).mT)),
        Case("heads in the last place in memory", lambda g: (normal(g, 3, 4), normal(g, 4, 5, 2).permute(2, 0, 1))),
        Case("every second value", lambda g: (every_second(normal(g, 3, 4)), every_second(normal(g, 2, 4, 5)))),
        Case(
            "float64 values", lambda g: (normal(g, 3, 4, dtype=torch.float64), normal(g, 2, 4, 5, dtype=torch.float64))
        ),
        Case("whole numbers", lambda g: (whole(g, -9, 10, 3, 4), whole(g, -9, 10, 2, 4, 5))),
        Case("a row with infinity and NaN", lambda g: (torch.tensor([[1.0, 2.0], [INF, NAN]]), normal(g, 3, 2, 2))),
    ),
    race_size=256,
    story=prose(
        """
        A layer looks at the same batch in several ways. Each way is called a head and has weights of its own; what it
        makes of the batch is its projection. The layer was written as it is told: head by head, and then the projections
        are stacked. Write `project_heads(x, weights)`, which computes all of them together.
        """
    ),
    counts=prose(
        """
        - `x` has the shape (batch, features), `weights` the shape (heads, features, out), with at least one head. The
        result has the shape (heads, batch, out): head 0 first, then head 1, and so on.
        - The result has the dtype of `x`; `x` and `weights` stay as they were, and gradients reach both.
        - A few tensor operations, however many heads there are.
        """
    ),
    max_ops=20,
    gradients=True,
    target=1.6,
    hints=items(
        """
        - A matrix product does not have to be two-dimensional: what does torch make of `@` between (batch, features)
          and a stack of matrices?
        - `@` takes the last two axes as a matrix and broadcasts all axes before them. `torch.einsum` can say the same with a
          letter for each axis.
        - x @ weights, or torch.einsum("bf,hfo->hbo", x, weights): h stands in the result first, f is summed over.
        """
    ),
    mistakes=(
        Mistake(
            "The batch stands first: wanted is (heads, batch, out).",
            lambda x, weights: project_heads_slow(x, weights).transpose(0, 1),
        ),
        Mistake(
            "The heads stand side by side in one row: each needs a matrix of its own, (heads, batch, out).",
            lambda x, weights: project_heads_slow(x, weights).transpose(0, 1).flatten(1),
        ),
        Mistake("The heads are added up: each is wanted by itself.", lambda x, weights: (x @ weights).sum(0)),
        Mistake("The heads are in reverse order.", lambda x, weights: (x @ weights).flip(0)),
        Mistake(
            "The weights were reshaped where their axes should have been moved: a reshape keeps the order in memory, and "
            "so it mixes the heads.",
            lambda x, weights: (x @ weights.reshape(x.shape[1], -1)).unflatten(1, (len(weights), -1)).transpose(0, 1),
        ),
        Mistake(
            "The product was reshaped where its axes should have been moved: a reshape keeps the order in memory, and "
            "so it mixes rows and heads.",
            lambda x, weights: (x @ weights.transpose(0, 1).flatten(1)).reshape(len(weights), len(x), -1),
        ),
        Mistake(
            "Weights and product were reshaped where their axes should have been moved: a reshape keeps the order in "
            "memory, and so it mixes the heads.",
            lambda x, weights: (x @ weights.reshape(x.shape[1], -1)).reshape(len(weights), len(x), -1),
        ),
        Mistake("The product is the wrong way round: x stands on the left.", lambda x, weights: weights @ x),
    ),
    sources=("S4.1",),
)

ENSEMBLE_FORWARD = Task(
    id="ensemble_forward",
    title="An ensemble as one network",
    points=3,
    lesson="07_batch_independent_work",
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
        Case("members of several layers", lambda g: (_members(lambda: _perceptron(4, 2), 3, g), normal(g, 3, 4))),
        Case("members with convolutions", lambda g: (_members(lambda: _reader(2), 2, g), normal(g, 3, 1, 6))),
        Case(
            "members with running statistics",
            lambda g: (_members(lambda: nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4)), 3, g), normal(g, 5, 3)),
        ),
        Case("members that look words up", lambda g: (_members(lambda: nn.Embedding(7, 3), 2, g), whole(g, 0, 7, 5))),
        Case("the same member twice", lambda g: (2 * _members(lambda: _perceptron(4, 2), 1, g), normal(g, 3, 4))),
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
    counts=prose(
        """
        - `models` is a list of at least one module, all of the same class and shapes, with parameters and buffers of
        their own, in evaluation mode. They may be any modules whose forward pass returns one tensor: do not rely on the
        names of their layers.
        - The result has the shape (members, *shape of one answer), in the order of the list. `models` and `x` stay as
        they were.
        - The number of tensor operations does not grow with the number of members.
        """
    ),
    # About 300 suffice; `state_dict` detaches each tensor of each member, and who stacks those is right all the same.
    max_ops=500,
    target=1.4,
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

PER_SAMPLE_GRADS = Task(
    id="per_sample_grads",
    title="One gradient a sample",
    points=3,
    lesson="07_batch_independent_work",
    slow=per_sample_grads_slow,
    inputs=_sample_inputs,
    edge_cases=(
        Case("a single sample", lambda g: _regression(lambda: _perceptron(3, 2), normal(g, 1, 3), 2, g)),
        Case(
            "as many samples as features and outputs",
            lambda g: _regression(lambda: nn.Linear(3, 3), normal(g, 3, 3), 3, g),
        ),
        Case(
            "a model without a bias", lambda g: _regression(lambda: nn.Linear(3, 2, bias=False), normal(g, 4, 3), 2, g)
        ),
        Case("the same layer applied again", lambda g: _regression(lambda: Settling(3, 2), normal(g, 4, 3), 2, g)),
        Case("one weight used in two layers", lambda g: _regression(lambda: Tied(3), normal(g, 4, 3), 3, g)),
        Case(
            "series, and a model that needs a batch",
            lambda g: _regression(lambda: _reader(2), normal(g, 3, 1, 6), 2, g),
        ),
        Case(
            "a model with running statistics",
            lambda g: _regression(
                lambda: nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2)), normal(g, 4, 3), 2, g
            ),
        ),
        Case(
            "labels that are whole numbers",
            lambda g: (_drawn(_perceptron(4, 3), g), functional.cross_entropy, normal(g, 5, 4), whole(g, 0, 3, 5)),
        ),
        Case(
            "a loss that adds up instead of averaging",
            lambda g: _regression(lambda: _perceptron(4, 3), normal(g, 5, 4), 3, g, squared_error),
        ),
        Case(
            "float64 values",
            lambda g: _regression(lambda: _perceptron(3, 2), normal(g, 3, 3, dtype=torch.float64), 2, g),
        ),
        Case("samples turned on their side", lambda g: _regression(lambda: _perceptron(3, 2), normal(g, 3, 5).T, 2, g)),
    ),
    sizes=(1, 2, 3, 7),
    race_size=96,
    story=prose(
        """
        `backward` gives one gradient for the whole batch. Which samples pull the weights most, which are labelled wrong,
        how much may one person's data change the model: all this needs the gradient of every single sample. Write
        `per_sample_grads(model, loss, x, y)`.
        """
    ),
    counts=prose(
        """
        - `model` takes a batch, and all its parameters take part; it is in evaluation mode. `loss(prediction, y)` returns
        one number for a batch. Sample i's loss is that of the batch with this sample alone, `x[i : i + 1]` and
        `y[i : i + 1]`. There is at least one sample.
        - The result is a dict: for each name in `model.named_parameters()` a tensor of shape (samples, *parameter's
        shape).
        - The number of tensor operations does not grow with the number of samples.
        """
    ),
    max_ops=150,
    target=1.3,
    hints=items(
        """
        - Write a function that takes the parameters and one sample and returns that sample's loss. What would turn it into
          a function that returns its gradient, and what would run that for all samples?
        - `torch.func.functional_call(model, parameters, (batch,))` makes the loss a function of a dict of parameters,
          `torch.func.grad` differentiates by it, `torch.vmap` adds the axis of the samples.
        - vmap(grad(one_loss), in_dims=(None, 0, 0))(parameters, x, y), where one_loss calls the model with
          sample[None] and the loss with target[None]: inside vmap the axis of the samples is gone.
        """
    ),
    mistakes=(
        Mistake(
            "This is one gradient for the whole batch: wanted is one for each sample, along a new first axis.",
            lambda model, loss, x, y: dict(
                zip(
                    dict(model.named_parameters()),
                    torch.autograd.grad(loss(model(x), y), tuple(model.parameters())),
                )
            ),
        ),
        Mistake(
            "Every sample has the gradient of the whole batch.",
            lambda model, loss, x, y: {
                name: gradients.mean(0).expand_as(gradients)
                for name, gradients in per_sample_grads_slow(model, loss, x, y).items()
            },
        ),
        Mistake(
            "The gradients pile up: each sample's holds all those before it, as `.grad` does when nobody empties it.",
            lambda model, loss, x, y: {
                name: gradients.cumsum(0) for name, gradients in per_sample_grads_slow(model, loss, x, y).items()
            },
        ),
        Mistake(
            "The gradients are divided by the number of samples: the loss was averaged over the batch.",
            lambda model, loss, x, y: {
                name: gradients / len(x) for name, gradients in per_sample_grads_slow(model, loss, x, y).items()
            },
        ),
        Mistake(
            "The samples stand along the last axis; they come first.",
            lambda model, loss, x, y: {
                name: gradients.movedim(0, -1) for name, gradients in per_sample_grads_slow(model, loss, x, y).items()
            },
        ),
        Mistake(
            "All gradients are 0: the loss does not use the parameters that it is handed. `functional_call` runs the model "
            "with them; `model(…)` uses its own.",
            lambda model, loss, x, y: {
                name: torch.zeros_like(gradients)
                for name, gradients in per_sample_grads_slow(model, loss, x, y).items()
            },
        ),
        Mistake(
            "This is the gradient of a mean squared error: call the `loss` that is handed in.",
            lambda model, loss, x, y: per_sample_grads_slow(model, mean_squared_error, x, y),
        ),
    ),
    timeout_s=PATIENCE_S,
)

TASKS = (PROJECT_HEADS, ENSEMBLE_FORWARD, PER_SAMPLE_GRADS)
