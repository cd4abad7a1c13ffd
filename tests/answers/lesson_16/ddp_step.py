"""Answers to ddp_step."""

import torch

from answers import AnswersTo

answers = AnswersTo("ddp_step")
for label in ("the slow loop itself", "nothing returned"):
    answers.exception(label, "correct", says="all_reduce was never called")


def _trainable(model):
    return [parameter for parameter in model.parameters() if parameter.requires_grad]


def _gradients_of(total, parameters):
    gradients = torch.autograd.grad(total, parameters, allow_unused=True)
    return [
        torch.zeros_like(parameter) if gradient is None else gradient
        for parameter, gradient in zip(parameters, gradients)
    ]


def _descend(parameters, flat, rate):
    with torch.no_grad():
        for parameter, piece in zip(parameters, flat.split([each.numel() for each in parameters])):
            parameter -= rate * piece.view_as(parameter)


def _one_flat_message(total, count, model, rate, all_reduce):
    parameters = _trainable(model)
    flat = torch.cat([*(each.flatten() for each in _gradients_of(total, parameters)), total.new_tensor([float(count)])])
    all_reduce(flat)
    _descend(parameters, flat[:-1] / flat[-1], rate)


@answers.right("one all_reduce")
def one_message(model, loss, x, y, rate, all_reduce):
    _one_flat_message(loss(model(x), y).sum(), len(x), model, rate, all_reduce)


@answers.right("one all_reduce for the count, one for the gradients")
def the_count_first(model, loss, x, y, rate, all_reduce):
    count = torch.tensor([len(x)])
    all_reduce(count)
    parameters = _trainable(model)
    total = loss(model(x), y).sum() / count.item()
    flat = torch.cat([each.flatten() for each in _gradients_of(total, parameters)])
    all_reduce(flat)
    _descend(parameters, flat, rate)


@answers.right("backward")
def by_backward(model, loss, x, y, rate, all_reduce):
    model.zero_grad()
    _with_the_added_gradients(model, loss, x, y, rate, all_reduce)


@answers.wrong("backward, cleared only afterward", "correct", says="gradients of an earlier call")
def cleared_afterward(model, loss, x, y, rate, all_reduce):
    _with_the_added_gradients(model, loss, x, y, rate, all_reduce)
    model.zero_grad()


@answers.wrong("backward without clearing", "correct", says="gradients of an earlier call")
def by_backward_uncleared(model, loss, x, y, rate, all_reduce):
    _with_the_added_gradients(model, loss, x, y, rate, all_reduce)


def _with_the_added_gradients(model, loss, x, y, rate, all_reduce):
    parameters = _trainable(model)
    loss(model(x), y).sum().backward()
    pieces = [torch.zeros_like(each) if each.grad is None else each.grad for each in parameters]
    flat = torch.cat([*(each.flatten() for each in pieces), x.new_tensor([float(len(x))])])
    all_reduce(flat)
    _descend(parameters, flat[:-1] / flat[-1], rate)


@answers.wrong("a count in float32", "correct", says="the precision of float32")
def a_count_in_float32(model, loss, x, y, rate, all_reduce):
    count = torch.tensor([float(len(x))])
    all_reduce(count)
    parameters = _trainable(model)
    total = (loss(model(x), y).sum() / count).sum()
    flat = torch.cat([each.flatten() for each in _gradients_of(total, parameters)])
    all_reduce(flat)
    _descend(parameters, flat, rate)


@answers.wrong("no step", "correct", says="didn't change")
def no_step(model, loss, x, y, rate, all_reduce):
    all_reduce(x.new_tensor([float(len(x))]))


@answers.wrong("no all_reduce", "correct", says="never called")
def without_a_message(model, loss, x, y, rate, all_reduce):
    _one_flat_message(loss(model(x), y).sum(), len(x), model, rate, lambda tensor: None)


@answers.wrong("a mean of means", "correct", says="each example counts equally")
def a_mean_of_means(model, loss, x, y, rate, all_reduce):
    _one_flat_message(loss(model(x), y).mean(), 1, model, rate, all_reduce)


@answers.wrong("a sum of sums", "correct", says="times as far")
def a_sum_of_sums(model, loss, x, y, rate, all_reduce):
    parameters = _trainable(model)
    flat = torch.cat([each.flatten() for each in _gradients_of(loss(model(x), y).sum(), parameters)])
    all_reduce(flat)
    _descend(parameters, flat, rate)


@answers.wrong("one all_reduce per parameter", "correct", says="put all gradients into one tensor")
def a_message_per_parameter(model, loss, x, y, rate, all_reduce):
    count = torch.tensor([len(x)])
    all_reduce(count)
    for parameter, gradient in zip(
        _trainable(model), _gradients_of(loss(model(x), y).sum() / count.item(), _trainable(model))
    ):
        all_reduce(gradient)
        with torch.no_grad():
            parameter -= rate * gradient


@answers.wrong("no all_reduce without examples", "correct", says="every worker must make the same calls")
def silent_without_examples(model, loss, x, y, rate, all_reduce):
    if len(x):
        one_message(model, loss, x, y, rate, all_reduce)


@answers.wrong("a step uphill", "correct", says="in the opposite direction")
def uphill(model, loss, x, y, rate, all_reduce):
    one_message(model, loss, x, y, -rate, all_reduce)


@answers.wrong("frozen layers trained", "correct", says="leave frozen and unused parameters as they are")
def frozen_layers_trained(model, loss, x, y, rate, all_reduce):
    model.requires_grad_(True)
    one_message(model, loss, x, y, rate, all_reduce)


@answers.wrong("parameters averaged after a local step", "correct")
def averaged_parameters(model, loss, x, y, rate, all_reduce):
    _one_flat_message(loss(model(x), y).mean(), 1, model, rate, lambda tensor: None)
    flat = torch.cat([each.detach().flatten() for each in _trainable(model)])
    all_reduce(flat)
    with torch.no_grad():
        for parameter, piece in zip(_trainable(model), (flat / 2).split([each.numel() for each in _trainable(model)])):
            parameter.copy_(piece.view_as(parameter))


@answers.wrong("gradients in the dtype of x", "correct", says="a model of tokens")
def in_the_dtype_of_x(model, loss, x, y, rate, all_reduce):
    parameters = _trainable(model)
    gradients = _gradients_of(loss(model(x), y).sum(), parameters)
    flat = torch.cat([*(each.flatten() for each in gradients), torch.full_like(gradients[0].flatten()[:1], len(x))])
    flat = flat.to(x.dtype)
    all_reduce(flat)
    _descend(parameters, flat[:-1] / flat[-1], rate)


@answers.wrong("a fixed rate", "correct", says="times as far")
def fixed_rate(model, loss, x, y, rate, all_reduce):
    one_message(model, loss, x, y, 0.1, all_reduce)


@answers.wrong("squared errors instead of the loss", "correct", says="a classifier of images")
def squared_errors_only(model, loss, x, y, rate, all_reduce):
    one_message(model, lambda outputs, targets: (outputs - targets).square().sum(1), x, y, rate, all_reduce)


@answers.wrong("training mode", "correct", says="training is True after the call")
def in_training_mode(model, loss, x, y, rate, all_reduce):
    one_message(model.train(), loss, x, y, rate, all_reduce)
