"""Answers to input_terms."""

import torch

from answers import AnswersTo

answers = AnswersTo("input_terms")

answers.right("einsum")(lambda x, weight, bias: torch.einsum("tsi,ki->tsk", x, weight) + bias)
answers.wrong("the weight turned", "correct")(lambda x, weight, bias: x @ weight + bias)


@answers.wrong("step by step", "unlooped", says="a loop still runs over it")
def step_by_step(x, weight, bias):
    return torch.stack([row @ weight.T + bias for row in x])
