"""Answers to input_terms."""

import torch

from answers import AnswersTo

answers = AnswersTo("input_terms")


@answers.right("zeros instead of the state")
def with_zeros(x, weight, bias):
    steps, series, inputs = x.shape
    both = torch.cat([x, x.new_zeros(steps, series, weight.shape[1] - inputs)], 2)
    return both @ weight.T + bias


answers.wrong("the whole weight", "correct")(lambda x, weight, bias: x @ weight.T + bias)


@answers.wrong("a loop over steps", "unlooped", says="a loop still runs over it")
def step_by_step(x, weight, bias):
    return torch.stack([row @ weight[:, : x.shape[2]].T + bias for row in x])


@answers.wrong("a loop over series", "unlooped", says="a loop still runs over it")
def series_by_series(x, weight, bias):
    return torch.stack([each @ weight[:, : x.shape[2]].T + bias for each in x.unbind(1)], 1)


@answers.wrong("a loop over states", "unlooped", says="a loop still runs over it")
def state_by_state(x, weight, bias):
    return torch.stack([x @ row[: x.shape[2]] + offset for row, offset in zip(weight, bias)], 2)


answers.wrong("one series without its axis", "correct", says="one series, one input and one state")(
    lambda x, weight, bias: (x @ weight[:, : x.shape[2]].T + bias).squeeze(1)
)
