"""A training step of two workers that equals the step of one: gradients weighted by examples, in one message."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from course_utils.core.wording import significant
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_16_many_devices.two_workers import SingleWorker, differing_calls, run_both
from course_utils.tasks.task import Case, Task
from course_utils.tasks.torch_cases import with_gradients
from course_utils.tasks.torch_inputs import integers, normal

MOST_CALLS = 2
_RATE = 0.1
_FLOAT32_ROUNDING = 1e-6


def ddp_step_slow(model, loss, x, y, rate, all_reduce):
    """Take one step of gradient descent on the mean loss of the whole batch, as a single worker."""
    model.zero_grad()
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    total = loss(model(x), y).mean()
    gradients = torch.autograd.grad(total, parameters, allow_unused=True)
    with torch.no_grad():
        for parameter, gradient in zip(parameters, gradients):
            if gradient is not None:
                parameter -= rate * gradient


def squared_errors(outputs, targets):
    """Return one loss per example."""
    return functional.mse_loss(outputs, targets, reduction="none").sum(1)


def cross_entropies(scores, labels):
    """Return one loss per example."""
    return functional.cross_entropy(scores, labels, reduction="none")


class _WithUnusedLayer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.used, self.unused = nn.Linear(3, 2), nn.Linear(3, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.used(x)


def _inputs(generator, examples, first_share, model=None, dtype=torch.float32):
    if model is None:
        # Unlike Tanh, LeakyReLU is well-conditioned for values of any magnitude, and no unit lacks a gradient.
        model = nn.Sequential(nn.Linear(3, 4), nn.LeakyReLU(0.1), nn.Linear(4, 4), nn.LeakyReLU(0.1), nn.Linear(4, 2))
    model = model.to(dtype)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(normal(generator, *parameter.shape, scale=0.5))
    x, y = normal(generator, examples, 3, dtype=dtype), normal(generator, examples, 2, dtype=dtype)
    return model, squared_errors, x, y, _RATE, SingleWorker(first_share)


def _with_frozen_layer(generator):
    model = nn.Sequential(nn.Linear(3, 4), nn.LeakyReLU(0.1), nn.Linear(4, 2))
    model[0].requires_grad_(False)
    return _inputs(generator, 6, 2, model)


def _classifier(generator):
    model, _, x, *_ = _inputs(generator, 7, 3, nn.Sequential(nn.Conv2d(1, 2, 2), nn.Flatten(), nn.Linear(8, 3)))
    images, labels = normal(generator, len(x), 1, 3, 3), integers(generator, 0, 3, len(x))
    return model.eval(), cross_entropies, images, labels, 0.25, SingleWorker(3)


def _tokens(generator):
    model = nn.Sequential(nn.Embedding(5, 3), nn.Flatten(), nn.Linear(6, 2))
    _, loss, _, *rest = _inputs(generator, 7, 3, model)
    return model, loss, integers(generator, 0, 5, 7, 2), *rest


def judge_step(given, expected, inputs):
    """Return None if both workers hold the parameters that one worker would have after the step on the whole batch."""
    single = inputs[-1]
    different = differing_calls(single, MOST_CALLS)
    if different is not None:
        return different
    after, wanted = given["model"], expected["model"]
    before = dict(single.before.named_parameters())
    other = dict(single.other.named_parameters())
    tolerance = 1e-5 if next(iter(wanted.values())).dtype == torch.float32 else 1e-12
    if any(not _near(other[name], after[name], 0.0) for name in wanted):
        return "After the step, the two workers hold different parameters: each must apply the same summed gradients."
    sizes = _sizes_of_terms(inputs)
    if all(_near(after[name], wanted[name], tolerance * sizes[name]) for name in wanted):
        return None
    factor = _common_factor(before, after, wanted)
    if factor == 0:
        return "The parameters didn't change: subtract `rate` times each gradient, in place."
    if all(_near(after[name], wanted[name], _FLOAT32_ROUNDING * sizes[name]) for name in wanted):
        return (
            "The parameters are right only to the precision of float32: compute everything in the dtype of the "
            "parameters, including the number of examples that you divide by."
        )
    if factor is not None and factor < 0:
        return "The parameters moved in the opposite direction: subtract `rate` times each gradient."
    if factor is not None:
        return (
            f"The parameters moved {significant(factor)} times as far as on the single worker: check the number that "
            "divides the sum of all gradients, and `rate`."
        )
    if single.had_gradients:
        return (
            "The model has gradients of an earlier call, and `backward()` adds to them: clear them first, or use "
            "`torch.autograd.grad`."
        )
    if any(torch.equal(wanted[name], before[name]) and not torch.equal(after[name], before[name]) for name in wanted):
        return "A parameter without a gradient changed: leave frozen and unused parameters as they are."
    return (
        "A single worker with the whole batch gets different parameters. Check that each example counts equally, although "
        "the workers may have different numbers of examples, and that nothing is rounded or converted to integers."
    )


def _near(one: torch.Tensor, other: torch.Tensor, error: float) -> bool:
    return one.shape == other.shape and one.dtype == other.dtype and torch.allclose(one, other, rtol=0.0, atol=error)


def _sizes_of_terms(inputs):
    """Return, for each parameter, the largest sum of magnitudes that a step adds: rounding is relative to it, even if terms cancel."""
    *_, loss, x, y, rate, single = inputs
    parameters = dict(single.before.named_parameters())
    sizes = {name: parameter.detach().abs() for name, parameter in parameters.items()}
    trained = {name: parameter for name, parameter in parameters.items() if parameter.requires_grad}
    for one_loss in loss(single.before(x), y) / len(x):
        gradients = torch.autograd.grad(one_loss, list(trained.values()), retain_graph=True, allow_unused=True)
        for name, gradient in zip(trained, gradients):
            if gradient is not None:
                sizes[name] = sizes[name] + rate * gradient.abs()
    return {name: float(size.max()) for name, size in sizes.items()}


def _common_factor(before, after, wanted):
    """Return the ratio of the actual step to the right one, if it is the same for all parameters; else None."""
    moved = torch.cat([(after[name] - before[name]).flatten() for name in wanted]).detach().double()
    right = torch.cat([(wanted[name] - before[name]).flatten() for name in wanted]).detach().double()
    scale = right.square().sum()
    if scale == 0:
        return None
    factor = (moved * right).sum() / scale
    close = torch.allclose(moved, factor * right, rtol=1e-3, atol=float(1e-3 * right.abs().max()))
    return float(factor) if close and abs(factor - 1) > 1e-3 else None


TASK = Task(
    id="ddp_step",
    title="A step of two workers",
    points=3,
    level=2,
    slow=ddp_step_slow,
    inputs=lambda size, generator: _inputs(generator, size + 3, 1 + size // 3),
    sizes=(1, 5),
    writes=("model",),
    run=run_both,
    two_workers=True,
    same=judge_step,
    edge_cases=(
        Case("two workers with equally many examples", lambda generator: _inputs(generator, 8, 4)),
        Case("a worker without examples", lambda generator: _inputs(generator, 5, 5)),
        Case("a frozen layer", _with_frozen_layer),
        with_gradients("gradients from an earlier step", lambda g: _inputs(g, 7, 3)),
        Case("a layer that the model does not use", lambda generator: _inputs(generator, 6, 2, _WithUnusedLayer())),
        Case("a classifier of images in evaluation mode", _classifier),
        Case("a model of tokens, which are integers", _tokens),
        Case("301 examples", lambda generator: _inputs(generator, 301, 281)),
        Case("float64 values", lambda generator: _inputs(generator, 7, 3, dtype=torch.float64)),
    ),
    worst=(Case("seven examples for one worker and one for the other", lambda generator: _inputs(generator, 8, 7)),),
    timeout_s=20.0,
    story=prose(
        """
        You write the main part of DistributedDataParallel. In the loop below, a single worker trains a model on the
        whole batch. Now two workers share the batch. Each of them calls your function with a copy of the model and with
        *its own part* of `x` and `y`. Write `ddp_step(model, loss, x, y, rate, all_reduce)`, after which both workers
        hold the parameters that the single worker would have, up to rounding. The check runs both workers, connected by
        gloo.
        """
    ),
    rules=prose(
        """
        - `loss(model(x), y)` returns one loss per example, which depends only on that example. The step is gradient
          descent with learning rate `rate` on the mean loss of all examples of both workers. The workers may have
          different numbers of examples, or none.
        - `all_reduce(tensor)` replaces `tensor` with the sum of both workers' tensors, in place. Both workers must call
          it equally often, with equal shapes. Call it at most twice per step, for any number of parameters.
        - The model and the data are on one device, which may be a GPU.
        - Parameters that don't require a gradient, or that the model doesn't use, stay as they are.
        - Only the parameters of `model` change, in their own memory; their `.grad` may hold anything afterward. The
          check counts calls and judges no time.
        """
    ),
    hints=items(
        """
        - A mean of two means is wrong if the workers have different numbers of examples. Which two sums does the mean of
          the whole batch consist of?
        - Differentiate the *sum* of the losses. Put all gradients, and then the number of examples, into one vector,
          `flat = torch.cat(…)`, and call `all_reduce` once. A parameter without a gradient contributes zeros.
        - After `all_reduce(flat)`, `flat[:-1] / flat[-1]` holds the mean gradients. `split` cuts this vector into
          pieces with the sizes of the parameters.
        """
    ),
    sources=("S2.6",),
)
