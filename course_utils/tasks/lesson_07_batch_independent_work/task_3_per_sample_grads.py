"""One gradient per sample: a gradient function, mapped over the samples.

Models and losses vary from case to case: some share weights, hold running statistics, or need the batch axis.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.func import functional_call, grad
from torch.nn import functional

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_07_batch_independent_work.small_models import (
    MixedSamples,
    RepeatedLayer,
    ScaledLayer,
    TiedLayers,
    conv_model,
    two_layers,
    with_one_scale,
    with_random_parameters,
)
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, normal


def per_sample_grads_slow(model, loss, x, y):
    """Return for each parameter the gradients of the samples' losses, one row per sample."""
    parameters = dict(model.named_parameters())
    rows = {name: [] for name in parameters}
    for i in range(len(x)):
        one = loss(model(x[i : i + 1]), y[i : i + 1])
        for name, gradient in zip(parameters, torch.autograd.grad(one, parameters.values())):
            rows[name].append(gradient)
    return {name: torch.stack(gradients) for name, gradients in rows.items()}


def _sample_inputs(size, generator):
    model = with_random_parameters(two_layers(4, 3), generator)
    return model, functional.mse_loss, normal(generator, size, 4), normal(generator, size, 3)


def _regression(make: Callable[[], nn.Module], x: torch.Tensor, out: int, generator: Any, loss: Any = None) -> tuple:
    y = normal(generator, len(x), out, dtype=x.dtype)
    return with_random_parameters(make().to(x.dtype), generator), loss or functional.mse_loss, x, y


def _with_gradients(generator):
    """Return a model in training: its parameters hold the gradients of an earlier batch."""
    model, loss, x, y = _regression(lambda: two_layers(3, 2), normal(generator, 4, 3), 2, generator)
    loss(model(x), y).backward()
    return model, loss, x, y


def _with_an_embedding(generator):
    model = with_random_parameters(nn.Sequential(nn.Embedding(7, 3), nn.Flatten(), nn.Linear(6, 2)), generator)
    return model, functional.mse_loss, integers(generator, 0, 7, 4, 2), normal(generator, 4, 2)


def _with_a_large_loss(generator):
    model, loss, x, y = _regression(lambda: two_layers(4, 3), normal(generator, 6, 4), 3, generator)
    y[2] *= 1000
    return model, loss, x, y


def squared_error(prediction, target):
    """Return the sum of the squared differences."""
    return (prediction - target).square().sum()


def error_per_sample(prediction, target):
    """Return the sum of the squared differences, divided by the number of samples."""
    return (prediction - target).square().sum() / len(prediction)


def mean_squared_error(prediction, target):
    """Return the mean of the squared differences; unlike `mse_loss`, it doesn't warn about different shapes."""
    return (prediction - target).square().mean()


def _by_vmap(model, loss, x, y):
    def one_loss(parameters, sample, target):
        return loss(functional_call(model, parameters, (sample[None],)), target[None])

    return torch.vmap(grad(one_loss), in_dims=(None, 0, 0))(dict(model.named_parameters()), x, y)


TASK = Task(
    id="per_sample_grads",
    title="One gradient per sample",
    points=2,
    level=1,
    slow=per_sample_grads_slow,
    inputs=_sample_inputs,
    edge_cases=(
        Case("a model that holds gradients", _with_gradients),
        Case("a single sample", lambda g: _regression(lambda: two_layers(3, 2), normal(g, 1, 3), 2, g)),
        Case(
            "as many samples as features and outputs",
            lambda g: _regression(lambda: nn.Linear(3, 3), normal(g, 3, 3), 3, g),
        ),
        Case(
            "a model without a bias", lambda g: _regression(lambda: nn.Linear(3, 2, bias=False), normal(g, 4, 3), 2, g)
        ),
        Case("a model with a scale", lambda g: _regression(lambda: ScaledLayer(3, 2), normal(g, 4, 3), 2, g)),
        Case("a parameter without an axis", lambda g: _regression(lambda: with_one_scale(3, 2), normal(g, 4, 3), 2, g)),
        Case("the same layer applied again", lambda g: _regression(lambda: RepeatedLayer(3, 2), normal(g, 4, 3), 2, g)),
        Case("one weight used in two layers", lambda g: _regression(lambda: TiedLayers(3), normal(g, 4, 3), 3, g)),
        Case(
            "series and a model that needs the batch axis",
            lambda g: _regression(lambda: conv_model(2), normal(g, 3, 1, 6), 2, g),
        ),
        Case(
            "images and a convolution",
            lambda g: _regression(
                lambda: nn.Sequential(nn.Conv2d(1, 2, 2), nn.Flatten()), normal(g, 3, 1, 3, 4), 12, g
            ),
        ),
        Case(
            "a model with running statistics",
            lambda g: _regression(
                lambda: nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2)), normal(g, 4, 3), 2, g
            ),
        ),
        Case("integer samples and an embedding", _with_an_embedding),
        Case(
            "integer labels",
            lambda g: (
                with_random_parameters(two_layers(4, 3), g),
                functional.cross_entropy,
                normal(g, 5, 4),
                integers(g, 0, 3, 5),
            ),
        ),
        Case(
            "a loss that sums instead of averaging",
            lambda g: _regression(lambda: two_layers(4, 3), normal(g, 5, 4), 3, g, squared_error),
        ),
        Case(
            "a loss that divides by the number of samples",
            lambda g: _regression(lambda: two_layers(4, 3), normal(g, 5, 4), 3, g, error_per_sample),
        ),
        Case(
            "float64 values",
            lambda g: _regression(lambda: two_layers(3, 2), normal(g, 3, 3, dtype=torch.float64), 2, g),
        ),
        Case(
            "a model that mixes the samples of a batch",
            lambda g: _regression(lambda: MixedSamples(3, 2), normal(g, 4, 3), 2, g),
        ),
        Case("4,099 samples", lambda g: _regression(lambda: nn.Linear(2, 1), normal(g, 4099, 2), 1, g)),
        Case("4,099 features", lambda g: _regression(lambda: nn.Linear(4099, 2), normal(g, 3, 4099), 2, g)),
        Case("4,099 outputs", lambda g: _regression(lambda: nn.Linear(3, 4099), normal(g, 3, 3), 4099, g)),
        Case("transposed samples", lambda g: _regression(lambda: two_layers(3, 2), normal(g, 3, 5).T, 2, g)),
    ),
    worst=(Case("one sample whose loss is about a million times the others'", _with_a_large_loss),),
    sizes=(1, 2, 3, 7),
    race_size=96,
    story=prose(
        """
        `backward` computes one gradient for the whole batch. Some questions need the gradient of every single sample:
        which samples influence the weights most, and how much one person's data may change the model. Write
        `per_sample_grads(model, loss, x, y)`.
        """
    ),
    rules=prose(
        """
        - `model` takes a batch, uses all its parameters and is in evaluation mode, so no layer changes its buffers.
          `loss(prediction, y)` returns one value for a batch. The loss of sample i is the loss of a batch that
          contains only this sample, `x[i : i + 1]` and `y[i : i + 1]`. There is at least one sample.
        - The result is a dict: for each name in `model.named_parameters()`, a tensor of shape (samples, *shape of the
          parameter).
        """
    ),
    limits=(at_most(150, "ops"), at_most(0, "syncs")),
    target=1.3,
    ways={"vmap of grad": _by_vmap},
    hints=items(
        """
        - Write a function that takes the parameters and one sample and returns that sample's loss. What turns it into a
          function that returns the gradient, and what maps that function over all samples?
        - `torch.func.functional_call(model, parameters, (batch,))` makes the loss a function of a dict of parameters,
          `torch.func.grad` differentiates it, and `torch.vmap` adds the sample axis.
        - `vmap(grad(one_loss), in_dims=(None, 0, 0))(parameters, x, y)`, where `one_loss` calls the model with
          `sample[None]` and the loss with `target[None]`: inside `vmap`, the sample axis is gone.
        """
    ),
    mistakes=(
        Mistake(
            "This is one gradient for the whole batch: return one per sample, along a new first axis.",
            lambda model, loss, x, y: dict(
                zip(
                    dict(model.named_parameters()),
                    torch.autograd.grad(loss(model(x), y), tuple(model.parameters())),
                )
            ),
        ),
        Mistake(
            "Every sample has the gradient of the whole batch: compute each sample's loss separately.",
            lambda model, loss, x, y: {
                name: gradients.mean(0).expand_as(gradients)
                for name, gradients in per_sample_grads_slow(model, loss, x, y).items()
            },
        ),
        Mistake(
            "The gradients accumulate over the samples, as in `.grad`: compute the gradient of each sample separately.",
            lambda model, loss, x, y: {
                name: gradients.cumsum(0) for name, gradients in per_sample_grads_slow(model, loss, x, y).items()
            },
        ),
        Mistake(
            "The gradients are divided by the number of samples, as with a loss averaged over the batch: differentiate each "
            "sample's own loss.",
            lambda model, loss, x, y: {
                name: gradients / len(x) for name, gradients in per_sample_grads_slow(model, loss, x, y).items()
            },
        ),
        Mistake(
            "The sample axis is last: put it first.",
            lambda model, loss, x, y: {
                name: gradients.movedim(0, -1) for name, gradients in per_sample_grads_slow(model, loss, x, y).items()
            },
        ),
        Mistake(
            "All gradients are 0, as if your function called `model(…)`, which uses the model's own parameters: call "
            "`functional_call` with the parameters that your function receives.",
            lambda model, loss, x, y: {
                name: torch.zeros_like(gradients)
                for name, gradients in per_sample_grads_slow(model, loss, x, y).items()
            },
        ),
        Mistake(
            "The loss received a prediction and a target without the batch axis: pass a batch of one sample, as in "
            "`target[None]`.",
            lambda model, loss, x, y: per_sample_grads_slow(model, lambda one, target: loss(one[0], target[0]), x, y),
        ),
        Mistake(
            "This is the gradient of a mean squared error: call the `loss` argument instead.",
            lambda model, loss, x, y: per_sample_grads_slow(model, mean_squared_error, x, y),
        ),
    ),
)
