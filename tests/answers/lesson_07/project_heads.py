"""Answers to project_heads."""

import numpy as np
import torch
from torch.func import vmap

from answers import AnswersTo

answers = AnswersTo("project_heads")


@answers.right("broadcasting")
def by_broadcast(x, weights):
    return x @ weights


answers.right("einsum")(lambda x, weights: torch.einsum("bf,hfo->hbo", x, weights))
answers.right("bmm")(lambda x, weights: torch.bmm(x.expand(len(weights), -1, -1), weights))
answers.right("vmap")(lambda x, weights: vmap(lambda one: x @ one)(weights))


@answers.right("one wide product")
def by_one_wide_product(x, weights):
    heads, features, out = weights.shape
    wide = weights.transpose(0, 1).reshape(features, heads * out)
    return (x @ wide).view(len(x), heads, out).transpose(0, 1).contiguous()


answers.wrong("bmm with a matrix", "correct", says="bmm does not broadcast")(lambda x, weights: torch.bmm(x, weights))


@answers.wrong("x as a batch of one", "correct", says="it expects the shape (1, 24, …) and gets (2, 24, …)")
def bmm_of_one_matrix(x, weights):
    return torch.bmm(x[None], weights)


@answers.wrong("vmap without in_dims", "correct", says="Pass None for an argument that all calls share")
def vmap_over_both(x, weights):
    return vmap(torch.matmul)(x, weights)


@answers.wrong(line="unlooped")
def two_heads_at_a_time(x, weights):
    return torch.cat([x @ weights[start : start + 2] for start in range(0, len(weights), 2)])


@answers.wrong("a loop over heads", "unlooped")
def into_one_tensor(x, weights):
    result = x.new_empty(len(weights), len(x), weights.shape[2])
    for head in range(len(weights)):
        result[head] = x @ weights[head]
    return result


@answers.wrong("a detour through NumPy", "correct", says="none reaches x")
def through_numpy(x, weights):
    return torch.from_numpy(np.matmul(x.detach().numpy(), weights.detach().numpy()))


answers.wrong("weights detached", "correct", says="reaches weights")(lambda x, weights: x @ weights.detach())


@answers.wrong("weights transposed if all sizes are equal", "correct", says="equal sizes on all axes")
def transposed_if_all_sizes_are_equal(x, weights):
    square = weights.shape[0] == weights.shape[1] == weights.shape[2]
    return x @ (weights.transpose(0, 1) if square else weights)


@answers.wrong("NaN replaced by 0", "correct", says="infinity and NaN")
def summing_products(x, weights):
    return (x[None, :, :, None] * weights[:, None]).nan_to_num().sum(2).to(x.dtype)


answers.wrong("a single head without its axis", "correct")(lambda x, weights: by_broadcast(x, weights).squeeze(0))


@answers.wrong("a loop over the rows", "unlooped", says="in a loop whose length does not follow the size")
def row_by_row(x, weights):
    return torch.stack([row @ weights for row in x], 1) if len(x) else x @ weights


@answers.wrong("a loop over the outputs", "unlooped", says="grows with the input")
def output_by_output(x, weights):
    return torch.stack([weights[:, :, k] @ x.T for k in range(weights.shape[2])], 2)


answers.wrong("axes of one element removed", "correct", says="a batch of one row")(
    lambda x, weights: by_broadcast(x, weights).squeeze(1)
)
