"""Answers to attention_pool."""

from math import inf

import torch
from torch.nn import functional

from answers import AnswersTo

answers = AnswersTo("attention_pool")


def _scores(query, keys):
    return query @ keys.mT / query.shape[1] ** 0.5


@answers.right("masked softmax")
def by_softmax(query, keys, values, mask, padding=-inf):
    weights = _scores(query, keys).masked_fill(~mask[:, None], padding).softmax(-1)
    return weights.masked_fill(~mask.any(1)[:, None, None], 0) @ values


@answers.right("scaled_dot_product_attention")
def by_one_operation(query, keys, values, mask):
    batch_of_queries = query.expand(len(keys), 1, -1, -1)
    pooled = functional.scaled_dot_product_attention(
        batch_of_queries, keys[:, None], values[:, None], mask[:, None, None]
    )
    return pooled[:, 0]


@answers.right("einsum, and exp by hand")
def by_hand(query, keys, values, mask):
    if keys.shape[1] == 0:
        return values.new_zeros(len(keys), len(query), values.shape[2])
    scores = torch.einsum("qd,bnd->bqn", query, keys) / query.shape[1] ** 0.5
    scores = scores.masked_fill(~mask[:, None], -1e30)
    grown = (scores - scores.detach().amax(-1, keepdim=True)).exp() * mask[:, None]
    return torch.einsum("bqn,bnv->bqv", grown / grown.sum(-1, keepdim=True).clamp(min=0.5), values)


@answers.right("padding with a score of -1e9")
def padding_at_minus_a_billion(query, keys, values, mask):
    return by_softmax(query, keys, values, mask, padding=-1e9)


@answers.wrong("padding with a score of -10,000", "correct", says="existing scores of about -100,000")
def padding_at_minus_ten_thousand(query, keys, values, mask):
    return by_softmax(query, keys, values, mask, padding=-1e4)


@answers.wrong("10,000 subtracted from the scores of padding", "correct")
def padding_ten_thousand_lower(query, keys, values, mask):
    weights = (_scores(query, keys) - 1e4 * ~mask[:, None]).softmax(-1)
    return weights.masked_fill(~mask[:, None], 0) @ values


@answers.wrong("exp without a shift", "correct")
def exp_that_overflows(query, keys, values, mask):
    grown = _scores(query, keys).exp() * mask[:, None]
    return grown / grown.sum(-1, keepdim=True).clamp(min=1e-30) @ values


def _shifted_by_one_maximum(axes, query, keys, values, mask):
    """Return a softmax that subtracts the largest score over ``axes``, and not the largest one of each sample and query."""
    if keys.shape[1] == 0 or len(keys) == 0:
        return by_softmax(query, keys, values, mask)
    scores = _scores(query, keys).masked_fill(~mask[:, None], -1e30)
    grown = (scores - scores.detach().amax(axes, keepdim=True)).exp() * mask[:, None]
    return grown / grown.sum(-1, keepdim=True).clamp(min=1e-30) @ values


@answers.wrong("one maximum for all queries of a sample", "correct", says="existing scores of about -100,000")
def shifted_per_sample(*inputs):
    return _shifted_by_one_maximum((1, 2), *inputs)


@answers.wrong("one maximum for all samples", "correct", says="existing scores of about -100,000")
def shifted_per_query(*inputs):
    return _shifted_by_one_maximum((0, 2), *inputs)


@answers.wrong("a loop over samples", "unlooped", says="grows with the input")
def sample_by_sample(query, keys, values, mask):
    pieces = [by_softmax(query, keys[i : i + 1], values[i : i + 1], mask[i : i + 1]) for i in range(len(keys))]
    return torch.cat(pieces) if pieces else by_softmax(query, keys, values, mask)


@answers.wrong("boolean indexing by the mask", "unlooped")
def by_boolean_indexing(query, keys, values, mask):
    scores = keys.new_full((len(keys), keys.shape[1], len(query)), -inf)
    scores[mask] = keys[mask] @ query.mT / query.shape[1] ** 0.5
    weights = scores.softmax(1).masked_fill(~mask.any(1)[:, None, None], 0)
    return weights.mT @ values


@answers.wrong("NaN replaced after the product", "correct", says="0 times nan")
def replaced_too_late(query, keys, values, mask):
    pooled = _scores(query, keys).masked_fill(~mask[:, None], -inf).softmax(-1) @ values
    return torch.where(mask.any(1)[:, None, None], pooled, 0.0)


@answers.wrong("without a gradient for the query", "correct", says="none reaches query")
def without_a_gradient(query, keys, values, mask):
    return by_softmax(query.detach(), keys, values, mask)


@answers.wrong("a loop over the queries", "unlooped", says="grows with the input")
def query_by_query(query, keys, values, mask):
    pooled = []
    for one in query:
        scores = (keys @ one / len(one) ** 0.5).masked_fill(~mask, torch.finfo(keys.dtype).min)
        weights = scores.softmax(1) * mask if mask.shape[1] else scores
        pooled.append((weights[:, None] @ values)[:, 0])
    return torch.stack(pooled, 1)


@answers.wrong("the first 64 items only", "correct", says="up to 4,099 items")
def of_64_items(query, keys, values, mask):
    return by_softmax(query, keys[:, :64], values[:, :64], mask[:, :64])


@answers.wrong("a loop over the items", "unlooped", says="grows with the input")
def item_by_item(query, keys, values, mask):
    weights = by_softmax(query, keys, torch.eye(mask.shape[1], dtype=keys.dtype, device=keys.device), mask)
    pooled = values.new_zeros(len(keys), len(query), values.shape[2])
    for k in range(mask.shape[1]):
        pooled = torch.addcmul(pooled, weights[:, :, k, None], values[:, None, k])
    return pooled


@answers.wrong("1e9 subtracted from the scores of padding", "correct", says="For large padding")
def padding_a_billion_lower(query, keys, values, mask):
    weights = (_scores(query, keys) - 1e9 * ~mask[:, None]).softmax(-1)
    return weights.masked_fill(~mask[:, None], 0) @ values


@answers.wrong("a loop over the queries for the last product only", "unlooped", says="grows with the input")
def product_by_product(query, keys, values, mask):
    weights = by_softmax(query, keys, torch.eye(mask.shape[1], dtype=keys.dtype, device=keys.device), mask)
    return torch.cat([torch.bmm(each, values) for each in weights.split(1, 1)], 1)


@answers.wrong("the 64 highest scores only", "correct", says="up to 4,099 items")
def of_the_highest_scores(query, keys, values, mask):
    scores = _scores(query, keys).masked_fill(~mask[:, None], -1e30)
    highest, which = scores.topk(min(64, scores.shape[-1]), -1)
    weights = torch.zeros_like(scores).scatter(-1, which, highest.softmax(-1) * (highest > -1e30))
    return weights @ values


answers.wrong("the first 4,096 samples only", "correct", says="4,099 samples")(
    lambda query, keys, values, mask: by_softmax(
        query, keys, values, mask & (torch.arange(len(mask), device=mask.device) < 4096)[:, None]
    )
)
