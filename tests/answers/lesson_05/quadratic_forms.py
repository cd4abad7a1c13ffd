"""Answers to quadratic_forms."""

import torch

from answers import AnswersTo

answers = AnswersTo("quadratic_forms")


@answers.right("a product, then row by row")
def by_product_and_sum(x, a):
    return ((x @ a) * x).sum(1)


@answers.right("einsum in two steps")
def by_einsum(x, a):
    return torch.einsum("ij,ij->i", torch.einsum("ik,kj->ij", x, a), x)


@answers.right("bmm of thin matrices")
def by_bmm(x, a):
    return torch.bmm((x @ a)[:, None], x[:, :, None])[:, 0, 0]


@answers.wrong("all pairs, then the diagonal", "unlooped", says="larger than the result")
def diagonal_of_all_pairs(x, a):
    return (x @ a @ x.mT).diagonal().clone()


@answers.wrong("the outer product of each row", "unlooped", says="larger than the result")
def outer_products(x, a):
    return ((x[:, :, None] * x[:, None, :]) * a).sum((1, 2))


@answers.wrong("a loop over rows", "unlooped", says="grows with the input")
def row_by_row(x, a):
    return torch.stack([row @ a @ row for row in x]) if len(x) else x.sum(1)


@answers.wrong("all pairs", "correct", says="diagonal")
def all_pairs(x, a):
    return x @ a @ x.mT


@answers.wrong("only the diagonal of a", "correct", says="Only the diagonal of `a`")
def diagonal_of_a(x, a):
    return (x * x) @ a.diagonal()


@answers.wrong("x once", "correct", says="must come twice")
def x_once(x, a):
    return (x @ a).sum(1)


@answers.wrong("the length of x @ a", "correct", says="squared length")
def squared_length(x, a):
    return (x @ a).square().sum(1)


@answers.wrong("by a square root of a", "correct")
def by_cholesky(x, a):
    return (x @ torch.linalg.cholesky(a)).square().sum(1)


@answers.wrong("added up", "correct")
def the_trace(x, a):
    return torch.einsum("nj,nj->", x @ a, x)


@answers.wrong("bfloat16 inside", "correct", says="lower precision")
def in_bfloat16(x, a):
    return by_product_and_sum(x.bfloat16(), a.bfloat16()).to(x.dtype)
