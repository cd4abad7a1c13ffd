"""Answers to pair_scores."""

import torch

from answers import AnswersTo

answers = AnswersTo("pair_scores")


@answers.right("a product with the transposed keys")
def by_product(queries, keys):
    return queries @ keys.mT


answers.right("einsum")(lambda queries, keys: torch.einsum("...qd,...kd->...qk", queries, keys))


@answers.right("bmm with one batch axis")
def by_bmm(queries, keys):
    many = queries.shape[:-2].numel()
    products = torch.bmm(queries.reshape(many, *queries.shape[-2:]), keys.reshape(many, *keys.shape[-2:]).mT)
    return products.reshape(*queries.shape[:-1], keys.shape[-2])


@answers.wrong("broadcast, then summed", "unlooped", says="intermediate tensors")
def by_broadcasting(queries, keys):
    return (queries[..., :, None, :] * keys[..., None, :, :]).sum(-1)


@answers.wrong("a loop over the queries", "unlooped", says="grows with the input")
def query_by_query(queries, keys):
    if queries.shape[-2] == 0:
        return queries @ keys.mT
    return torch.cat([queries[..., i : i + 1, :] @ keys.mT for i in range(queries.shape[-2])], -2)


@answers.wrong("a loop over the users", "unlooped", says="grows with the input")
def user_by_user(queries, keys):
    if queries.dim() == 2:
        return queries @ keys.mT
    return torch.stack([user_by_user(*pair) for pair in zip(queries, keys)])


answers.wrong("a transposed result", "correct", says="shape")(lambda queries, keys: keys @ queries.mT)
answers.wrong("keys not transposed", "correct")(lambda queries, keys: queries @ keys)


@answers.wrong("at most one batch axis", "correct")
def three_axes_at_most(queries, keys):
    return torch.bmm(queries, keys.mT) if queries.dim() == 3 else torch.mm(queries, keys.mT)


@answers.wrong("keys without a gradient", "correct", says="none reaches keys")
def without_a_gradient(queries, keys):
    return by_product(queries, keys.detach())


answers.wrong("the keys with all axes reversed", "correct", says="`.mT` swaps the last two")(
    lambda queries, keys: queries @ keys.T
)

answers.wrong("keys cut off if the queries need no gradient", "correct", says="only keys needs a gradient")(
    lambda queries, keys: queries @ (keys if queries.requires_grad else keys.detach()).mT
)


@answers.wrong("torch.inner for one user", "correct", says="one user")
def inner_for_one_user(queries, keys):
    return torch.inner(queries, keys) if queries.shape[:-2].numel() == 1 else queries @ keys.mT
