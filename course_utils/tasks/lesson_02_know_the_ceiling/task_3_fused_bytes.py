"""The traffic of a fused kernel: the bytes that it moves instead of a chain of eager operations."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous


def fused_bytes_slow(numel, itemsize, reads, writes):
    """Return the bytes that one kernel moves if it does all operations of a chain."""
    moved = torch.zeros((), dtype=torch.int64, device=numel.device)
    for t in range(len(numel)):
        is_loaded = False  # whether the kernel has the tensor's values
        is_result = False  # whether it was written and not read since
        for operation in range(len(reads)):
            if reads[operation, t]:
                if not is_loaded:
                    moved += numel[t] * itemsize[t]
                is_loaded, is_result = True, False
            if writes[operation, t]:
                is_loaded, is_result = True, True
        if is_result:
            moved += numel[t] * itemsize[t]
    return moved


def _chain(size, generator, rare=0.4, tensors=None):
    """Return operations that read and write random tensors; many tensors are only read or never used."""
    tensors = size + 2 if tensors is None else tensors
    reads = torch.from_numpy(generator.random((size, tensors)) < rare)
    writes = torch.from_numpy(generator.random((size, tensors)) < rare * generator.random(tensors))
    return integers(generator, 1, 10**6, tensors), 2 ** integers(generator, 0, 4, tensors), reads, writes


def _chain_of(names, *operations, numel=1000):
    """Return a chain that is given in words: ``"x y > a"`` reads x and y and writes a."""
    columns = {name: column for column, name in enumerate(names)}
    table = torch.zeros(2, len(operations), len(names), dtype=torch.bool)
    for row, operation in enumerate(operations):
        for kind, part in enumerate(operation.split(">")):
            for name in part.split():
                table[kind, row, columns[name]] = True
    return torch.full((len(names),), numel), torch.full((len(names),), 4), table[0], table[1]


def _read_last(writers):
    """Return a chain whose last operation reads a tensor that each of ``writers`` operations before it writes."""
    numel, itemsize, *last = _chain_of("xyza", "a y > x z")
    reads, writes = (torch.cat([torch.zeros(writers, 4, dtype=torch.bool), each]) for each in last)
    writes[:-1, 3] = True
    return numel, itemsize, reads, writes


def _spread(generator):
    numel, itemsize, reads, writes = _chain(4, generator)
    wider = torch.ones(4, 12, dtype=torch.bool)
    wider[:, ::2] = reads
    return noncontiguous(numel), noncontiguous(itemsize), wider[:, ::2], writes.T.contiguous().T


def _by_first_and_last(numel, itemsize, reads, writes):
    """Compare the numbers of the first and the last operation that read or write each tensor, as the hints do."""
    numbers = torch.arange(1, len(reads) + 1, device=reads.device)[:, None]
    last_read, last_write = (reads * numbers).amax(0), (writes * numbers).amax(0)
    from_the_end = numbers.flip(0)
    first_read, first_write = (reads * from_the_end).amax(0), (writes * from_the_end).amax(0)
    is_read = (first_read > 0) & (first_read >= first_write)
    is_result = (last_write > 0) & (last_write >= last_read)
    return ((is_read.long() + is_result.long()) * numel * itemsize).sum()


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
    title="The traffic of a fused kernel",
    points=3,
    level=2,
    slow=fused_bytes_slow,
    reference=_by_first_and_last,
    inputs=_chain,
    edge_cases=(
        Case("one operation, a = x + y", lambda _: _chain_of("xya", "x y > a")),
        Case("a chain, a = x + y and b = a * y", lambda _: _chain_of("xyab", "x y > a", "a y > b")),
        Case("two operations that change x in place", lambda _: _chain_of("x", "x > x", "x > x")),
        Case("a tensor that is written before it is read", lambda _: _chain_of("xa", "> a", "a x > x")),
        Case("a result that is written twice", lambda _: _chain_of("xa", "x > a", "x > a")),
        Case(
            "a result that a later operation changes in place, and one that none reads",
            lambda _: _chain_of("xab", "x > a b", "b > b"),
        ),
        Case("one tensor that changes in place, and two that no operation uses", lambda _: _chain_of("xyz", "x > x")),
        Case("no tensors", lambda generator: _chain(3, generator, tensors=0)),
        Case("two operations on 5,000 tensors", lambda generator: _chain(2, generator, tensors=5000)),
        Case(
            "a tensor without values, and values of 3 and of 16 bytes",
            lambda _: (torch.tensor([0, 5, 7]), torch.tensor([4, 3, 16]), *torch.ones(2, 1, 3, dtype=torch.bool)),
        ),
        Case("very large tensors", lambda _: _chain_of("xa", "x > a", numel=2**53 + 1)),
        Case("noncontiguous tables", _spread),
    ),
    worst=(
        Case(
            "64 operations that read and write every tensor in place",
            lambda _: (torch.full((5,), 2**50 + 1), torch.full((5,), 8), *torch.ones(2, 64, 5, dtype=torch.bool)),
        ),
        Case("a tensor that 5,120 operations write before one reads it", lambda _: _read_last(5120)),
        Case(
            "a tensor that 512 operations read after one writes it",
            lambda _: _chain_of("xay", "x > a", *["a > y"] * 512),
        ),
        Case(
            "a tensor that the first operation reads and the last one writes, among 64",
            lambda _: _chain_of("xa", "x > a", *["a > a"] * 62, "a > x"),
        ),
    ),
    count_sizes=(8, 64),
    race_size=80,
    story=prose(
        """
        A compiler has recorded a chain of elementwise operations: which tensors each operation reads and which it writes. If the
        operations run one by one, each one moves all of its tensors. In one **fused** kernel, a loaded or computed value stays
        in the processor until the last operation. Write `fused_bytes(numel, itemsize, reads, writes)`, which returns the bytes
        that the fused kernel still moves.
        """
    ),
    rules=prose(
        """
        - `numel` and `itemsize` have shape (tensors,) and dtype int64: the number of values in each tensor, and the bytes per
        value. `reads` and `writes` have shape (operations, tensors) and dtype bool. There is at least one operation.
        - The kernel reads a tensor once if an operation reads it and no *earlier* operation writes it.
        - The kernel writes a tensor once if an operation writes it and no *later* operation reads it: such a tensor is a
        result. A tensor that a later operation reads is an intermediate and stays inside the kernel.
        - Each operation reads before it writes: an operation that does both to a tensor works in place.
        - The result is the sum of the bytes, an int64 tensor without dimensions.
        """
    ),
    limits=(at_most(40, "ops"), at_most(0, "syncs")),
    target=20.0,
    cost=lambda size: Cost(reads=2 * size * (size + 2) + 16 * (size + 2), writes=8),
    hints=items(
        """
        - Answer two questions per tensor: does the kernel read it, and does the kernel write it? Both answers depend
          on the order of the operations.
        - Number the operations from 1, in a vector `numbers`. `(writes * numbers[:, None]).amax(0)` is the number of
          the last operation that writes each tensor, and 0 if there is none. How do you find the first one? After
          `flip(0)`, the first is the last.
        - `written` is True for a tensor if last write > 0 and last write >= last read. `read` is True if, in the
          flipped tables, last read > 0 and last read >= last write. Return `((read.long() + written.long()) * numel *
          itemsize).sum()`.
        """
    ),
    mistakes=(
        Mistake(
            "These are the bytes of the operations one by one: in a fused kernel, intermediates move no bytes.", _eager
        ),
        Mistake(
            "This counts a read of each tensor that is read and a write of each one that is written: "
            "intermediates move nothing.",
            _all_that_is_read_and_written,
        ),
        Mistake(
            "This counts every tensor once: a tensor that is changed in place is read and written.",
            _all_that_is_touched,
        ),
        Mistake(
            "This leaves out tensors that are both read and written: check which comes first and which comes last.",
            _never_both,
        ),
    ),
)
