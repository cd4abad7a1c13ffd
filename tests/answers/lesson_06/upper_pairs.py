"""Answers to upper_pairs."""

import torch

from answers import AnswersTo

answers = AnswersTo("upper_pairs")


def _numbers(x, offset=1):
    return torch.triu_indices(x.shape[1], x.shape[1], offset, device=x.device)


@answers.right("all products, then picked")
def all_then_picked(x):
    i, j = _numbers(x)
    return (x @ x.mT)[:, i, j]


@answers.right("places in the flat table")
def in_the_flat_table(x):
    i, j = _numbers(x)
    return torch.einsum("bid,bjd->bij", x, x).flatten(1).index_select(1, i * x.shape[1] + j)


@answers.wrong(line="correct", says="leave the diagonal out")
def with_the_diagonal(x):
    i, j = _numbers(x, 0)
    return (x @ x.mT)[:, i, j]


@answers.wrong(line="correct", says="in another order")
def the_lower_half(x):
    i, j = torch.tril_indices(x.shape[1], x.shape[1], -1, device=x.device)
    return (x @ x.mT)[:, i, j]


@answers.wrong(line="correct", says="each pair is there twice")
def the_whole_table(x):
    return x @ x.mT


@answers.wrong(line="correct", says="shape")
def zeros_in_the_lower_half(x):
    return (x @ x.mT).triu(1).flatten(1)


@answers.wrong("a mask that waits", "unlooped")
def by_a_mask(x):
    upper = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
    return (x @ x.mT)[:, upper]


@answers.wrong("two vectors for every pair", "unlooped", says="larger than the result")
def both_sides(x):
    i, j = _numbers(x)
    return (x[:, i] * x[:, j]).sum(2)


@answers.wrong("a loop over the vectors", "unlooped", says="grows with the input")
def vector_by_vector(x):
    products = x @ x.mT
    return torch.cat([products[:, i, i + 1 :] for i in range(x.shape[1])], dim=1)
