"""Answers to reset_sum."""

from itertools import pairwise

import torch

from answers import AnswersTo
from answers.lesson_09.shared import in_pairs

answers = AnswersTo("reset_sum")


def _as_column(reset, x):
    return reset.view(-1, *[1] * (x.dim() - 1))


def _start(x, reset):
    """Return, for each row, the row at which its document begins."""
    return torch.where(reset, torch.arange(len(x), device=x.device), 0).cummax(0).values


def _subtract_total_before(x, reset):
    total = x.cumsum(0)
    return total - (total - x)[_start(x, reset)]


@answers.right("a scan in pairs")
def reset_in_pairs(x, reset):
    def combine(one, other):
        (total, begun), (more, starts_again) = one, other
        return [torch.where(starts_again, more, total + more), begun | starts_again]

    return in_pairs(combine, [x, _as_column(reset, x)])[0]


@answers.right("doubling within the document")
def by_doubling(x, reset, dtype=torch.int64):
    room = _as_column((torch.arange(len(x), device=x.device) - _start(x, reset)).to(dtype), x)
    y, k = x.clone(), 1
    while k < len(x):
        y = torch.cat([y[:k], y[k:] + torch.where(room[k:] >= k, y[:-k], 0)])
        k *= 2
    return y


@answers.right("doubling with a flag")
def by_doubling_with_a_flag(x, reset, rounds=64):
    y, begun, k = x.clone(), _as_column(reset, x), 1
    while k < min(len(x), 2**rounds):
        y = torch.cat([y[:k], torch.where(begun[k:], y[k:], y[:-k] + y[k:])])
        begun = torch.cat([begun[:k], begun[k:] | begun[:-k]])
        k *= 2
    return y


@answers.wrong(line="correct", says="subtracting its sum loses digits")
def subtracted_in_float64(x, reset):
    return _subtract_total_before(x.double(), reset).to(x.dtype) if x.is_floating_point() else reset_in_pairs(x, reset)


@answers.wrong(line="correct", says="infinity times 0")
def multiplied_by_a_mask(x, reset):
    def combine(one, other):
        return [other[0] + ~other[1] * one[0], one[1] | other[1]]

    return in_pairs(combine, [x, _as_column(reset, x)])[0]


@answers.wrong("a loop over documents", "unlooped")
def document_by_document(x, reset):
    starts = [0, *(t for t in range(1, len(x)) if reset[t]), len(x)]
    return torch.cat([x[a:b].cumsum(0, dtype=x.dtype) for a, b in pairwise(starts)])


@answers.wrong("tensor_split", "correct")
def split_at_the_beginnings(x, reset):
    parts = x.tensor_split(reset.nonzero()[:, 0].cpu())
    return torch.cat([part.cumsum(0, dtype=x.dtype) for part in parts])


@answers.wrong("a table of rows × rows", "correct")
def by_a_table(x, reset):
    start, rows = _start(x, reset), torch.arange(len(x), device=x.device)
    mine = (rows <= rows[:, None]) & (rows >= start[:, None])
    return torch.tensordot(mine.to(x.dtype), x, dims=1)


answers.wrong("twelve rounds of doubling, enough for 4,096 rows", "correct", says="32,769 rows without a reset")(
    lambda x, reset: by_doubling_with_a_flag(x, reset, 12)
)


answers.wrong("positions within the document in int16", "correct", says="32,769 rows without a reset")(
    lambda x, reset: by_doubling(x, reset, torch.int16)
)


answers.wrong("x itself for one row", "correct", says="shares memory")(
    lambda x, reset: x if len(x) == 1 else reset_in_pairs(x, reset)
)


@answers.wrong("float64 sums subtracted, infinity and NaN added by doubling", "correct", says="float64 rows")
def finite_values_subtracted(x, reset):
    if not x.is_floating_point():
        return by_doubling(x, reset)
    finite = x.isfinite()
    sums = torch.where(finite, x, 0).cumsum(0, dtype=torch.float64)
    start = _start(x, reset)
    before = torch.cat([torch.zeros_like(sums[:1]), sums])[start]
    return (sums - before).to(x.dtype) + by_doubling(torch.where(finite, 0, x), reset)
