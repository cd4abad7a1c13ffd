"""Answers to quadratic_forms."""

import torch

from answers import AnswersTo

answers = AnswersTo("quadratic_forms")

answers.right("a product, then row sums")(lambda x, a: ((x @ a) * x).sum(1))
answers.right("einsum in two steps")(lambda x, a: torch.einsum("ij,ij->i", torch.einsum("ik,kj->ij", x, a), x))
answers.right("bmm of thin matrices")(lambda x, a: torch.bmm((x @ a)[:, None], x[:, :, None])[:, 0, 0])


@answers.wrong("all pairs, then the diagonal", "unlooped", says="intermediate tensors")
def diagonal_of_all_pairs(x, a):
    return (x @ a @ x.mT).diagonal().clone()


@answers.wrong("the outer product of each row", "unlooped", says="intermediate tensors")
def outer_products(x, a):
    return ((x[:, :, None] * x[:, None, :]) * a).sum((1, 2))


@answers.wrong("a loop over rows", "unlooped", says="grows with the input")
def row_by_row(x, a):
    return torch.stack([row @ a @ row for row in x]) if len(x) else x.sum(1)


answers.wrong("a Cholesky factor of a", "correct")(lambda x, a: (x @ torch.linalg.cholesky(a)).square().sum(1))
answers.wrong("summed over all rows", "correct")(lambda x, a: torch.einsum("nj,nj->", x @ a, x))


@answers.wrong("a loop over the sensors", "unlooped", says="grows with the input")
def sensor_by_sensor(x, a):
    forms = x.new_zeros(len(x))
    for k in range(len(a)):
        forms = torch.addcmul(forms, x[:, k], x @ a[:, k])
    return forms


@answers.wrong("the diagonals of four blocks of pairs", "unlooped", says="intermediate tensors")
def block_by_block(x, a):
    return torch.cat([(block @ a @ block.mT).diagonal() for block in x.chunk(4)])


answers.wrong("the first 4,096 rows only", "correct", says="4,099 rows")(
    lambda x, a: ((x @ a) * x).sum(1) * (torch.arange(len(x), device=x.device) < 4096)
)
