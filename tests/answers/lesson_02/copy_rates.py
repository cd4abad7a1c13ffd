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


@answers.wrong(line="correct", says="both count")
def what_is_read(sizes, time_copy):
    rates = []
    for size in sizes:
        x = torch.rand(size // 8)
        rates.append(x.nbytes / time_copy(x, torch.empty_like(x)))
    return rates


@answers.wrong("a working set twice as large", line="correct", says="x and out together")
def twice_as_large(sizes, time_copy):
    rates = []
    for size in sizes:
        x = torch.rand(size // 4)
        rates.append(2 * x.nbytes / time_copy(x, torch.empty_like(x)))
    return rates


@answers.wrong(line="correct", says="bytes a second")
def seconds(sizes, time_copy):
    return [time_copy(torch.rand(size // 8), torch.rand(size // 8)) for size in sizes]


@answers.wrong("a copy onto itself", line="correct")
def onto_itself(sizes, time_copy):
    return [size / time_copy(x, x) for size in sizes for x in [torch.rand(size // 8)]]
