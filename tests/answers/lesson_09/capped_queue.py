"""Answers to capped_queue."""

import torch

from answers import AnswersTo
from answers.lesson_09.shared import for_each_column, in_pairs, loop_and_stack

answers = AnswersTo("capped_queue")


def _combine(one, other):
    (a, low, high), (b, least, most) = one, other
    return [a + b, torch.clamp(low + b, least, most), torch.clamp(high + b, least, most)]


def _steps(change, cap):
    low = torch.zeros_like(change)
    return [change, low, low + cap]


@answers.right("triples in pairs")
def capped_in_pairs(change, cap):
    return torch.clamp(*in_pairs(_combine, _steps(change, cap)))


@answers.right("triples by doubling")
def capped_by_doubling(change, cap, rounds=64):
    parts, k = _steps(change, cap), 1
    while k < min(len(change), 2**rounds):
        later = _combine([part[:-k] for part in parts], [part[k:] for part in parts])
        parts = [torch.cat([part[:k], rest]) for part, rest in zip(parts, later)]
        k *= 2
    return torch.clamp(*parts)


@answers.right("steps composed in all blocks at once")
def capped_in_blocks(change, cap, width=16):
    if len(change) <= width:
        return torch.clamp(*_compose_rows(_steps(change, cap)))
    steps = _steps(change, cap)
    blocks = -(-len(change) // width)
    padded = [torch.cat([part, part.new_zeros(blocks * width - len(part), *part.shape[1:])]) for part in steps]
    inside = _compose_rows([part.unflatten(0, (blocks, width)).transpose(0, 1) for part in padded])
    at_ends = in_pairs(_combine, [part[-1] for part in inside])
    before = torch.clamp(*at_ends).roll(1, 0)
    before[0] = 0
    total, low, high = inside
    return torch.clamp(before + total, low, high).transpose(0, 1).flatten(0, 1)[: len(change)]


def _compose_rows(parts):
    """Return the steps of each row composed with all earlier rows."""
    rows = list(zip(*(part.unbind(0) for part in parts)))
    for t in range(1, len(rows)):
        rows[t] = _combine(rows[t - 1], rows[t])
    return [torch.stack(part) for part in zip(*rows)] if rows else list(parts)


@answers.wrong("list + stack", "unlooped")
def in_a_list(change, cap):
    return loop_and_stack(change, lambda queue, row: (queue + row).clamp(0, cap))


answers.wrong("a loop over columns", "unlooped")(lambda change, cap: for_each_column(capped_in_pairs, change, cap))


@answers.wrong(line="correct", says="int")
def through_float64(change, cap):
    return capped_in_pairs(change.double(), cap).to(change.dtype)


@answers.wrong(line="correct")
def along_the_last_dimension(change, cap):
    return capped_in_pairs(change.movedim(-1, 0), cap).movedim(0, -1)


answers.wrong("twelve rounds of doubling, enough for 4,096 steps", "correct", says="16,385 steps")(
    lambda c, cap: capped_by_doubling(c, cap, 12)
)


@answers.wrong("an upper bound without the lower limit", "correct", says="A bound was clamped on one side only")
def without_lower_limit(change, cap):
    def combine(one, other):
        a, low, _ = _combine(one, other)
        return [a, low, torch.minimum(one[2] + other[0], other[2])]

    return torch.clamp(*in_pairs(combine, _steps(change, cap)))


@answers.wrong("a cap rounded to three digits", "correct", says="2,000 steps that bring far more")
def three_digits(change, cap):
    return capped_by_doubling(change, round(cap, 3) if cap > 1e-3 else cap)


@answers.wrong("int32 computed in float32", "correct", says="beyond float32")
def int32_in_float32(change, cap):
    wide = change.float() if change.dtype == torch.int32 else change
    return capped_by_doubling(wide, cap).to(change.dtype)


@answers.wrong("int64 computed in int32 if the cap is small", "correct", says="beyond int32")
def int64_in_int32(change, cap):
    is_narrow = change.dtype == torch.int64 and cap < 2**31
    return capped_by_doubling(change.int() if is_narrow else change, cap).to(change.dtype)


@answers.wrong("an integer cap for one step", "correct")
def of_an_integer_cap(change, cap):
    return capped_in_pairs(change, int(cap) if len(change) == 1 else cap)
