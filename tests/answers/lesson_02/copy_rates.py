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


@answers.right("from the bytes of the tensors")
def from_the_tensors(sizes, time_copy):
    pairs = [torch.zeros(2, size // 8).unbind() for size in sizes]
    return [(x.nbytes + out.nbytes) / time_copy(x, out) for x, out in pairs]


@answers.wrong("float64 tensors", "correct", says="time_copy takes float32 tensors")
def in_float64(sizes, time_copy):
    return [size / time_copy(*torch.zeros(2, size // 16, dtype=torch.float64)) for size in sizes]


@answers.wrong("an expanded tensor", "correct", says="whose elements share memory")
def from_one_element(sizes, time_copy):
    return [size / time_copy(torch.zeros(1).expand(size // 8), torch.zeros(size // 8)) for size in sizes]


@answers.wrong("sorted sizes", "correct", says="working sets in any order")
def by_size(sizes, time_copy):
    return from_the_working_set(sorted(sizes), time_copy)


@answers.wrong("a copy onto itself", line="correct", says="x and out share memory")
def onto_itself(sizes, time_copy):
    return [size / time_copy(x, x) for size in sizes for x in [torch.rand(size // 8)]]


@answers.wrong("every 16th element in memory", "correct", says="gaps in memory")
def one_of_16(sizes, time_copy):
    return [size / time_copy(torch.ones(size // 8, 16)[:, 0], torch.ones(size // 8, 16)[:, 0]) for size in sizes]


@answers.right("transposed matrices")
def transposed_matrices(sizes, time_copy):
    return [size / time_copy(torch.ones(size // 64, 8).T, torch.ones(8, size // 64)) for size in sizes]


@answers.wrong("at most 10 working sets", "correct", says="300 working sets")
def of_10_working_sets(sizes, time_copy):
    return [size / time_copy(torch.ones(size // 8), torch.ones(size // 8)) for size in sizes[:10]]
