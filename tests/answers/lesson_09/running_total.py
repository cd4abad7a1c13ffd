"""Answers to running_total."""

from itertools import accumulate

import torch

from answers import AnswersTo
from answers.lesson_09.shared import by_rounds, for_each_column, in_pairs, loop_and_stack
from course_utils import tasks

answers = AnswersTo("running_total")
PUBLISHED = tasks.load("running_total").race_size


def _plus(a, b):
    return [each + other for each, other in zip(a, b)] if isinstance(a, list) else a + b


@answers.right("cumsum")
def by_cumsum(x):
    return torch.cumsum(x, dim=0, dtype=x.dtype)


answers.right("doubling")(lambda x: by_rounds(x, lambda later, earlier, k: later + earlier))
answers.right("a scan in pairs")(lambda x: in_pairs(lambda a, b: [a[0] + b[0]], [x])[0])
answers.right("cumsum, then the dtype")(lambda x: x.cumsum(0).to(x.dtype))
answers.right("a copy summed in place")(lambda x: x.clone().cumsum_(0))


@answers.right()
def columns_by_vmap(x):
    if x.dim() != 2 or not x.numel():
        return by_cumsum(x)
    return torch.vmap(lambda column: column.cumsum(0, dtype=x.dtype), in_dims=1, out_dims=1)(x)


answers.right("cumsum into a new tensor")(lambda x: torch.cumsum(x, 0, out=torch.empty_like(x)))
answers.wrong("through float64", "correct")(lambda x: x.double().cumsum(0).to(x.dtype))
answers.wrong("list + stack", "unlooped")(lambda x: loop_and_stack(x, torch.add))
answers.wrong("a loop over columns", "unlooped")(lambda x: for_each_column(by_cumsum, x))


@answers.wrong(line="unlooped")
def two_rows_at_a_time(x):
    result = torch.empty_like(x)
    total = torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device)
    for t in range(0, len(x), 2):
        result[t : t + 2] = total + x[t : t + 2].cumsum(0, dtype=x.dtype)
        total = result[min(t + 1, len(x) - 1)]
    return result


@answers.wrong("Python lists", "unlooped")
def in_a_list(x):
    rows = list(accumulate(x.flatten(1).tolist() if x.dim() > 1 else x.tolist(), lambda a, b: _plus(a, b)))
    return torch.tensor(rows, dtype=x.dtype, device=x.device).reshape(x.shape)


@answers.wrong("the total minus the sum of later rows", "correct")
def from_the_end(x):
    return x.sum(0, keepdim=True, dtype=x.dtype) - by_cumsum(x.flip(0)).flip(0) + x


@answers.wrong("a product with a 0/1 matrix", "correct")
def by_triangle(x):
    ones = torch.ones(len(x), len(x), dtype=x.dtype, device=x.device).tril()
    return torch.tensordot(ones, x, dims=1)


answers.wrong("x changed in place", "correct", says="input")(lambda x: x.cumsum_(0))
answers.wrong("x itself for one row", "correct", says="shares memory")(lambda x: x if len(x) == 1 else by_cumsum(x))
answers.wrong("an error for a matrix without rows", "correct")(lambda x: torch.cat([x[:1], x[0] + by_cumsum(x[1:])]))
answers.wrong("many integers in float64", "correct", says="x of dtype int64 and size 1,024")(
    lambda x: (x.double() if len(x) > 20 and not x.is_floating_point() else x).cumsum(0).to(x.dtype)
)
answers.wrong("at most three dimensions", "correct", says="four dimensions")(
    lambda x: by_cumsum(x) if x.dim() < 4 else x.clone()
)
answers.wrong("matrices only", "correct")(lambda x: by_cumsum(x.reshape(len(x), x.shape[1])))
answers.wrong("the published number of rows only", "correct")(
    lambda x: by_cumsum(x) if len(x) == PUBLISHED else torch.clone(x)
)


@answers.wrong("totals below 1e-6 replaced by 0", "correct", says="a billionth")
def none_below_a_millionth(x):
    total = by_cumsum(x)
    return torch.where(total.abs() < 1e-6, 0, total).to(x.dtype) if x.is_floating_point() else total


answers.wrong("int64 sums of one int32 row", "correct", says="For one row, in int32, the result has dtype int64")(
    lambda x: x.cumsum(0) if len(x) == 1 else by_cumsum(x)
)


@answers.wrong("blocks of 64 rows, their number rounded", "correct", says="1,025 rows")
def rounded_blocks(x):
    result = torch.zeros_like(x)
    total = torch.zeros_like(x[:1])
    for part, rows in list(zip(x.split(64), result.split(64)))[: max(1, round(len(x) / 64))]:
        rows.copy_(total + by_cumsum(part))
        total = rows[-1:]
    return result
