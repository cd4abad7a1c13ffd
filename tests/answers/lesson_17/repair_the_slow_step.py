"""Answers to repair_the_slow_step."""

import torch
from torch.nn import functional

from answers import AnswersTo
from course_utils.tasks.lesson_17_profile_first.task_2_repair_the_slow_step import repair_the_slow_step_slow

answers = AnswersTo("repair_the_slow_step")


def _make_step(model, loss, rate):
    model.zero_grad()
    loss.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.sub_(parameter.grad, alpha=rate)


def _rows_and_sums(scores, labels):
    """Return the number of rows of each class and the sum of their losses."""
    each = functional.cross_entropy(scores, labels, reduction="none")
    zeros = scores.new_zeros(scores.shape[1])
    return zeros.index_add(0, labels, torch.ones_like(each)), zeros.index_add(0, labels, each)


@answers.right("index_add")
def by_index(model, x, labels, rate):
    rows, sums = _rows_and_sums(model(x), labels)
    losses = sums / rows.clamp(min=1)
    _make_step(model, losses.sum() / (rows > 0).sum(), rate)
    return losses.detach()


@answers.right("where on one-hot rows")
def by_choice(model, x, labels, rate):
    scores = model(x)
    is_label = functional.one_hot(labels, scores.shape[1]).bool()
    losses = -torch.where(is_label, scores.log_softmax(1), 0).sum(0) / is_label.sum(0).clamp(min=1)
    _make_step(model, losses.sum() / is_label.any(0).sum(), rate)
    return losses.detach()


@answers.wrong("a product with one-hot rows", "correct", says="one NaN in x")
def by_one_hot(model, x, labels, rate):
    scores = model(x)
    is_label = functional.one_hot(labels, scores.shape[1]).to(scores.dtype)
    losses = -(scores.log_softmax(1) * is_label).sum(0) / is_label.sum(0).clamp(min=1)
    _make_step(model, losses.sum() / is_label.amax(0).sum(), rate)
    return losses.detach()


@answers.wrong("the mean over rows", "correct")
def plain_loss(model, x, labels, rate):
    scores = model(x)
    loss = functional.cross_entropy(scores, labels)
    _make_step(model, loss, rate)
    return loss.detach().expand(scores.shape[1]).clone()


@answers.wrong("NaN for a class without rows", "correct")
def nan_without_rows(model, x, labels, rate):
    rows, sums = _rows_and_sums(model(x), labels)
    losses = sums / rows
    _make_step(model, losses.nanmean(), rate)
    return losses.detach()


@answers.wrong("the losses with their graph", "correct", says="gradient")
def with_graph(model, x, labels, rate):
    rows, sums = _rows_and_sums(model(x), labels)
    losses = sums / rows.clamp(min=1)
    _make_step(model, losses.sum() / (rows > 0).sum(), rate)
    return losses


@answers.wrong("no backward pass", "correct")
def without_backward(model, x, labels, rate):
    with torch.no_grad():
        rows, sums = _rows_and_sums(model(x), labels)
        return sums / rows.clamp(min=1)


@answers.wrong("a loop over classes without synchronization", "unlooped", says="grows with the input")
def still_a_loop(model, x, labels, rate):
    scores = model(x)
    each = functional.cross_entropy(scores, labels, reduction="none")
    losses, present = [], 0
    for index in range(scores.shape[1]):
        rows = labels == index
        losses.append(torch.where(rows, each, 0).sum() / rows.sum().clamp(min=1))
        present = present + rows.any()
    _make_step(model, sum(losses) / present, rate)
    return torch.stack(losses).detach()


@answers.wrong("the slow loop", "unlooped")
def slow_loop(model, x, labels, rate):
    return repair_the_slow_step_slow(model, x, labels, rate)


@answers.wrong("a mean over classes with a loss above 0", "correct", says="the loss of some classes is 0")
def positive_losses(model, x, labels, rate):
    rows, sums = _rows_and_sums(model(x), labels)
    losses = sums / rows.clamp(min=1)
    _make_step(model, losses.sum() / (losses > 0).sum(), rate)
    return losses.detach()


@answers.wrong("NaN replaced by 0", "correct", says="a row of NaN in the only class")
def without_nan(model, x, labels, rate):
    rows, sums = _rows_and_sums(model(x), labels)
    losses = (sums / rows).nan_to_num()
    _make_step(model, losses.sum() / (rows > 0).sum(), rate)
    return losses.detach()


@answers.wrong("a second forward pass for the losses", "correct", says="running statistics")
def second_call(model, x, labels, rate):
    rows, sums = _rows_and_sums(model(x), labels)
    with torch.no_grad():
        _, reported = _rows_and_sums(model(x), labels)
    _make_step(model, (sums / rows.clamp(min=1)).sum() / (rows > 0).sum(), rate)
    return reported / rows.clamp(min=1)


@answers.right("the weighted cross entropy, which divides by the sum of the weights")
def by_class_weights(model, x, labels, rate):
    model.zero_grad()
    scores = model(x)
    with torch.no_grad():
        rows = torch.zeros_like(scores[0]).index_add(0, labels, torch.ones_like(scores[:, 0])).clamp(min=1)
        each = functional.cross_entropy(scores, labels, reduction="none")
        losses = torch.zeros_like(scores[0]).index_add(0, labels, each) / rows
    functional.cross_entropy(scores, labels, weight=1 / rows).backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= rate * parameter.grad
    return losses


answers.wrong("a fixed rate", "correct", says="a rate of 0.03")(
    lambda model, x, labels, rate: by_index(model, x, labels, 0.1)
)

answers.wrong("at most 4,096 rows", "correct", says="5,000 rows")(
    lambda model, x, labels, rate: by_index(model, x[:4096], labels[:4096], rate)
)


@answers.wrong("numbers of rows in float16", "correct", says="300 classes")
def rows_in_float16(model, x, labels, rate):
    rows, sums = _rows_and_sums(model(x), labels)
    losses = sums / rows.half().to(sums.dtype).clamp(min=1)
    _make_step(model, losses.sum() / (rows > 0).sum(), rate)
    return losses.detach()


@answers.wrong("classes in uint8", "correct", says="300 classes")
def classes_in_uint8(model, x, labels, rate):
    return by_index(model, x, labels % 256, rate)
