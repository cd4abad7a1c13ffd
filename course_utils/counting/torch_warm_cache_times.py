"""How long an operation of torch takes if the cache holds its values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from course_utils.counting import operation_kinds
from course_utils.counting.warm_cache_times import LEAST_S, Inputs, WarmCacheTimes
from course_utils.frameworks import torch_internals

_PRODUCT = "mm"
"""Part of the name of each product of two matrices."""

_UNCHECKED = "_ctc_loss", "lu_unpack", "mkldnn_rnn_layer"
"""Operations that read or write beyond inputs that do not match: a trial could end the process."""

_FEW_BYTES, _LEAST_AGAIN_S, _RUNS_AGAIN = 2**16, 3e-6, 3
"""An operation on at most this many bytes that took at least this many seconds runs again, this many times."""

_LEAST_MATH_S, _MOST_SHORT_TRIALS = 3e-6, 50
"""An operation with long arithmetic is also tried if it takes at least this many seconds, but only until so many shapes are
known."""


class TorchWarmCacheTimes(WarmCacheTimes):
    """Runs operations of torch again, each once for the same dtypes, shapes and strides."""

    errors = (RuntimeError, IndexError, TypeError, ValueError)

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__(now)
        self._known: dict[Any, float] = {}
        self._known_short: dict[Any, float] = {}

    def seconds(self, name: str, func: Any, args: tuple, kwargs: dict, outputs: Sequence[Any], seconds: float) -> float:
        """Return the part of an operation's ``seconds`` that is arithmetic; 0 for what cannot be measured."""
        if not operation_kinds.computes(name) or name.startswith(_UNCHECKED) or torch_internals.is_random(func):
            return 0.0
        is_short = seconds < LEAST_S
        if is_short and (seconds < _LEAST_MATH_S or operation_kinds.kind_of(name) not in ("math", "search")):
            return 0.0
        leaves, structure = torch_internals.tree_flatten((args, kwargs))
        tensors = [each for each in leaves if isinstance(each, torch.Tensor)]
        if any(each.device.type != "cpu" for each in tensors):
            return 0.0
        if any(each.layout is not torch.strided for each in tensors):
            return min(seconds, self._sparse_product_s(func, leaves, structure)) if _PRODUCT in name else 0.0

        def run(some: Inputs) -> Sequence[Any]:
            rest = iter(some)
            cut = [next(rest) if isinstance(each, torch.Tensor) else each for each in leaves]
            some_args, some_kwargs = torch_internals.tree_unflatten(cut, structure)
            result = func(*some_args, **some_kwargs)
            return [each for each in torch_internals.tree_flatten(result)[0] if isinstance(each, torch.Tensor)]

        key = (func, *((each.dtype, each.shape, each.stride()) for each in (*tensors, *outputs)))
        if key not in self._known:
            if is_short and len(self._known) >= _MOST_SHORT_TRIALS:
                return 0.0
            with torch_internals.DisableTorchFunction():
                self._known[key] = self.arithmetic_s(
                    run, tensors, outputs, _written_positions(func, args, kwargs, tensors)
                )
        return min(seconds, self._known[key])

    def _sparse_product_s(self, func: Any, leaves: Sequence[Any], structure: Any) -> float:
        """Return the seconds of a sparse product whose values all multiply one row of the other matrix, which the cache
        holds; 0 for other layouts than CSR and COO.
        """
        with torch_internals.DisableTorchFunction():
            try:
                args, kwargs = torch_internals.tree_unflatten([_with_one_column(each) for each in leaves], structure)
            except NotImplementedError:
                return 0.0
            return self.fastest_s(lambda _: func(*args, **kwargs), (), _RUNS_AGAIN, warm_ups=1) or 0.0

    def undisturbed_s(self, func: Any, args: tuple, kwargs: dict, seconds: float) -> float:
        """Return the operation's ``seconds``; if a small one took so long that it may have been interrupted, run it
        again and return the least."""
        if seconds < _LEAST_AGAIN_S or torch_internals.has_side_effects(func):
            return seconds
        tensors = [each for each in torch_internals.tree_flatten((args, kwargs))[0] if isinstance(each, torch.Tensor)]
        if sum(self._bytes_of(each) for each in tensors) > _FEW_BYTES:
            return seconds
        key = (func, *((each.dtype, each.shape) for each in tensors))
        if key not in self._known_short:
            with torch_internals.DisableTorchFunction():
                again_s = self.fastest_s(lambda _: func(*args, **kwargs), (), _RUNS_AGAIN, warm_ups=1)
            self._known_short[key] = seconds if again_s is None else again_s
        return min(seconds, self._known_short[key])

    def shape_of(self, tensor: Any) -> Sequence[int]:
        return tuple(tensor.shape)

    def value_bytes(self, tensor: Any) -> int:
        return tensor.element_size()

    def _copy(self, tensor: Any) -> Any:
        return tensor.clone()


def _written_positions(func: Any, args: tuple, kwargs: dict, tensors: Sequence[torch.Tensor]) -> set[int]:
    """Return the positions in ``tensors`` of those that the operation writes."""
    arguments = enumerate(torch_internals.operation_arguments(func))
    values = (args[position] if position < len(args) else kwargs.get(each.name) for position, each in arguments)
    declared = zip(torch_internals.operation_arguments(func), values)
    written = [value for each, value in declared if each.alias_info and each.alias_info.is_write]
    ids = {id(each) for each in torch_internals.tree_flatten(written)[0]}
    return {position for position, each in enumerate(tensors) if id(each) in ids}


def _with_one_column(value: Any) -> Any:
    """Return a sparse matrix with all values in the first column; any other value as it is."""
    if not isinstance(value, torch.Tensor) or value.layout is torch.strided:
        return value
    if value.layout is torch.sparse_csr:
        columns = torch.zeros_like(value.col_indices())
        return torch.sparse_csr_tensor(
            value.crow_indices(), columns, value.values(), value.shape, check_invariants=False
        )
    if value.layout is torch.sparse_coo and value.sparse_dim() == 2:
        positions = value._indices().clone()
        positions[1] = 0
        return torch.sparse_coo_tensor(
            positions, value._values(), value.shape, check_invariants=False, is_coalesced=True
        )
    raise NotImplementedError(value.layout)
