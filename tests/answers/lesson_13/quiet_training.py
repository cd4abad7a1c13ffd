"""Answers to quiet_training."""

import copy
from functools import partial

import torch

from answers import AnswersTo

answers = AnswersTo("quiet_training")
# torch.nn.utils.clip_grad_norm_ isn't more precise: it adds 1e-6 to the norm.
answers.without("rounded to float32 inside")


def _train(model, batches, optimizer, cut, keep=torch.Tensor.detach):
    history = []
    for x, y in batches:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        cut([p.grad for p in model.parameters()])
        optimizer.step()
        history.append(keep(loss))
    return torch.stack(history)


def _shorten(gradients):
    length = torch.stack([g.square().sum() for g in gradients]).sum().sqrt()
    for g in gradients:
        g.mul_((1 / length).clamp(max=1))


def _divide(gradients, longest=1.0):
    length = sum((g**2).sum() for g in gradients).sqrt()
    scale = torch.where(length > longest, length, 1.0)
    for g in gradients:
        g.div_(scale)


@answers.right("a clamped factor")
def by_clamp(model, batches, optimizer):
    return _train(model, batches, optimizer, _shorten)


answers.right("a divisor by where")(lambda model, batches, optimizer: _train(model, batches, optimizer, _divide))


@answers.right("clip_grad_norm_, with a preallocated history")
def by_clip_grad_norm(model, batches, optimizer):
    first = batches[0][0]
    history = torch.empty(len(batches), dtype=first.dtype, device=first.device)
    for step, (x, y) in enumerate(batches):
        loss = ((model(x) - y) ** 2).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        history[step] = loss.detach()
    return history


@answers.wrong("a branch on the norm", "unlooped", says="a branch on a tensor")
def branch_left(model, batches, optimizer):
    def cut(gradients):
        if sum(g.square().sum() for g in gradients) > 1:
            _shorten(gradients)

    return _train(model, batches, optimizer, cut)


@answers.wrong("item() for each loss", "unlooped", says=".item()")
def log_left(model, batches, optimizer):
    return _train(model, batches, optimizer, _shorten, lambda loss: torch.full_like(loss, loss.item()))


@answers.wrong("tolist() at the end", "unlooped", says=".tolist()")
def tolist_at_the_end(model, batches, optimizer):
    history = _train(model, batches, optimizer, _shorten)
    return torch.tensor(history.tolist(), dtype=history.dtype, device=history.device)


@answers.wrong("losses with their graph", "correct", says="still requires a gradient")
def graph_kept(model, batches, optimizer):
    return _train(model, batches, optimizer, _shorten, lambda loss: loss)


@answers.wrong("a copy of the model trained", "correct", says="model.0.weight has wrong values")
def copy_trained(model, batches, optimizer):
    twin, batches, optimizer = copy.deepcopy((model, batches, optimizer))
    return by_clamp(twin, batches, optimizer)


@answers.wrong("another optimizer without momentum", "correct", says="wrong values")
def another_optimizer(model, batches, optimizer):
    return by_clamp(model, batches, torch.optim.SGD(model.parameters(), lr=optimizer.param_groups[0]["lr"]))


@answers.wrong("the mean loss only", "correct", says="shape")
def mean_loss(model, batches, optimizer):
    return by_clamp(model, batches, optimizer).mean()


@answers.wrong("gradients cleared after the last step", "correct", says=".grad is None after the call")
def cleared_at_the_end(model, batches, optimizer):
    history = by_clamp(model, batches, optimizer)
    optimizer.zero_grad()
    return history


@answers.wrong("no training in bfloat16", "correct", says="For bfloat16 values")
def untrained_in_bfloat16(model, batches, optimizer):
    if batches[0][0].dtype == torch.bfloat16:
        model, batches, optimizer = copy.deepcopy((model, batches, optimizer))
    return by_clamp(model, batches, optimizer)


@answers.wrong("each loss copied to the host", "correct", says="copies a tensor to the host")
def losses_on_the_host(model, batches, optimizer):
    return _train(model, batches, optimizer, _shorten, lambda loss: loss.detach().cpu()).to(batches[0][0].device)


@answers.wrong("leaves the model in training mode", "correct", says="evaluation mode")
def left_in_training_mode(model, batches, optimizer):
    model.train()
    return _train(model, batches, optimizer, _shorten)


@answers.wrong("clipping above norm 1.05", "correct", says="wrong values")
def barely_cut(model, batches, optimizer):
    return _train(model, batches, optimizer, partial(_divide, longest=1.05))


@answers.wrong("each group of parameters clipped by its own length", "correct", says="two groups of parameters")
def clipped_by_group(model, batches, optimizer):
    def cut(_):
        for group in optimizer.param_groups:
            torch.nn.utils.clip_grad_norm_(group["params"], 1.0)

    return _train(model, batches, optimizer, cut)


@answers.wrong("a parameter that two layers share counts twice", "correct", says="a layer that the model runs twice")
def shared_parameters_twice(model, batches, optimizer):
    layers = model if isinstance(model, torch.nn.Sequential) else [model]
    return _train(
        model, batches, optimizer, lambda _: _shorten([p.grad for layer in layers for p in layer.parameters()])
    )


@answers.wrong("a second forward pass for the log", "correct", says="batch normalization")
def two_forward_passes(model, batches, optimizer):
    losses = []
    for x, y in batches:
        with torch.no_grad():
            losses.append(((model(x) - y) ** 2).mean())
        _train(model, [(x, y)], optimizer, _shorten)
    return torch.stack(losses)


@answers.wrong("a direction times a length, NaN for a gradient of 0", "correct", says="gradients of 0")
def direction_times_length(model, batches, optimizer):
    def cut(gradients):
        length = torch.stack([gradient.norm() for gradient in gradients]).norm()
        for gradient in gradients:
            gradient.copy_(gradient / length * length.clamp(max=1))

    return _train(model, batches, optimizer, cut)
