"""Reverses the order in which an operation writes several values to one position.

torch does not define which value stays: the documentation of ``Tensor.scatter_`` calls it "non-deterministic (one of the
values from src will be picked arbitrarily)", and the pages on ``index_put_`` and ``index_copy_`` say the same. On a CPU with
one thread the last value stays, so only another order shows what an answer relies on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

_SCATTERS = torch.ops.aten.scatter.src, torch.ops.aten.scatter_.src
_COPIES = torch.ops.aten.index_copy, torch.ops.aten.index_copy_
_PUTS = torch.ops.aten.index_put, torch.ops.aten.index_put_, torch.ops.aten._index_put_impl_


def reverse_writes(operation: Any, args: tuple) -> tuple | None:
    """Return the arguments with which ``operation`` writes the same values in the reverse order; None if it writes none
    by index.

    ``index_put(x, [[0, 0]], [1, 2])`` becomes ``index_put(x, [[0, 0]], [2, 1])``: the value that stays is 1, not 2.
    """
    if operation in _SCATTERS:
        x, dim, index, source = args
        if index.dim() == 0:
            return None
        return x, dim, index.flip(dim), source[tuple(map(slice, index.shape))].flip(dim)
    packet = operation.overloadpacket
    if packet in _COPIES:
        x, dim, index, source = args
        return x, dim, index.flip(0), source.flip(dim) if source.dim() else source
    if packet in _PUTS and not any(args[3:4]):
        reversed_puts = _reverse_puts(*args[:3])
        return reversed_puts and (*reversed_puts, *args[3:])
    return None


def _reverse_puts(x: torch.Tensor, indices: Sequence[torch.Tensor | None], values: torch.Tensor) -> tuple | None:
    given = [position for position, index in enumerate(indices) if index is not None]
    tensors = [index for index in indices if index is not None]
    if any(index.dtype in (torch.bool, torch.uint8) for index in tensors):
        return None  # a mask picks each position once
    target = x[tuple(slice(None) if index is None else index for index in indices)]
    tensors = list(torch.broadcast_tensors(*tensors))
    # As in NumPy, adjacent index tensors put their common axes in their own place, and separated ones put them in front.
    first = given[0] if given == list(range(given[0], given[-1] + 1)) else 0
    axes = range(first, first + tensors[0].dim())
    flipped = iter([index.flip(tuple(range(index.dim()))) for index in tensors])
    return (
        x,
        [None if index is None else next(flipped) for index in indices],
        values.expand_as(target).flip(tuple(axes)),
    )
