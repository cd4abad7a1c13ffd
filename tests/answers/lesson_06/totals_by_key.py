"""Answers to totals_by_key."""

import torch

from answers import AnswersTo

answers = AnswersTo("totals_by_key")


@answers.right("scatter_add")
def by_scatter_add(values, keys):
    distinct, labels = torch.unique(keys, return_inverse=True)
    return distinct, values.new_zeros(len(distinct)).scatter_add(0, labels, values)


@answers.right("index_put with accumulate")
def by_index_put(values, keys):
    distinct, labels = torch.unique(keys, return_inverse=True)
    return distinct, values.new_zeros(len(distinct)).index_put((labels,), values, accumulate=True)


@answers.wrong("one mask per key", "unlooped", says="grows with the input")
def key_by_key(values, keys):
    distinct = torch.unique(keys)
    sums = [values[keys == key].sum() for key in distinct]
    return distinct, torch.stack(sums) if sums else values.new_zeros(0)


@answers.wrong("bincount of the keys themselves", "correct")
def by_bincount(values, keys):
    return torch.unique(keys), torch.bincount(keys.clamp(0, 1000), weights=values)


@answers.wrong("float64 keys", "correct")
def by_float_keys(values, keys):
    distinct, labels = torch.unique(keys.double(), return_inverse=True)
    return distinct.to(keys.dtype), values.new_zeros(len(distinct)).scatter_add(0, labels, values)


@answers.wrong("differences of a running sum", "correct", says="infinite total")
def by_running_sum(values, keys):
    keys, order = keys.sort()
    distinct, counts = torch.unique_consecutive(keys, return_counts=True)
    return distinct, values[order].cumsum(0)[counts.cumsum(0) - 1].diff(prepend=values.new_zeros(1))


@answers.right("bincount of positions")
def by_positions(values, keys):
    distinct, labels = torch.unique(keys, return_inverse=True)
    return distinct, torch.bincount(labels, values, len(distinct)).to(values.dtype)


@answers.wrong("totals in float32", "correct", says="float64")
def in_float32(values, keys):
    distinct, totals = by_scatter_add(values.float(), keys)
    return distinct, totals.to(values.dtype)


@answers.right("boundaries of sorted keys")
def by_boundaries(values, keys):
    keys, order = keys.sort()
    begins = torch.cat([torch.ones_like(keys[:1], dtype=torch.bool), keys[1:] != keys[:-1]])
    distinct = keys[begins.nonzero().squeeze(1)]
    return distinct, values.new_zeros(len(distinct)).index_add(0, begins.cumsum(0) - 1, values[order])


@answers.wrong("a loop over blocks of values", "unlooped", says="grows with the input")
def blocks_of_values(values, keys):
    distinct, labels = torch.unique(keys, return_inverse=True)
    totals = values.new_zeros(len(distinct))
    for block, places in zip(values.split(16), labels.split(16)):
        totals.index_add_(0, places, block)
    return distinct, totals


@answers.wrong("keys that collide in a table of 4,096 rows", "correct", says="powers of 2")
def by_remainders(values, keys):
    distinct = keys.unique()
    sums = values.new_zeros(4096).index_add_(0, keys % 4096, values)
    return distinct, sums[distinct % 4096]


@answers.wrong("a table of remainders by a prime number", "correct", says="4,100 keys")
def by_prime_remainders(values, keys):
    distinct = keys.unique()
    sums = values.new_zeros(1_000_003).index_add_(0, keys % 1_000_003, values)
    return distinct, sums[distinct % 1_000_003]


answers.wrong("keys limited to 62 bits", "correct", says="one key")(
    lambda values, keys: by_scatter_add(values, keys.clamp(max=2**62))
)
