"""Answers to queue_wait."""

import torch

from answers import AnswersTo
from answers.lesson_09.shared import for_each_column, in_pairs, loop_and_stack

answers = AnswersTo("queue_wait")


def _above_lowest(walk):
    return walk - walk.cummin(0).values.clamp(max=0)


def _plus_peak_of_negative(walk):
    return walk + (-walk).cummax(0).values.clamp(min=0)


def _wide_walk(change):
    return change.cumsum(0, dtype=torch.float64 if change.is_floating_point() else torch.int64)


@answers.right("a wide cumsum minus its cummin")
def by_walk(change):
    return _above_lowest(_wide_walk(change)).to(change.dtype)


answers.right("a wide cumsum plus the cummax of its negative")(
    lambda c: _plus_peak_of_negative(_wide_walk(c)).to(c.dtype)
)


@answers.right("a scan in pairs")
def queue_in_pairs(change):
    def combine(first, then):
        (a, b), (c, d) = first, then
        return [a + c, torch.maximum(b + c, d)]

    return in_pairs(combine, [change, change.clamp(min=0)])[1]


@answers.right("pairs by doubling")
def queue_by_doubling(change, rounds=64):
    total, queue, k = change.clone(), change.clamp(min=0), 1
    while k < min(len(change), 2**rounds):
        queue = torch.cat([queue[:k], torch.maximum(queue[:-k] + total[k:], queue[k:])])
        total = torch.cat([total[:k], total[:-k] + total[k:]])
        k *= 2
    return queue


answers.wrong("twelve rounds of doubling, enough for 4,096 steps", "correct", says="16,385 steps")(
    lambda change: queue_by_doubling(change, 12)
)
answers.wrong("through float64", "correct")(lambda c: _above_lowest(c.double().cumsum(0)).to(c.dtype))
answers.wrong("a loop over columns", "unlooped")(lambda change: for_each_column(by_walk, change))


@answers.wrong("list + stack", "unlooped")
def queue_in_a_list(change):
    return loop_and_stack(change, lambda queue, row: (queue + row).clamp(min=0))


@answers.wrong("the minimum of all rows", "correct")
def minimum_of_all_rows(change):
    walk = change.cumsum(0, dtype=change.dtype)
    return walk - walk.amin(0, keepdim=True).clamp(max=0) if len(change) else walk


answers.wrong("along the last dimension", "correct")(lambda c: by_walk(c.movedim(-1, 0)).movedim(0, -1))
answers.wrong("change itself for up to one row", "correct")(lambda c: c if len(c) < 2 else by_walk(c))
answers.wrong("wrong for no rows", "correct")(lambda c: torch.cat([c[:1].clamp(min=0), by_walk(c)[1:] + 0 * c[0]]))


@answers.wrong("queues below 1e-6 replaced by 0", "correct", says="a billionth")
def empty_below_a_millionth(change):
    total = change.double().cumsum(0) if change.is_floating_point() else change.cumsum(0)
    if len(change) == 0:
        return change.clone()
    queue = (total - total.cummin(0).values.clamp(max=0)).to(change.dtype)
    return torch.where(queue < 1e-6, 0, queue).to(change.dtype)
