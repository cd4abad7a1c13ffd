"""Answers to answer_one."""

import torch
from torch.nn import functional

from answers import AnswersTo

answers = AnswersTo("answer_one")


@answers.right("two products")
def by_products(query, keys, values):
    weights = torch.softmax(keys @ query / len(query) ** 0.5, dim=0)
    return weights @ values


@answers.right("scaled_dot_product_attention")
def by_one_operation(query, keys, values):
    return functional.scaled_dot_product_attention(query[None], keys, values)[0]


@answers.wrong("a loop over the keys", "unlooped", says="grows with the input")
def key_by_key(query, keys, values):
    scores = torch.stack([key @ query for key in keys]) / len(query) ** 0.5
    return scores.softmax(0) @ values


@answers.wrong("scores clamped to ±80", "correct", says="the result has wrong values")
def clamped(query, keys, values):
    weights = (keys @ query / len(query) ** 0.5).clamp(-80, 80).exp()
    return weights @ values / weights.sum()


@answers.wrong("weights in float32", "correct", says="float64")
def in_float32(query, keys, values):
    return by_products(query.float(), keys.float(), values.float()).to(values.dtype)


@answers.wrong("a loop over the columns of the values", "unlooped", says="grows with the input")
def column_by_column(query, keys, values):
    weights = (keys @ query / len(query) ** 0.5).softmax(0)
    return torch.stack([weights @ column for column in values.T])


answers.wrong("the first 4,096 keys only", "correct", says="4,099 keys")(
    lambda query, keys, values: by_products(query, keys[:4096], values[:4096])
)
