"""What one operation of torch moves and computes: the memory that it reads and writes, and the flops of its products."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils.flop_counter import flop_registry

from course_utils.counting.ledger import Ledger, LineTally
from course_utils.counting.minimum_traffic import Piece
from course_utils.counting.pytorch_tensors import tensors

_aten = torch.ops.aten
_ONLY_WRITE = ("copy_", "fill_", "zero_", "normal_", "uniform_", "random_", "bernoulli_", "exponential_", "_foreach_copy_", "_foreach_zero_")  # fmt: skip
_PICK = ("index", "index_select", "gather", "embedding", "take", "take_along_dim", "masked_select")
_PUT = ("index_put_", "index_put", "index_add_", "index_add", "index_copy_", "index_fill_", "scatter_", "scatter", "scatter_add_", "scatter_add", "scatter_reduce_", "scatter_reduce", "embedding_dense_backward")  # fmt: skip
_EMPTY = ("empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "lift_fresh", "_local_scalar_dense")
_BLANK = ("new_full", "new_zeros", "new_ones", "full_like", "zeros_like", "ones_like", "rand_like", "randn_like", "randint_like")  # fmt: skip
_unlike = count()


class Traffic:
    """Runs operations and tells a ledger what they moved."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def run(self, work: LineTally, func: Any, args: tuple, kwargs: dict) -> Any:
        """The result of ``func(*args, **kwargs)``, once it is in the account ``work`` of its line."""
        now = self._ledger.now
        given = list(_given(func, args, kwargs))
        before = {piece.memory for _, piece in given} if func is not _aten.lift_fresh.default else set()
        start = now()
        result = func(*args, **kwargs)
        seconds = now() - start
        name = func._schema.name.partition("::")[2]
        outputs = list(tensors(result))
        made = [(each, piece) for each in outputs if _is_plain(each) and (piece := _piece(each)).memory not in before]
        read = [piece for how, piece in given if how != "only"]
        written = [piece for how, piece in given if how]
        for tensor, piece in made:
            self._ledger.made(work, piece, read, _alive(tensor))
        if name in _EMPTY or not (made or written or not outputs):
            read, written = [], []  # a view, or memory with nothing in it
        elif name in _BLANK:
            read, written = [], [piece for _, piece in made]  # what is given lends its shape and dtype, and is not read
        else:
            fresh = [piece for _, piece in made]
            if name in _PICK and fresh and read:
                read = [_some(read[0], sum(piece.size for piece in fresh)), *read[1:]]
            if name in _PUT and read:
                put = sum(piece.size for piece in read if piece.memory not in {each.memory for each in written})
                written = [_some(piece, put) for piece in written]
            written += fresh
        for dtype, flops in _flops(func, args, kwargs, result):
            work.flops[dtype] += flops
        self._ledger.operation(work, name, seconds, read, written, len(given) + len(outputs))
        return result


def _given(func: Any, args: tuple, kwargs: dict) -> Iterator[tuple[str, Piece]]:
    """Each tensor among the arguments, and whether it is written: "", "only", or "too"."""
    for position, (name, how) in enumerate(_roles(func)):
        value = args[position] if position < len(args) else kwargs.get(name)
        for tensor in tensors(value):
            if _is_plain(tensor):
                yield how, _piece(tensor)


@lru_cache(maxsize=4096)
def _roles(func: Any) -> tuple[tuple[str, str], ...]:
    only = func._schema.name.partition("::")[2] in _ONLY_WRITE
    return tuple(
        (
            argument.name,
            ("only" if only or argument.is_out else "too")
            if argument.alias_info and argument.alias_info.is_write
            else "",
        )
        for argument in func._schema.arguments
    )


def _is_plain(tensor: torch.Tensor) -> bool:
    return tensor.layout is torch.strided


def _piece(tensor: torch.Tensor) -> Piece:
    with torch._C.DisableTorchFunction():
        storage = tensor.untyped_storage()
        shape, strides, offset = tuple(tensor.shape), tensor.stride(), tensor.storage_offset()
    whole = storage.nbytes()
    elements = math.prod(size for size, stride in zip(shape, strides) if stride) if tensor.numel() else 0
    part = (offset, shape, strides)
    return Piece(storage._cdata, part, min(whole, elements * tensor.element_size()), whole)


def _some(piece: Piece, size: int) -> Piece:
    """An unknown part of a piece."""
    return piece._replace(part=next(_unlike), size=size) if size < piece.size else piece


def _alive(tensor: torch.Tensor) -> Any:
    with torch._C.DisableTorchFunction():
        reference = StorageWeakRef(tensor.untyped_storage())
    return lambda: not reference.expired()


def _flops(func: Any, args: tuple, kwargs: dict, result: Any) -> Iterator[tuple[str, int]]:
    packet = func._overloadpacket
    if packet in flop_registry:
        output = next(tensors(result))
        dtype = str(output.dtype).removeprefix("torch.")
        if dtype == "float32" and output.is_cuda and torch.backends.cuda.matmul.allow_tf32:
            dtype = "tf32"
        yield dtype, flop_registry[packet](*args, **kwargs, out_val=result)
    elif packet is _aten._scaled_dot_product_flash_attention_for_cpu:
        query, key, value = args[:3]
        pairs = math.prod(query.shape[:-1]) * key.shape[-2]
        yield str(query.dtype).removeprefix("torch."), 2 * pairs * (query.shape[-1] + value.shape[-1])
