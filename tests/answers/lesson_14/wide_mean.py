"""Answers to wide_mean."""

import torch

from answers import AnswersTo

answers = AnswersTo("wide_mean")
answers.without("rounded to float32 inside")  # The inputs are no wider.


@answers.right("mean with a dtype")
def by_dtype(x):
    return x.mean(1, dtype=torch.float64).to(x.dtype)


@answers.right("sum with a dtype")
def by_sum(x):
    return (x.sum(1, dtype=torch.float64) / x.shape[1]).to(x.dtype)


@answers.right("converted first")
def converted(x):
    return x.double().mean(dim=1).to(x.dtype)


@answers.right("a product with ones")
def by_product(x):
    weights = torch.full((x.shape[1],), 1 / x.shape[1], dtype=torch.float64, device=x.device)
    return (x.double() @ weights).to(x.dtype)


@answers.wrong("the last element of cumsum", "correct")
def by_cumsum(x):
    return x.cumsum(1)[:, -1] / x.shape[1]


@answers.wrong("float32, which torch uses for half precision", "correct", says="Accumulate in float64")
def by_plain_mean(x):
    return x.mean(1)


@answers.wrong("each value divided first", "correct")
def divided_first(x):
    return (x / x.shape[1]).sum(1, dtype=torch.float64).to(x.dtype)


@answers.wrong("NaN replaced by 0", "correct", says="infinity and NaN")
def without_nan(x):
    return x.double().nan_to_num().mean(1).to(x.dtype)


@answers.wrong("a loop over the columns", "unlooped", says="a loop still runs over it")
def column_by_column_in_each_dtype(x):
    total = torch.zeros(len(x), dtype=torch.float64, device=x.device)
    for column in x.unbind(1):
        total += column
    return (total / x.shape[1]).to(x.dtype)


@answers.wrong("a loop over columns in bfloat16", "unlooped", says="bfloat16")
def column_by_column(x):
    if x.dtype != torch.bfloat16:
        return by_dtype(x)
    total = torch.zeros(len(x), dtype=torch.float64, device=x.device)
    for column in x.unbind(1):
        total += column
    return (total / x.shape[1]).to(x.dtype)


@answers.wrong("a list of Python floats", "unlooped")
def through_lists(x):
    means = [sum(row) / len(row) for row in x.tolist()]
    return torch.tensor(means, dtype=torch.float64, device=x.device).to(x.dtype)


@answers.right("rounded twice, through float32")
def rounded_twice(x):
    return x.double().mean(1).float().to(x.dtype)


@answers.wrong("off by two units in the last place", "correct")
def off_by_two(x):
    mean = x.double().mean(1).to(x.dtype)
    return mean + 2 * torch.finfo(x.dtype).eps * 2 ** mean.abs().log2().floor()


@answers.wrong("the mean distance from the first value", "correct", says="infinity and NaN")
def from_the_first(x):
    first = x[:, 0].double()
    return ((x.double() - first[:, None]).mean(1) + first).to(x.dtype)


@answers.wrong("bfloat16 through float16", "correct", says="no float16 can represent")
def through_float16(x):
    return (x.half() if x.dtype == torch.bfloat16 else x).mean(1, dtype=torch.float64).to(x.dtype)


@answers.wrong("float32 for half precision", "correct", says="float16 values that cancel")
def float32_for_half(x):
    wide = torch.float64 if x.dtype == torch.float32 else torch.float32
    return x.mean(1, dtype=wide).to(x.dtype)


@answers.wrong("float32 for bfloat16", "correct", says="bfloat16 values that cancel")
def float32_for_bfloat16(x):
    wide = torch.float32 if x.dtype == torch.bfloat16 else torch.float64
    return x.mean(1, dtype=wide).to(x.dtype)


@answers.wrong("the sum rounded to float32 before the division", "correct", says="larger than any float32")
def sum_in_float32(x):
    return (x.sum(1, dtype=torch.float64).float() / x.shape[1]).to(x.dtype)


answers.wrong("the first 4,096 columns only", "correct", says="rows of 5,000")(lambda x: by_dtype(x[:, :4096]))
