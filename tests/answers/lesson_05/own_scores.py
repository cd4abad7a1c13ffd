"""Answers to own_scores."""

import torch

from answers import AnswersTo

answers = AnswersTo("own_scores")

answers.right("an elementwise product, summed")(lambda users, items: (users * items).sum(1))
answers.right("einsum")(lambda users, items: torch.einsum("nd,nd->n", users, items))


@answers.wrong("the diagonal of all pairs", "unlooped", says="intermediate tensors")
def diagonal(users, items):
    return (users @ items.T).diagonal().clone()


@answers.wrong("float32", "correct", says="lower precision")
def in_float32(users, items):
    return (users.float() * items.float()).sum(1).to(users.dtype)


@answers.wrong("squares of sums and differences", "correct")
def by_squares(users, items):
    return (users + items).square_().sum(1).sub_((users - items).square_().sum(1)).div_(4)


@answers.wrong("infinity and NaN replaced by numbers", "correct", says="infinity and NaN")
def without_infinity(users, items):
    return (users * items).sum(1).nan_to_num()


@answers.wrong("three features only", "correct")
def three_features(users, items):
    return (users[:, :3] * items[:, :3]).sum(1)


@answers.wrong("a loop over the features", "unlooped", says="grows with the input")
def feature_by_feature(users, items):
    scores = users.new_zeros(len(users))
    for user_values, item_values in zip(users.T, items.T):
        scores.addcmul_(user_values, item_values)
    return scores


@answers.wrong("the diagonals of eight blocks of pairs", "unlooped")
def block_diagonals(users, items):
    blocks = [(u @ i.T).diagonal() for u, i in zip(users.chunk(8), items.chunk(8), strict=True)]
    return torch.cat(blocks)


answers.wrong("the first 4,096 features only", "correct", says="4,099 features")(
    lambda users, items: (users * items)[:, :4096].sum(1)
)
