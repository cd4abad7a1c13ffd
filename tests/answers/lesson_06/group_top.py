"""Answers to group_top."""

from math import inf

import torch

from answers import AnswersTo

answers = AnswersTo("group_top")


def _largest(values, labels, groups):
    return values.new_full((groups,), -inf).scatter_reduce(0, labels, values, "amax")


def _positions(values):
    return torch.arange(len(values), device=values.device)


@answers.right("the maximum, then its first position")
def two_reductions(values, labels, groups):
    count = len(values)
    places = torch.where(values == _largest(values, labels, groups)[labels], _positions(values), count)
    first = labels.new_full((groups,), count).scatter_reduce(0, labels, places, "amin")
    return torch.where(first < count, first, -1)


@answers.right("sorted by value, then by label")
def sorted_twice(values, labels, groups):
    order = values.argsort(stable=True, descending=True)
    order = order[labels[order].argsort(stable=True)]
    sizes = labels.new_zeros(groups).index_add_(0, labels, torch.ones_like(labels))
    starts = sizes.cumsum(0) - sizes
    padded = torch.cat([order, order.new_full((1,), -1)])
    return torch.where(sizes > 0, padded[starts], -1)


@answers.right("ranks instead of values")
def by_ranks(values, labels, groups):
    order = values.argsort(stable=True, descending=True)
    count = len(values)
    rank = torch.empty_like(order).scatter_(0, order, _positions(values))
    best = labels.new_full((groups,), count).scatter_reduce(0, labels, rank, "amin")
    return torch.cat([order, order.new_full((1,), -1)])[best]


@answers.wrong("minus infinity counts as an empty group", "correct")
def minus_infinity_is_empty(values, labels, groups):
    largest = _largest(values, labels, groups)
    return torch.where(largest > -inf, two_reductions(values, labels, groups), -1)


@answers.wrong("the last of several writes to one position", "correct", says="which of them stays")
def last_write(values, labels, groups):
    rising = len(values) - 1 - values.flip(0).argsort(stable=True)
    return labels.new_full((groups,), -1).scatter_(0, labels[rising], rising)


@answers.wrong("a table of values × groups", "unlooped", says="intermediate tensors")
def by_table(values, labels, groups):
    of_group = labels == torch.arange(groups, device=labels.device)[:, None]
    places = torch.where(values == _largest(values, labels, groups)[:, None], _positions(values), len(values))
    first = torch.where(of_group, places, len(values)).amin(1) if len(values) else labels.new_zeros(groups)
    return torch.where(first < len(values), first, -1)


@answers.wrong("a loop over groups", "unlooped")
def group_by_group(values, labels, groups):
    result = two_reductions(values, labels, groups)
    for group in range(groups):
        result[group] = torch.where(labels == group, result[group], -1).amax() if len(values) else -1
    return result


answers.wrong("minus infinity replaced by the lowest number", "correct", says="before the lowest number")(
    lambda values, labels, groups: two_reductions(values.nan_to_num(), labels, groups)
)


@answers.wrong("indices in int16", "correct", says="33,000 values")
def indices_in_int16(values, labels, groups):
    most = torch.iinfo(torch.int16).max
    places = torch.where(values == _largest(values, labels, groups)[labels], _positions(values), most).short()
    first = places.new_full((groups,), most).scatter_reduce(0, labels, places, "amin")
    return torch.where(first < most, first, -1).long()
