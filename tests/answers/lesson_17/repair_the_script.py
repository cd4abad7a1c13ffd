"""Answers to repair_the_script."""

import copy

import torch
from torch.nn import functional

from answers import AnswersTo
from course_utils.tasks.lesson_17_profile_first.task_4_repair_the_script import repair_the_script_slow

answers = AnswersTo("repair_the_script")
answers.exception("nothing returned", "correct", says="expected a tuple")


def _train(model, readings, targets, batch, update, keep=torch.Tensor.detach, spread=lambda readings: readings.std(0)):
    scaled = (readings - readings.mean(0)) / spread(readings)
    losses, predictions = [], []
    for x, y in zip(scaled.split(batch), targets.split(batch)):
        predicted = model(x)
        loss = functional.mse_loss(predicted, y) * y.shape[1]
        model.zero_grad()
        loss.backward()
        update()
        losses.append(keep(loss))
        predictions.append(predicted.detach())
    return torch.stack(losses), torch.cat(predictions)


@answers.right("fused SGD")
def fused(model, readings, targets, batch, rate):
    optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=0.9, fused=True)
    return _train(model, readings, targets, batch, optimizer.step)


@answers.right("an explicit update and preallocated predictions")
def by_hand(model, readings, targets, batch, rate):
    parameters = list(model.parameters())
    velocity = [torch.zeros_like(each) for each in parameters]
    scaled = (readings - readings.mean(0)).div_(readings.std(0))
    predictions = torch.empty_like(targets)
    losses = []
    for first in range(0, len(readings), batch):
        y = targets[first : first + batch]
        predicted = model(scaled[first : first + batch])
        difference = predicted - y
        loss = difference.square().sum() / len(y)
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for each, speed in zip(parameters, velocity):
                speed.mul_(0.9).add_(each.grad)
                each.sub_(speed, alpha=rate)
        losses.append(loss.detach())
        predictions[first : first + len(y)] = predicted.detach()
    return torch.stack(losses), predictions


@answers.wrong("the slow script", "unlooped", says=".item()")
def slow_script(model, readings, targets, batch, rate):
    return repair_the_script_slow(model, readings, targets, batch, rate)


@answers.wrong("item() for each loss", "unlooped", says=".item()")
def item_for_each_loss(model, readings, targets, batch, rate):
    optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=0.9)
    return _train(
        model, readings, targets, batch, optimizer.step, lambda loss: torch.full_like(loss, loss.item()).detach()
    )


@answers.wrong("a copy of the model trained", "correct", says="wrong values")
def copy_trained(model, readings, targets, batch, rate):
    return fused(copy.deepcopy(model), readings, targets, batch, rate)


@answers.wrong("Nesterov's momentum", "correct", says="wrong values")
def nesterov(model, readings, targets, batch, rate):
    optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=0.9, nesterov=True)
    return _train(model, readings, targets, batch, optimizer.step)


@answers.wrong("losses with their graph", "correct", says="gradient")
def with_graph(model, readings, targets, batch, rate):
    optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=0.9)
    return _train(model, readings, targets, batch, optimizer.step, lambda loss: loss)


@answers.wrong("gradients cleared after the last step", "correct", says="None after the call")
def clear_gradients(model, readings, targets, batch, rate):
    result = fused(model, readings, targets, batch, rate)
    model.zero_grad()
    return result


@answers.wrong("drops the last, shorter batch", "correct")
def without_the_rest(model, readings, targets, batch, rate):
    full = max(len(readings) // batch, 1) * batch
    return fused(model, readings[:full], targets[:full], batch, rate)


def _deviation_from_squares(readings):
    rows = len(readings)
    return ((readings.square().mean(0) - readings.mean(0) ** 2) * rows / (rows - 1)).sqrt()


@answers.wrong("the variance as a difference of squares", "correct", says="readings far from 0")
def difference_of_squares(model, readings, targets, batch, rate):
    optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=0.9)
    return _train(model, readings, targets, batch, optimizer.step, spread=_deviation_from_squares)


answers.wrong("the layers of one model", "correct", says="a model of one layer")(
    lambda model, readings, targets, batch, rate: fused(
        torch.nn.Sequential(model[0], torch.nn.Tanh(), model[2]), readings, targets, batch, rate
    )
)
