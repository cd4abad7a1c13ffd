"""Answers to input_terms."""

import torch

from answers import AnswersTo

answers = AnswersTo("input_terms")


@answers.right("einsum")
def by_einsum(x, weight, bias):
    return torch.einsum("tsi,ki->tsk", x, weight) + bias


@answers.wrong("without the bias", "correct", says="bias is missing")
def without_bias(x, weight, bias):
    return x @ weight.T


@answers.wrong("the weight turned", "correct")
def turned(x, weight, bias):
    return x @ weight + bias


@answers.wrong("step by step", "unlooped", says="a loop still runs over it")
def step_by_step(x, weight, bias):
    return torch.stack([row @ weight.T + bias for row in x])
