"""Answers to masked_heads."""

import torch
from torch.func import vmap

from answers import AnswersTo

answers = AnswersTo("masked_heads")


def _is_valid(x, lengths):
    return torch.arange(x.shape[1], device=x.device) < lengths[:, None]


def _means(x, lengths):
    total = x.masked_fill(~_is_valid(x, lengths)[:, :, None], 0).sum(1)
    return total / lengths.clamp(min=1)[:, None]


@answers.right("masked mean, then einsum")
def by_einsum(x, lengths, weights):
    return torch.einsum("bf,hfo->bho", _means(x, lengths), weights)


@answers.right("masked mean, then a batched product")
def by_broadcast(x, lengths, weights):
    return (_means(x, lengths) @ weights).transpose(0, 1)


@answers.right("where inside vmap")
def by_vmap(x, lengths, weights):
    places = torch.arange(x.shape[1], device=x.device)

    def one(sample, length):
        mean = torch.where((places < length)[:, None], sample, 0).sum(0) / length.clamp(min=1)
        return (mean[None, None] @ weights)[:, 0]

    return vmap(one)(x, lengths)


@answers.right("the mean as a product")
def by_products(x, lengths, weights):
    is_valid = _is_valid(x, lengths)
    share = is_valid.to(x.dtype) / lengths.clamp(min=1)[:, None]
    mean = share[:, None] @ x.masked_fill(~is_valid[:, :, None], 0)
    return (mean[:, None] @ weights)[:, :, 0]  # (batch, 1, 1, features) times (heads, features, out)


@answers.wrong("x detached", "correct", says="none reaches x")
def without_a_gradient(x, lengths, weights):
    return by_einsum(x.detach(), lengths, weights)


@answers.wrong("a loop over samples", "unlooped")
def sample_by_sample(x, lengths, weights):
    places = torch.arange(x.shape[1], device=x.device)
    rows = [x[i].masked_fill((places >= lengths[i])[:, None], 0).sum(0) for i in range(len(x))]
    return torch.einsum("bf,hfo->bho", torch.stack(rows) / lengths.clamp(min=1)[:, None], weights)


@answers.wrong("lengths.tolist()", "unlooped", says=".tolist() hands")
def lengths_in_python(x, lengths, weights):
    longest = max(lengths.tolist())
    return by_einsum(x[:, : max(1, longest)], lengths, weights)


@answers.wrong("x changed in place", "correct", says="changed its input x")
def in_place(x, lengths, weights):
    with torch.no_grad():
        x.masked_fill_(~_is_valid(x, lengths)[:, :, None], 0)
    return by_einsum(x, lengths, weights)


@answers.wrong("NaN replaced by 0 everywhere", "correct", says="NaN and infinity in valid rows")
def by_nan_to_num(x, lengths, weights):
    known = torch.nan_to_num(x, 0, 0, 0) * _is_valid(x, lengths)[:, :, None]
    return torch.einsum("bf,hfo->bho", known.sum(1) / lengths.clamp(min=1)[:, None], weights)


answers.wrong("at most 40 words", "correct", says="4,099 and 4,098 valid rows")(
    lambda x, lengths, weights: by_einsum(x, lengths.clamp(max=40), weights)
)


@answers.wrong("a loop over the heads", "unlooped", says="in a loop whose length does not follow the size")
def head_by_head(x, lengths, weights):
    valid = torch.arange(x.shape[1], device=x.device) < lengths[:, None]
    means = torch.where(valid[..., None], x, 0).sum(1) / lengths.clamp(min=1)[:, None]
    return torch.stack([means @ head for head in weights], 1)


@answers.wrong("time steps in the dtype of the lengths", "correct", says="int8 lengths")
def places_in_the_dtype_of_lengths(x, lengths, weights):
    places = torch.arange(x.shape[1], device=x.device).to(lengths.dtype)
    total = x.masked_fill((places >= lengths[:, None])[:, :, None], 0).sum(1)
    return torch.einsum("bf,hfo->bho", total / lengths.clamp(min=1)[:, None], weights)


@answers.wrong("a loop over the features", "unlooped", says="grows with the input")
def feature_by_feature(x, lengths, weights):
    result = x.new_zeros(len(x), len(weights), weights.shape[2])
    for mean, matrix in zip(_means(x, lengths).unbind(1), weights.unbind(1)):
        result = torch.addcmul(result, mean[:, None, None], matrix)
    return result


@answers.wrong("a loop over the time steps", "unlooped", says="grows with the input")
def step_by_step(x, lengths, weights):
    lengths = lengths.long()
    total = sum(x[:, t].masked_fill((lengths <= t)[:, None], 0) for t in range(x.shape[1]))
    return torch.einsum("bf,hfo->bho", total / lengths.clamp(min=1)[:, None], weights)


@answers.wrong("the axis of a single output dropped", "correct", says="a single output")
def without_an_axis(x, lengths, weights):
    result = by_einsum(x, lengths, weights)
    return result.squeeze(-1) if result.shape[-1] == 1 else result


answers.wrong("a single head without its axis", "correct", says="one head")(
    lambda x, lengths, weights: by_einsum(x, lengths, weights).squeeze(1)
)
