"""What fusing saves: the bytes that one kernel moves in the place of a chain of eager operations."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous
from course_utils.tasks.unwrap import items, prose


def fused_bytes_slow(numel, itemsize, reads, writes):
    """Bytes that one kernel must move which does all operations of a chain."""
    moved = torch.zeros((), dtype=torch.int64, device=numel.device)
    for t in range(len(numel)):
        is_there = False  # whether the kernel has its numbers already
        is_result = False  # whether it was written, and nobody has read it since
        for operation in range(len(reads)):
            if reads[operation, t]:
                if not is_there:
                    moved += numel[t] * itemsize[t]
                is_there, is_result = True, False
            if writes[operation, t]:
                is_there, is_result = True, True
        if is_result:
            moved += numel[t] * itemsize[t]
    return moved


def _chain(size, generator, rare=0.4, tensors=None):
    """Operations that read and write tensors at random; many a tensor is never touched, or only read."""
    tensors = size + 2 if tensors is None else tensors
    reads = torch.from_numpy(generator.random((size, tensors)) < rare)
    writes = torch.from_numpy(generator.random((size, tensors)) < rare * generator.random(tensors))
    return integers(generator, 1, 10**6, tensors), 2 ** integers(generator, 0, 4, tensors), reads, writes


def _told(names, *operations, numel=1000):
    """A chain in words: ``"x y > a"`` reads x and y, and writes a."""
    where = {name: place for place, name in enumerate(names)}
    table = torch.zeros(2, len(operations), len(names), dtype=torch.bool)
    for row, operation in enumerate(operations):
        for kind, part in enumerate(operation.split(">")):
            for name in part.split():
                table[kind, row, where[name]] = True
    return torch.full((len(names),), numel), torch.full((len(names),), 4), table[0], table[1]


def _spread(generator):
    numel, itemsize, reads, writes = _chain(4, generator)
    wider = torch.ones(4, 12, dtype=torch.bool)
    wider[:, ::2] = reads
    return noncontiguous(numel), noncontiguous(itemsize), wider[:, ::2], writes.T.contiguous().T


def _eager(numel, itemsize, reads, writes):
    return ((reads.long() + writes.long()).sum(0) * numel * itemsize).sum()


def _all_that_is_read_and_written(numel, itemsize, reads, writes):
    return ((reads.any(0).long() + writes.any(0).long()) * numel * itemsize).sum()


def _all_that_is_touched(numel, itemsize, reads, writes):
    return ((reads | writes).any(0).long() * numel * itemsize).sum()


def _never_both(numel, itemsize, reads, writes):
    only = reads.any(0) ^ writes.any(0)
    return (only.long() * numel * itemsize).sum()


TASK = Task(
    id="fused_bytes",
    title="What fusing saves",
    points=3,
    level=2,
    slow=fused_bytes_slow,
    inputs=_chain,
    edge_cases=(
        Case("one operation, a = x + y", lambda _: _told("xya", "x y > a")),
        Case("a chain, a = x + y and b = a * y", lambda _: _told("xyab", "x y > a", "a y > b")),
        Case("a chain that changes x in place twice", lambda _: _told("x", "x > x", "x > x")),
        Case("a tensor that is written before it is read", lambda _: _told("xa", "> a", "a x > x")),
        Case("a result that is written twice", lambda _: _told("xa", "x > a", "x > a")),
        Case(
            "a result that a later operation reads, and one that nobody does",
            lambda _: _told("xab", "x > a b", "b > b"),
        ),
        Case("tensors that nobody touches", lambda _: _told("xyz", "x > x")),
        Case("no tensors", lambda generator: _chain(3, generator, tensors=0)),
        Case("very large tensors", lambda _: _told("xa", "x > a", numel=2**53 + 1)),
        Case("tables with gaps", _spread),
    ),
    count_sizes=(8, 64),
    race_size=80,
    story=prose(
        """
        A compiler has recorded a chain of elementwise operations: which tensors each of them reads, and which it writes.
        Run one by one, each operation moves all of its tensors. Fused into one kernel, a number that is there stays in
        the processor until the last operation. Before it fuses, the compiler wants to know what is left to move. Write
        `fused_bytes(numel, itemsize, reads, writes)`.
        """
    ),
    rules=prose(
        """
        - `numel` and `itemsize` have the shape (tensors,), dtype int64: the numbers in each tensor, and the bytes of one.
        `reads` and `writes` have the shape (operations, tensors), dtype bool, and there is at least one operation.
        - A tensor must be read, once, if an operation reads it and no *earlier* one has written it.
        - A tensor must be written, once, if it is written and no *later* operation reads it: then it is a result. What a
        later operation reads was only in between, and stays inside of the kernel.
        - An operation reads before it writes: one that does both to a tensor works in place.
        - The result is the sum of the bytes, an int64 tensor without dimensions.
        - A few tensor operations, however long the chain is. Python waits for no value.
        """
    ),
    limits=(at_most(40, "ops"), at_most(0, "syncs")),
    target=20.0,
    cost=lambda size: Cost(reads=2 * size * (size + 2) + 16 * (size + 2), writes=8),
    hints=items(
        """
        - Split it into two questions, each with one answer a tensor: must it be read, must it be written? Both are about
          which comes first, or last.
        - Number the operations from 1. `(writes * numbers[:, None]).amax(0)` is the last one that writes each tensor, 0
          where none does. How do you find the first? (Counting from the other end, first becomes last.)
        - Written: last write > 0 and last write >= last read. Read: with the tables turned over, `flip(0)`, last read > 0
          and last read >= last write. Then ((read.long() + written.long()) * numel * itemsize).sum().
        """
    ),
    mistakes=(
        Mistake("These are the bytes of the operations one by one; fused, most of them stay inside.", _eager),
        Mistake(
            "Each tensor that is read or written counts here; one that is made and used up inside moves nothing.",
            _all_that_is_read_and_written,
        ),
        Mistake(
            "Each tensor counts once here; one that is changed in place is read and written.", _all_that_is_touched
        ),
        Mistake(
            "A tensor that is both read and written is left out here: which comes first, and which last?", _never_both
        ),
    ),
)
