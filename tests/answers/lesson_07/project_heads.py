"""Answers to project_heads."""

import numpy as np
import torch
from torch.func import vmap

from answers import AnswersTo

answers = AnswersTo("project_heads")


@answers.right("broadcasting")
def by_broadcast(x, weights):
    return x @ weights


@answers.right("einsum")
def by_einsum(x, weights):
    return torch.einsum("bf,hfo->hbo", x, weights)


@answers.right("bmm")
def by_bmm(x, weights):
    return torch.bmm(x.expand(len(weights), -1, -1), weights)


@answers.right("vmap")
def by_vmap(x, weights):
    return vmap(lambda one: x @ one)(weights)


@answers.right("one wide product")
def by_one_wide_product(x, weights):
    heads, features, out = weights.shape
    wide = weights.transpose(0, 1).reshape(features, heads * out)
    return (x @ wide).view(len(x), heads, out).transpose(0, 1).contiguous()


@answers.wrong("bmm with a matrix", "correct", says="bmm broadcasts nothing")
def bmm_of_a_matrix(x, weights):
    return torch.bmm(x, weights)


@answers.wrong("x as a batch of one", "correct", says="it wants the shape (1, 16, …) and gets (2, 16, …)")
def bmm_of_one_matrix(x, weights):
    return torch.bmm(x[None], weights)


@answers.wrong("vmap without in_dims", "correct", says="An argument that all pieces share is told by None")
def vmap_over_both(x, weights):
    return vmap(torch.matmul)(x, weights)


@answers.wrong(line="correct", says="weights were reshaped")
def weights_reshaped(x, weights):
    return (x @ weights.reshape(x.shape[1], -1)).unflatten(1, (len(weights), -1)).transpose(0, 1)


@answers.wrong(line="unlooped")
def two_heads_at_a_time(x, weights):
    return torch.cat([x @ weights[start : start + 2] for start in range(0, len(weights), 2)])


@answers.wrong("a loop into one tensor", "unlooped")
def into_one_tensor(x, weights):
    result = x.new_empty(len(weights), len(x), weights.shape[2])
    for head in range(len(weights)):
        result[head] = x @ weights[head]
    return result


@answers.wrong("a detour through NumPy", "correct", says="none reaches x")
def through_numpy(x, weights):
    return torch.from_numpy(np.matmul(x.detach().numpy(), weights.detach().numpy()))


@answers.wrong(line="correct", says="reaches weights")
def cut_off_from_the_gradient(x, weights):
    return x @ weights.detach()


@answers.wrong(line="correct", says="batch stands")
def the_batch_first(x, w):
    return by_broadcast(x, w).transpose(0, 1)


@answers.wrong(line="correct", says="side by")
def side_by_side(x, w):
    return by_broadcast(x, w).transpose(0, 1).flatten(1)


@answers.wrong(line="correct", says="added up")
def added_up(x, weights):
    return torch.einsum("bf,hfo->bo", x, weights)


@answers.wrong(line="correct", says="reverse")
def backwards(x, weights):
    return x @ weights.flip(0)


@answers.wrong(line="correct", says="product was reshaped")
def product_reshaped(x, weights):
    return (x @ weights.transpose(0, 1).flatten(1)).reshape(len(weights), len(x), -1)


@answers.wrong(line="correct", says="Weights and product were reshaped")
def both_reshaped(x, weights):
    return (x @ weights.reshape(x.shape[1], -1)).reshape(len(weights), len(x), -1)


@answers.wrong(line="correct", says="wrong way round")
def the_wrong_way_round(x, weights):
    return weights @ x


@answers.wrong("turned where all sizes are alike", "correct", says="all sizes alike")
def turned_where_square(x, weights):
    square = weights.shape[0] == weights.shape[1] == weights.shape[2]
    return x @ (weights.transpose(0, 1) if square else weights)


@answers.wrong("NaN taken for 0", "correct", says="infinity and NaN")
def summing_products(x, weights):
    return (x[None, :, :, None] * weights[:, None]).nan_to_num().sum(2).to(x.dtype)


@answers.wrong("a single head without its axis", "correct")
def one_head_forgotten(x, weights):
    return by_broadcast(x, weights).squeeze(0)


@answers.wrong(line="correct", says="dtype")
def float32_whatever_came(x, w):
    return by_broadcast(x.float(), w.float())


@answers.wrong(line="correct", says="lower precision")
def bfloat16_inside(x, w):
    return by_broadcast(x.bfloat16(), w.bfloat16()).to(x.dtype)


@answers.wrong("weights changed", "correct", says="changed its input weights")
def scaled_in_place(x, weights):
    result = by_broadcast(x, weights)
    weights.mul_(1.5)
    return result


@answers.wrong(line="correct")
def the_published_features_only(x, w):
    return by_bmm(x, w) if w.shape[1:] == (16, 8) else x @ w[:1].expand_as(w)
