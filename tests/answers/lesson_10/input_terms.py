"""Answers to input_terms."""

import torch

from answers import AnswersTo

answers = AnswersTo("input_terms")


@answers.right("zeros in the place of the state")
def with_zeros(x, weight, bias):
    steps, series, inputs = x.shape
    both = torch.cat([x, x.new_zeros(steps, series, weight.shape[1] - inputs)], 2)
    return both @ weight.T + bias


answers.wrong("the whole weight", "correct")(lambda x, weight, bias: x @ weight.T + bias)


@answers.wrong("step by step", "unlooped", says="a loop still runs over it")
def step_by_step(x, weight, bias):
    return torch.stack([row @ weight[:, : x.shape[2]].T + bias for row in x])
