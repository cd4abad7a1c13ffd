"""Answers to capped_queue."""

import torch

from answers import AnswersTo
from answers.lesson_09.shared import for_each_column, in_pairs, stacked
from course_utils import tasks

answers = AnswersTo("capped_queue")
PUBLISHED = tasks.load("capped_queue").race_size


def _combine(one, other):
    (a, low, high), (b, least, most) = one, other
    return [a + b, torch.clamp(low + b, least, most), torch.clamp(high + b, least, most)]


def _steps(change, cap):
    low = torch.zeros_like(change)
    return [change, low, low + cap]


def _queue(change, cap):
    walk = change.cumsum(0, dtype=change.dtype)
    return walk - walk.cummin(0).values.clamp(max=0)


@answers.right("triples in pairs")
def capped_in_pairs(change, cap):
    return torch.clamp(*in_pairs(_combine, _steps(change, cap)))


@answers.right("triples by doubling")
def capped_by_doubling(change, cap):
    parts, k = _steps(change, cap), 1
    while k < len(change):
        later = _combine([part[:-k] for part in parts], [part[k:] for part in parts])
        parts = [torch.cat([part[:k], rest]) for part, rest in zip(parts, later)]
        k *= 2
    return torch.clamp(*parts)


@answers.right("blocks that are walked side by side")
def capped_in_blocks(change, cap, width=16):
    if len(change) <= width:
        return torch.clamp(*_walked(_steps(change, cap)))
    steps = _steps(change, cap)
    blocks = -(-len(change) // width)
    padded = [torch.cat([part, part.new_zeros(blocks * width - len(part), *part.shape[1:])]) for part in steps]
    inside = _walked([part.unflatten(0, (blocks, width)).transpose(0, 1) for part in padded])
    at_ends = in_pairs(_combine, [part[-1] for part in inside])
    before = torch.clamp(*at_ends).roll(1, 0)
    before[0] = 0
    total, low, high = inside
    return torch.clamp(before + total, low, high).transpose(0, 1).flatten(0, 1)[: len(change)]


def _walked(parts):
    """The composed steps, one row after the other."""
    rows = list(zip(*(part.unbind(0) for part in parts)))
    for t in range(1, len(rows)):
        rows[t] = _combine(rows[t - 1], rows[t])
    return [torch.stack(part) for part in zip(*rows)] if rows else list(parts)


@answers.wrong(line="correct", says="turned away is still counted")
def cut_off_afterwards(change, cap):
    return _queue(change, cap).clamp(max=cap)


@answers.wrong(line="correct", says="The cap is missing")
def without_a_cap(change, cap):
    return _queue(change, cap)


@answers.wrong(line="correct", says="running sum is cut off")
def the_running_sum_cut_off(change, cap):
    return change.cumsum(0, dtype=change.dtype).clamp(0, cap)


@answers.wrong(line="correct", says="who waited before")
def nobody_waited_before(change, cap):
    return change.clamp(0, cap)


@answers.wrong(line="correct", says="go through both ends")
def one_end_each(change, cap):
    def combine(one, other):
        (a, low, high), (b, least, most) = one, other
        return [a + b, torch.maximum(low + b, least), torch.minimum(high + b, most)]

    return torch.clamp(*in_pairs(combine, _steps(change, cap)))


@answers.wrong("the lesson's pair with a cap", "correct", says="Two numbers cannot tell it")
def pairs_with_a_cap(change, cap):
    def combine(one, other):
        (a, b), (c, d) = one, other
        return [a + c, torch.maximum(b + c, d).clamp(max=cap)]

    return torch.maximum(*in_pairs(combine, _steps(change, cap)[:2])).clamp(max=cap)


@answers.wrong("the lesson's pair with a cap on both", "correct", says="Two numbers cannot tell it")
def pairs_with_a_cap_on_both(change, cap):
    def combine(one, other):
        (a, b), (c, d) = one, other
        return [(a + c).clamp(max=cap), torch.maximum(b + c, d).clamp(max=cap)]

    return torch.maximum(*in_pairs(combine, _steps(change, cap)[:2])).clamp(max=cap)


@answers.wrong(line="correct", says="wrong order")
def the_later_step_first(change, cap):
    return torch.clamp(*in_pairs(lambda one, other: _combine(other, one), _steps(change, cap)))


@answers.wrong(line="correct", says="before the step")
def before_the_step(change, cap):
    return torch.cat([torch.zeros_like(change[:1]), capped_in_pairs(change, cap)[:-1]])


@answers.wrong("list and stack", "unlooped")
def in_a_list(change, cap):
    return stacked(change, lambda queue, row: (queue + row).clamp(0, cap))


@answers.wrong(line="unlooped")
def column_by_column(change, cap):
    return for_each_column(capped_in_pairs, change, cap)


@answers.wrong(line="correct", says="int")
def through_float64(change, cap):
    return capped_in_pairs(change.double(), cap).to(change.dtype)


@answers.wrong(line="correct", says="dtype")
def float32_whatever_came(change, cap):
    return capped_in_pairs(change.float(), float(cap))


@answers.wrong(line="correct")
def along_the_last_dimension(change, cap):
    return capped_in_pairs(change.movedim(-1, 0), cap).movedim(0, -1)


@answers.wrong(line="correct")
def the_published_rows_only(change, cap):
    return capped_in_pairs(change, cap) if len(change) == PUBLISHED else change.clamp(0, cap)
