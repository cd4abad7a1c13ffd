"""Answers to running_total."""

from itertools import accumulate

import torch

from answers import AnswersTo
from answers.lesson_09.shared import by_rounds, for_each_column, in_pairs, stacked
from course_utils import tasks

answers = AnswersTo("running_total")
PUBLISHED = tasks.load("running_total").race_size


def _plus(a, b):
    return [each + other for each, other in zip(a, b)] if isinstance(a, list) else a + b


@answers.right("cumsum")
def by_cumsum(x):
    return torch.cumsum(x, dim=0, dtype=x.dtype)


@answers.right()
def doubling(x):
    return by_rounds(x, lambda later, earlier, k: later + earlier)


@answers.right()
def a_scan_in_pairs(x):
    return in_pairs(lambda a, b: [a[0] + b[0]], [x])[0]


@answers.right("cumsum, then the dtype")
def cumsum_then_the_dtype(x):
    return x.cumsum(0).to(x.dtype)


@answers.right()
def a_copy_summed_in_place(x):
    return x.clone().cumsum_(0)


@answers.right()
def columns_by_vmap(x):
    if x.dim() != 2 or not x.numel():
        return by_cumsum(x)
    return torch.vmap(lambda column: column.cumsum(0, dtype=x.dtype), in_dims=1, out_dims=1)(x)


@answers.right()
def into_a_fresh_tensor(x):
    return torch.cumsum(x, 0, out=torch.empty_like(x))


@answers.wrong(line="correct", says="without, the current")
def without_the_row_itself(x):
    return by_cumsum(x) - x


@answers.wrong(line="correct")
def through_float64(x):
    return x.double().cumsum(0).to(x.dtype)


@answers.wrong(line="unlooped")
def list_and_stack(x):
    return stacked(x, torch.add)


@answers.wrong(line="unlooped")
def column_by_column(x):
    return for_each_column(by_cumsum, x)


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


@answers.wrong(line="correct", says="dimension 0")
def along_the_last_dimension(x):
    return x.cumsum(-1, dtype=x.dtype)


@answers.wrong("from the end", "correct", says="from the end")
def counted_from_the_end(x):
    return by_cumsum(x.flip(0)).flip(0)


@answers.wrong(line="correct", says="int64")
def int64_for_int32(x):
    return x.cumsum(0)


@answers.wrong("the total minus what comes", "correct")
def from_the_end(x):
    return x.sum(0, keepdim=True, dtype=x.dtype) - by_cumsum(x.flip(0)).flip(0) + x


@answers.wrong("a triangle of ones, which multiplies infinity by 0", "correct")
def by_triangle(x):
    ones = torch.ones(len(x), len(x), dtype=x.dtype, device=x.device).tril()
    return torch.tensordot(ones, x, dims=1)


@answers.wrong(line="correct", says="dtype")
def float32_whatever_came(x):
    return by_cumsum(x.float())


@answers.wrong(line="correct", says="input")
def x_changed(x):
    return x.cumsum_(0)


@answers.wrong(line="correct", says="view")
def x_itself_for_one_row(x):
    return x if len(x) == 1 else by_cumsum(x)


@answers.wrong(line="correct")
def half_precision_inside(x):
    return by_cumsum(x.half()).to(x.dtype)


@answers.wrong(line="correct")
def wrong_for_no_rows(x):
    return torch.cat([x[:1], x[0] + by_cumsum(x[1:])])


@answers.wrong(line="correct")
def a_matrix_only(x):
    return by_cumsum(x.reshape(len(x), x.shape[1]))


@answers.wrong(line="correct")
def the_published_rows_only(x):
    return by_cumsum(x) if len(x) == PUBLISHED else torch.clone(x)
