"""Answers to input_terms."""

import torch

from answers.table import right, wrong


@right("einsum")
def by_einsum(x, weight, bias):
    return torch.einsum("tsi,ki->tsk", x, weight) + bias


@wrong("without the bias", "correct", says="bias is missing")
def without_bias(x, weight, bias):
    return x @ weight.T


@wrong("the weight turned", "correct")
def turned(x, weight, bias):
    return x @ weight + bias


@wrong("step by step", "unlooped", says="a loop still runs over it")
def step_by_step(x, weight, bias):
    return torch.stack([row @ weight.T + bias for row in x])
