"""What one operation of torch moves: the memory that it reads and writes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count
from typing import Any

import numpy as np
import torch

from course_utils.counting import operation_kinds
from course_utils.counting.line_tally import LineTally
from course_utils.counting.minimum_traffic import Piece
from course_utils.counting.torch_flops import product_flops
from course_utils.counting.torch_warm_cache_times import TorchWarmCacheTimes
from course_utils.counting.traffic_ledger import Recorder
from course_utils.frameworks import torch_internals

_aten = torch.ops.aten
_unknown_parts = count()

_BYTES_READ: dict[str, Callable[..., int]] = {
    "trace": lambda x: min(x.shape) * x.element_size(),
    **dict.fromkeys(
        ("nll_loss_forward", "nll_loss2d_forward"), lambda scores, labels, *_: labels.numel() * scores.element_size()
    ),
    **dict.fromkeys(
        ("_embedding_bag", "_embedding_bag_forward_only"),
        lambda table, indices, *_: indices.numel() * table.shape[1:].numel() * table.element_size(),
    ),
}
"""An operation that reads only a part of its first argument → the bytes of that part."""

_SPARSE = (torch.sparse_coo, torch.sparse_csr, torch.sparse_csc)

_LONG_ROW = 2**10
"""An operation visits rows of at least this many bytes in any order nearly as fast as in the order in memory."""

_LONG_CACHED_ROW = 2**8
"""The same for rows of a tensor that a core's cache holds."""

_CACHED_BYTES = 2**20
"""A core's cache holds tensors of at most this many bytes."""


def tensors(value: Any) -> Iterator[torch.Tensor]:
    """Yield each tensor in ``value``, also in nested lists, tuples and dicts. torch's own function takes 10× as long."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from tensors(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from tensors(each)


class TrafficRecorder:
    """Runs operations and records in a ledger what they moved."""

    def __init__(self, ledger: Recorder) -> None:
        self._ledger = ledger
        self._warm_cache_times = TorchWarmCacheTimes(ledger.now)

    def run(self, tally: LineTally, func: Any, args: tuple, kwargs: dict) -> Any:
        """Return the result of ``func(*args, **kwargs)``, recorded in the totals of its line."""
        now = self._ledger.now
        arguments = list(_arguments(func, args, kwargs))
        before = set() if _is_new_memory(func, args) else {piece.memory for _, piece in arguments}
        start = now()
        result = func(*args, **kwargs)
        seconds = now() - start
        name = torch_internals.operation_name(func)
        if name == "pow" and isinstance(args[1], (int, float)) and args[1] == 2:
            name = "square"  # torch computes the power 2 by a multiplication.
        if name == "abs" and args[0].is_complex():
            name = "complex_abs"  # A complex number's absolute value takes a square root and a guard against overflow.
        if func is _aten.index.Tensor and any(each.dtype == torch.bool for each in tensors(args[1])):
            name = "masked_select"
        if name.startswith("convolution") and args[0].dim() != 4:
            name = name.replace("convolution", f"conv{args[0].dim() - 2}d")
        outputs = list(tensors(result))
        created = [
            (each, piece) for each in outputs if _is_strided(each) and (piece := _piece(each)).memory not in before
        ]
        read = [piece for access, piece in arguments if access != "write"]
        written = [piece for access, piece in arguments if access != "read"]
        for tensor, piece in created:
            self._ledger.record_new_memory(tally, piece, read, _is_alive(tensor))
        is_view = torch.Tag.inplace_view in func.tags or not (created or written or not outputs)
        if name in operation_kinds.NO_TRAFFIC or is_view:
            read, written = [], []  # A view, or memory without values.
        elif name in operation_kinds.FILLS:
            read, written = [], [piece for _, piece in created]
        else:
            new = [piece for _, piece in created]
            if operation_kinds.is_gather(name) and read:
                # The outputs include a tensor passed as `out=`; `new` does not.
                size = sum(_piece(each).size for each in outputs if _is_strided(each))
                read = [_part_of(read[0], size), *read[1:]]
            if name in _BYTES_READ:
                read[0] = _part_of(read[0], _BYTES_READ[name](*args))
            if operation_kinds.is_scatter(name) and read:
                targets = {piece.memory for piece in written}
                size = sum(piece.size for piece in read if piece.memory not in targets)
                size = max(size, _values_filled(name, args) * args[0].element_size())
                read = [_part_of(piece, size) if piece.memory in targets else piece for piece in read]
                written = [_part_of(piece, size) for piece in written]
            written += new
        if any(not _is_contiguous(each) for each in (*tensors((args, kwargs)), *outputs)):
            tally.strided_s += seconds
        # A sparse product multiplies fewer values than its shapes show.
        if all(map(_is_strided, tensors((args, kwargs)))):
            for dtype, flops in product_flops(func, args, kwargs, result):
                tally.flops[dtype] += flops
        with self._ledger.trial(tally):
            seconds = self._warm_cache_times.undisturbed_s(func, args, kwargs, seconds)
        self._ledger.record_operation(tally, name, seconds, read, written, len(arguments) + len(outputs))
        if is_view:
            return result  # Views compute nothing, however many the operation returns.
        with self._ledger.trial(tally):
            tally.arithmetic_seconds[name] += self._warm_cache_times.seconds(name, func, args, kwargs, outputs, seconds)
        return result


def _is_new_memory(func: Any, args: tuple) -> bool:
    """Return whether the argument is a tensor that ``torch.tensor`` has allocated; an array's memory exists before."""
    if func is not _aten.lift_fresh.default:
        return False
    with torch_internals.DisableTorchFunction():
        return args[0].untyped_storage().resizable()


def _arguments(func: Any, args: tuple, kwargs: dict) -> Iterator[tuple[str, Piece]]:
    """Yield each tensor among the arguments, with its access: "read", "write" or "read and write"."""
    sparse = next((each for each in tensors((args, kwargs)) if each.layout in _SPARSE), None)
    for position, (name, access) in enumerate(_accesses(func)):
        value = args[position] if position < len(args) else kwargs.get(name)
        for tensor in tensors(value):
            if _is_strided(tensor):
                piece = _piece(tensor)
                if sparse is not None:
                    visited = _values_visited(func, position, access, tensor, sparse)
                    piece = _part_of(piece, visited * tensor.element_size())
                yield access, piece


def _values_visited(func: Any, position: int, access: str, tensor: torch.Tensor, sparse: torch.Tensor) -> int:
    """Return at most how many values of a dense tensor, the argument at ``position``, an operation with a sparse one visits.

    A product reads one row of its second matrix for each stored value, and writes its whole result. A mask and an update in
    place visit the stored positions only.
    """
    name, stored = torch_internals.operation_name(func), sparse._nnz()
    if "mm" in name or "mv" in name:
        # The first argument of `addmm` is the matrix to which it adds the product.
        is_second = position > 0 and access == "read" and tensor.shape[:1] == sparse.shape[-1:]
        return stored * math.prod(tensor.shape[1:]) if is_second else tensor.numel()
    if tensor.shape == sparse.shape and (access == "read and write" or name == "sparse_mask"):
        return stored * math.prod(sparse.shape[sparse.sparse_dim() :])
    return tensor.numel()


def _values_filled(name: str, args: tuple) -> int:
    """Return how many values an operation sets to one value, as ``x[rows] = 0`` does: all if a mask selects them; else 0."""
    indices: list[Any] = []
    if "index_fill" in name:
        indices = [*[None] * (args[1] % max(1, args[0].dim())), args[2]]
    elif "index_put" in name and args[2].numel() == 1:
        indices = list(args[1])
    selecting = [each for each in indices if each is not None]
    if any(each.dtype in (torch.bool, torch.uint8) for each in selecting):
        return args[0].numel()
    whole = [length for axis, length in enumerate(args[0].shape) if axis >= len(indices) or indices[axis] is None]
    return math.prod((*np.broadcast_shapes(*(each.shape for each in selecting)), *whole)) if selecting else 0


@lru_cache(maxsize=4096)
def _accesses(func: Any) -> tuple[tuple[str, str], ...]:
    overwrites = torch_internals.operation_name(func) in operation_kinds.OVERWRITES

    def access(argument: Any) -> str:
        if not (argument.alias_info and argument.alias_info.is_write):
            return "read"
        return "write" if overwrites or argument.is_out else "read and write"

    return tuple((argument.name, access(argument)) for argument in torch_internals.operation_arguments(func))


def _is_strided(tensor: torch.Tensor) -> bool:
    return tensor.layout is torch.strided


def _is_contiguous(tensor: torch.Tensor) -> bool:
    """Return whether the tensor's values are contiguous in memory, in the order of its dimensions, or its long rows are."""
    if not _is_strided(tensor):
        return True
    with torch_internals.DisableTorchFunction():
        axes = [(size, stride) for size, stride in zip(tensor.shape, tensor.stride()) if size > 1 and stride]
        size, value_bytes = tensor.numel() * tensor.element_size(), tensor.element_size()
    strides = [stride for _, stride in axes]
    if strides[-1:] not in ([], [1]):
        return False
    long_row = _LONG_CACHED_ROW if size <= _CACHED_BYTES else _LONG_ROW
    return strides == sorted(strides, reverse=True) or axes[-1][0] * value_bytes >= long_row


def _piece(tensor: torch.Tensor) -> Piece:
    with torch_internals.DisableTorchFunction():
        storage = tensor.untyped_storage()
        shape, strides, offset = tuple(tensor.shape), tensor.stride(), tensor.storage_offset()
        # Each tensor that shares an array's memory has a storage of its own.
        is_shared = tensor.device.type == "cpu" and not storage.resizable()
        memory = -storage.data_ptr() if is_shared else torch_internals.storage_id(storage)
    whole = storage.nbytes()
    elements = math.prod(size for size, stride in zip(shape, strides) if stride) if tensor.numel() else 0
    part = (offset, shape, strides)
    return Piece(memory, part, min(whole, elements * tensor.element_size()), whole)


def _part_of(piece: Piece, size: int) -> Piece:
    """Return a part of a piece at an unknown position."""
    return piece._replace(part=next(_unknown_parts), size=size) if size < piece.size else piece


def _is_alive(tensor: torch.Tensor) -> Callable[[], bool]:
    with torch_internals.DisableTorchFunction():
        reference = torch_internals.StorageWeakRef(tensor.untyped_storage())
    return lambda: not reference.expired()
