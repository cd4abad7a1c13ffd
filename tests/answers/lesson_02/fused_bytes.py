"""Answers to fused_bytes."""

import torch

from answers import AnswersTo

answers = AnswersTo("fused_bytes")


def _total(read, written, numel, itemsize):
    return ((read.long() + written.long()) * numel * itemsize).sum()


@answers.right("the first and last use of each tensor")
def by_first_and_last(numel, itemsize, reads, writes):
    numbers = torch.arange(1, len(reads) + 1, device=reads.device)[:, None]

    def ends_with(one, other):
        last = (one * numbers).amax(0)
        return (last > 0) & (last >= (other * numbers).amax(0))

    return _total(ends_with(reads.flip(0), writes.flip(0)), ends_with(writes, reads), numel, itemsize)


@answers.right("cumulative counts from both ends")
def by_counting(numel, itemsize, reads, writes):
    written_before = writes.cumsum(0) - writes.long()
    read_after = reads.flip(0).cumsum(0).flip(0) - reads.long()
    read = (reads & (written_before == 0)).any(0)
    written = (writes & (read_after == 0)).any(0)
    return _total(read, written, numel, itemsize)


@answers.right("argmax")
def by_argmax(numel, itemsize, reads, writes):
    first_read, first_write = reads.int().argmax(0), writes.int().argmax(0)
    last_read, last_write = reads.flip(0).int().argmax(0), writes.flip(0).int().argmax(0)
    read = reads.any(0) & (~writes.any(0) | (first_read <= first_write))
    written = writes.any(0) & (~reads.any(0) | (last_write <= last_read))
    return _total(read, written, numel, itemsize)


@answers.wrong("an in-place update counts as no read", line="correct")
def in_place_is_not_read(numel, itemsize, reads, writes):
    written_so_far = writes.cumsum(0)
    read = (reads & (written_so_far == 0)).any(0)
    return _total(read, (writes & (reads.flip(0).cumsum(0).flip(0) - reads.long() == 0)).any(0), numel, itemsize)


@answers.wrong("an in-place update counts as no result", line="correct")
def in_place_is_no_result(numel, itemsize, reads, writes):
    read_from_here = reads.flip(0).cumsum(0).flip(0)
    read = (reads & (writes.cumsum(0) - writes.long() == 0)).any(0)
    return _total(read, (writes & (read_from_here == 0)).any(0), numel, itemsize)


@answers.wrong("a float32 result", line="correct", says="dtype")
def in_floats(numel, itemsize, reads, writes):
    return by_counting(numel, itemsize, reads, writes).float()


@answers.wrong("float64 intermediates", line="correct", says="very large tensors")
def rounded(numel, itemsize, reads, writes):
    return by_counting(numel.double(), itemsize.double(), reads, writes).long()


@answers.wrong("elements instead of bytes", line="correct")
def elements(numel, itemsize, reads, writes):
    return by_counting(numel, torch.ones_like(itemsize), reads, writes)


@answers.wrong("a Python number", line="correct")
def as_a_number(numel, itemsize, reads, writes):
    return int(by_counting(numel, itemsize, reads, writes))


@answers.wrong("a loop over operations", line="unlooped", says="the number grows with the input")
def operation_by_operation(numel, itemsize, reads, writes):
    seen = torch.zeros_like(numel, dtype=torch.bool)
    read, result = seen.clone(), seen.clone()
    for reading, writing in zip(reads, writes):
        read |= reading & ~seen
        seen = seen | reading | writing
        result = (result & ~reading) | writing
    return _total(read, result, numel, itemsize)


answers.wrong("at most 1,000 tensors", "correct", says="5,000 tensors")(
    lambda n, i, r, w: by_counting(n[:1000], i[:1000], r[:, :1000], w[:, :1000])
)
