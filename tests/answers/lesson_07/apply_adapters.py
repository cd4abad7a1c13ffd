"""Answers to apply_adapters."""

import torch
from torch.func import vmap

from answers import AnswersTo

answers = AnswersTo("apply_adapters")


def _uses_adapter(which, down):
    return torch.arange(len(down), device=which.device) == which[:, None]


@answers.right("all adapters, then a mask")
def masked(x, which, weight, down, up):
    hidden = torch.einsum("rf,afk->rak", x, down).masked_fill(~_uses_adapter(which, down)[:, :, None], 0)
    return torch.addmm(x @ weight, hidden.flatten(1), up.flatten(0, 1))


@answers.right("one wide product")
def wide(x, which, weight, down, up):
    adapters, features, rank = down.shape
    out = weight.shape[1]
    both = x @ torch.cat([weight, down.transpose(0, 1).reshape(features, adapters * rank)], 1)
    own = _uses_adapter(which, down).repeat_interleave(rank, 1)
    return torch.addmm(both[:, :out], both[:, out:].where(own, 0), up.flatten(0, 1))


@answers.right("gathered adapters")
def gathered(x, which, weight, down, up):
    hidden = torch.bmm(x[:, None], down[which])
    return torch.baddbmm((x @ weight)[:, None], hidden, up[which])[:, 0]


@answers.right("vmap over requests")
def by_vmap(x, which, weight, down, up):
    def one(request, own_down, own_up):
        return request @ weight + request @ own_down @ own_up

    return vmap(one)(x, down[which], up[which])


@answers.wrong("a loop over requests", "unlooped")
def request_by_request(x, which, weight, down, up):
    adapted = [x[i] @ down[which[i]] @ up[which[i]] for i in range(len(x))]
    return x @ weight + torch.stack(adapted)


@answers.wrong("a loop over adapters", "unlooped", says="grows with the input")
def adapter_by_adapter(x, which, weight, down, up):
    result = x @ weight
    for number in range(len(down)):
        own = (which == number)[:, None]
        result = result + (x.where(own, 0) @ down[number]) @ up[number]
    return result


@answers.wrong("boolean indexing for each adapter", "unlooped")
def picked_by_a_mask(x, which, weight, down, up):
    result = x @ weight
    for number in range(len(down)):
        own = which == number
        result[own] += x[own] @ down[number] @ up[number]
    return result


@answers.wrong("results in sorted order", "correct")
def in_the_order_of_adapters(x, which, weight, down, up):
    order = which.argsort()
    return masked(x[order], which[order], weight, down, up)


@answers.wrong("a mask on the wrong axis", "correct")
def mask_repeated_the_wrong_way(x, which, weight, down, up):
    hidden = torch.einsum("rf,afk->rak", x, down).flatten(1)
    own = _uses_adapter(which, down).repeat(1, down.shape[2])
    return torch.addmm(x @ weight, hidden.masked_fill(~own, 0), up.flatten(0, 1))


answers.wrong("adapters numbered in uint8", "correct", says="4,099 adapters")(
    lambda x, which, *weights: gathered(x, which.to(torch.uint8).long(), *weights)
)
answers.wrong("adapters numbered in float16", "correct", says="4,099 adapters")(
    lambda x, which, *weights: gathered(x, which.half().long(), *weights)
)
answers.wrong("rank 4 only", "correct", says="rank 7")(
    lambda x, which, weight, down, up: masked(x, which, weight, down[..., :4], up[:, :4])
)


@answers.wrong("a loop over the adapters with two operations each", "unlooped", says="grows with the input")
def adapter_by_adapter_with_products(x, which, weight, down, up):
    own_requests = x.where(_uses_adapter(which, down).T[:, :, None], 0)
    result = x @ weight
    for own, first, second in zip(own_requests, down, up):
        result = torch.addmm(result, own @ first, second)
    return result


@answers.wrong("a loop over the ranks", "unlooped", says="grows with the input")
def rank_by_rank(x, which, weight, down, up):
    hidden = torch.einsum("rf,afk->rak", x, down).masked_fill(~_uses_adapter(which, down)[:, :, None], 0)
    result = x @ weight
    for k in range(hidden.shape[2]):
        result = torch.addmm(result, hidden[:, :, k], up[:, k])
    return result


answers.wrong("the first 4,096 features only", "correct", says="4,099 features")(
    lambda x, which, weight, down, up: masked(x[:, :4096], which, weight[:4096], down[:, :4096], up)
)
