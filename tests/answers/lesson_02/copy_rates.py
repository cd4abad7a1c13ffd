"""Answers to copy_rates."""

import torch

from answers import AnswersTo

answers = AnswersTo("copy_rates")


@answers.right()
def from_the_working_set(sizes, time_copy):
    rates = []
    for size in sizes:
        x = torch.rand(size // 8)
        rates.append(size / time_copy(x, torch.empty_like(x)))
    return rates


@answers.right("in float64, of what the tensors say")
def from_the_tensors(sizes, time_copy):
    pairs = [(torch.zeros(size // 16, dtype=torch.float64), torch.zeros(size // 16).double()) for size in sizes]
    return [(x.nbytes + out.nbytes) / time_copy(x, out) for x, out in pairs]


@answers.wrong("a copy onto itself", line="correct")
def onto_itself(sizes, time_copy):
    return [size / time_copy(x, x) for size in sizes for x in [torch.rand(size // 8)]]
