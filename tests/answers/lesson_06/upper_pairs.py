"""Answers to upper_pairs."""

import torch

from answers import AnswersTo

answers = AnswersTo("upper_pairs")


def _indices(x, offset=1):
    return torch.triu_indices(x.shape[1], x.shape[1], offset, device=x.device)


@answers.right("all products, then indexing")
def all_then_picked(x):
    i, j = _indices(x)
    return (x @ x.mT)[:, i, j]


@answers.right("indices into the flat table")
def in_the_flat_table(x):
    i, j = _indices(x)
    return torch.einsum("bid,bjd->bij", x, x).flatten(1).index_select(1, i * x.shape[1] + j)


answers.wrong("zeros in the lower half", "correct", says="shape")(lambda x: (x @ x.mT).triu(1).flatten(1))


@answers.wrong("boolean indexing", "unlooped")
def by_a_mask(x):
    upper = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
    return (x @ x.mT)[:, upper]


@answers.wrong("both vectors of each pair gathered", "unlooped", says="intermediate tensors")
def both_sides(x):
    i, j = _indices(x)
    return (x[:, i] * x[:, j]).sum(2)


@answers.wrong("a loop over the vectors", "unlooped", says="grows with the input")
def vector_by_vector(x):
    products = x @ x.mT
    return torch.cat([products[:, i, i + 1 :] for i in range(x.shape[1])], dim=1)


answers.wrong("infinity and NaN replaced by numbers", "correct", says="infinity and NaN")(
    lambda x: all_then_picked(x).nan_to_num()
)


@answers.wrong("a loop over the features", "unlooped", says="Each operation counts")
def feature_by_feature(x):
    i, j = _indices(x)
    products = x.new_zeros(len(x), x.shape[1], x.shape[1])
    for k in range(x.shape[2]):
        products.addcmul_(x[:, :, k, None], x[:, None, :, k])
    return products[:, i, j]


@answers.wrong("a loop over the samples", "unlooped", says="grows with the input")
def sample_by_sample(x):
    i, j = _indices(x)
    products = x.new_empty(len(x), x.shape[1], x.shape[1])
    for sample, swapped, out in zip(x, x.mT, products):
        torch.mm(sample, swapped, out=out)
    return products[:, i, j]


@answers.right("computed indices, repeated to a known length")
def by_repeated_rows(x):
    n = x.shape[1]
    rows = torch.arange(n, device=x.device)
    i = rows.repeat_interleave(n - 1 - rows, output_size=n * (n - 1) // 2)
    j = torch.arange(len(i), device=x.device) - i * (2 * n - i - 3) // 2 + 1
    return (x @ x.mT)[:, i, j]


answers.wrong("the first 4,096 values of each vector only", "correct", says="vectors of 4,099 values")(
    lambda x: all_then_picked(x[:, :, :4096])
)


@answers.wrong("indices into the flat table in int16", "correct", says="200 vectors")
def flat_indices_in_int16(x):
    n = x.shape[1]
    i, j = _indices(x).short()
    return (x @ x.mT).flatten(1)[:, (i * n + j).long() % max(n * n, 1)]
