"""Answers to group_mean."""

import torch

from answers import AnswersTo

answers = AnswersTo("group_mean")


def _sums(values, labels, groups):
    return values.new_zeros(groups, values.shape[1]).index_add_(0, labels, values)


def _counts(values, labels, groups):
    return values.new_zeros(groups).index_add_(0, labels, values.new_ones(len(labels)))[:, None]


@answers.right()
def sums_over_counts(values, labels, groups):
    return _sums(values, labels, groups) / _counts(values, labels, groups)


@answers.right("a column of ones next to the values")
def ones_next_to_the_values(values, labels, groups):
    wide = torch.cat([values, values.new_ones(len(values), 1)], dim=1)
    sums = _sums(wide, labels, groups)
    return sums[:, :-1] / sums[:, -1:]


@answers.right()
def by_scatter_reduce(values, labels, groups):
    start = values.new_full((groups, values.shape[1]), torch.nan)
    return start.scatter_reduce(0, labels[:, None].expand_as(values), values, "mean", include_self=False)


@answers.right()
def counted_in_bins(values, labels, groups):
    return _sums(values, labels, groups) / torch.bincount(labels, minlength=groups)[:, None].to(values.dtype)


@answers.wrong(line="correct", says="`minlength`")
def counted_up_to_the_largest_label(values, labels, groups):
    counts = torch.bincount(labels).repeat_interleave(values.shape[1])
    return (_sums(values, labels, groups).flatten() / counts).view(groups, -1)


@answers.wrong(line="correct", says="Only one row")
def added_through_an_index(values, labels, groups):
    sums, counts = values.new_zeros(groups, values.shape[1]), values.new_zeros(groups, 1)
    sums[labels] += values
    counts[labels] += 1
    return sums / counts


@answers.wrong("a sum of 0 taken for a group without rows", "correct", says="add up to 0")
def empty_if_the_sum_is_0(values, labels, groups):
    sums, counts = _sums(values, labels, groups), _counts(values, labels, groups)
    return torch.where((sums == 0).all(1, keepdim=True), torch.nan, sums / counts)


@answers.wrong("rows counted in float16", "correct", says="33,000 rows")
def counted_in_float16(values, labels, groups):
    ones = torch.ones_like(labels, dtype=torch.float16)
    counts = ones.new_zeros(groups).index_add_(0, labels, ones)
    return values.new_zeros(groups, values.shape[1]).index_add_(0, labels, values) / counts[:, None]


@answers.wrong("a product with a 0/1 matrix", "correct")
def by_a_product(values, labels, groups):
    of_group = (labels == torch.arange(groups, device=labels.device)[:, None]).to(values.dtype)
    return of_group @ values / of_group.sum(1, keepdim=True)


@answers.wrong("one mask per group", "unlooped", says="grows with the input")
def group_by_group(values, labels, groups):
    means = [
        torch.where((labels == group)[:, None], values, 0).sum(0) / (labels == group).sum() for group in range(groups)
    ]
    return torch.stack(means)


@answers.wrong("a loop over the columns", "unlooped", says="grows with the input")
def column_by_column(values, labels, groups):
    zeros = torch.zeros(groups, dtype=values.dtype, device=values.device)
    sums = torch.stack([zeros.index_add(0, labels, column) for column in values.T], 1)
    return sums / torch.bincount(labels, minlength=groups)[:, None]


@answers.wrong("NaN replaced by 0", "correct", says="infinity and NaN in some groups")
def without_nan(values, labels, groups):
    sums = values.new_zeros(groups, values.shape[1])
    sums.index_add_(0, labels, values.nan_to_num(posinf=torch.inf, neginf=-torch.inf))
    return sums / torch.bincount(labels, minlength=groups)[:, None]


@answers.wrong("counts in int16", "correct", says="33,000 rows")
def counts_in_int16(values, labels, groups):
    counts = labels.new_zeros(groups).index_add_(0, labels, torch.ones_like(labels)).short()
    return _sums(values, labels, groups) / counts[:, None].to(values.dtype)


@answers.wrong("a loop over Python numbers", "unlooped", says=".tolist() hands")
def with_python_numbers(values, labels, groups):
    sums, counts = [[0.0] * values.shape[1] for _ in range(groups)], [0] * groups
    for row, label in zip(values.tolist(), labels.tolist()):
        counts[label] += 1
        sums[label] = [total + value for total, value in zip(sums[label], row)]
    means = [[total / count if count else torch.nan for total in row] for row, count in zip(sums, counts)]
    return torch.tensor(means, dtype=values.dtype, device=values.device).reshape(groups, values.shape[1])


answers.wrong("the first 4,096 groups only", "correct", says="4,099 groups")(
    lambda values, labels, groups: (
        sums_over_counts(values, labels, groups) / (torch.arange(groups, device=values.device) < 4096)[:, None]
    )
)
