"""Answers to neighbor_sums."""

import torch

from answers import AnswersTo

answers = AnswersTo("neighbor_sums")


@answers.right("pairs of rows")
def by_pairs(x):
    half = len(x) // 2
    return x[: 2 * half].reshape(half, 2, *x.shape[1:]).sum(1)


@answers.wrong("differences of a running sum", "correct", says="an infinite value")
def of_a_running_sum(x):
    totals = x.cumsum(0)[1::2]
    return torch.cat((totals[:1], totals[1:] - totals[:-1]))


@answers.wrong("a loop over Python numbers", "unlooped", says=".tolist()")
def in_python(x):
    rows = x.tolist()
    sums = [[a + b for a, b in zip(rows[i], rows[i + 1])] for i in range(0, len(rows) - 1, 2)]
    return torch.tensor(sums, dtype=x.dtype, device=x.device).reshape(len(sums), *x.shape[1:])


@answers.wrong("sums in float32", "correct", says="float64")
def in_float32(x):
    half = len(x) // 2
    return x[: 2 * half].unflatten(0, (half, 2)).float().sum(1)


@answers.wrong("a loop over the columns", "unlooped", says="grows with the input")
def column_by_column(x):
    half = len(x) // 2
    return torch.stack([column[: 2 * half : 2] + column[1 : 2 * half : 2] for column in x.T], 1)
