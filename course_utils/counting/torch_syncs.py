"""Which of torch's functions and operations make the host wait for a value, only make a view, or count as several
operations.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import torch

from course_utils.counting.operation_kinds import FROM_HOST
from course_utils.counting.tally import FILLED_BY_TENSOR, INDEX_READ, MASKED_READ, MASKED_WRITE, PRINTED, SCALAR_READS
from course_utils.counting.torch_traffic import tensors
from course_utils.frameworks import torch_internals

READS = {
    "tolist": ".tolist()",
    "apply_": ".apply_()",
    "map_": ".map_()",
    "map2_": ".map2_()",
    "numpy": ".numpy()",
    "__array__": "NumPy on a tensor",
    "__dlpack__": "NumPy on a tensor",
    "data_ptr": ".data_ptr()",
    "untyped_storage": ".untyped_storage()",
    "storage": ".storage()",
    "__repr__": PRINTED,
}
"""Functions of the Python API → the cause of the synchronization, as a learner writes it. The dispatcher does
not see these reads; for some, it sees only a view.
"""

SCALARS = dict(zip(("item", "__float__", "__int__", "__bool__"), SCALAR_READS))
SCALARS |= {"_local_scalar_dense": SCALARS["item"], "__format__": SCALAR_READS[-1]}
"""Functions of the Python API that read one value → the cause."""

MASKED = {
    torch.ops.aten.index.Tensor: MASKED_READ,
    torch.ops.aten.index_put_.default: MASKED_WRITE,
    torch.ops.aten.index_put.default: MASKED_WRITE,
    torch.ops.aten.masked_fill.Tensor: FILLED_BY_TENSOR,
    torch.ops.aten.masked_fill_.Tensor: FILLED_BY_TENSOR,
}
"""Operations that wait for a mask or a value → how a learner writes them."""

BY_INDEX = {
    "__getitem__": "x[n] or x[:n] with a tensor n of one element",
    "__setitem__": "x[n] = … or x[:n] = … with a tensor n of one element",
    "__index__": INDEX_READ,
    "_local_scalar_dense": SCALARS["item"],  # TorchScript runs it below the Python API.
    "where": "torch.where with only a condition",
}
"""Functions that wait if an index or the bound of a slice is a tensor, ``where`` without values, and reads that the API does not
show → how a learner writes them.
"""

LIFT_FRESH = torch.ops.aten.lift_fresh.default
"""The operation of torch.tensor(…)."""

READ_VALUE = torch.ops.aten._local_scalar_dense.default
"""The operation of .item()."""

WITHOUT_WORK = READ_VALUE, torch.ops.aten.detach.default
"""Operations that do no work; one ``.detach()`` for each tensor of a list is not a loop over values."""

_SEGMENT_REDUCE = torch.ops.aten.segment_reduce.default
_REPEAT = torch.ops.aten.repeat_interleave.Tensor
_HISTOGRAM = torch.ops.aten.histc.default
_INDEX, _COPY = torch.ops.aten.index.Tensor, torch.ops.aten.copy_.default
_WRITES_BY_INDEX = torch.ops.aten.index_put_.default, torch.ops.aten.index_put.default
_COPIES = torch.ops.aten._to_copy.default, _COPY
_WAITING_TAGS = (torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape)
# Conversions to sparse layouts: their sizes depend on values, but they lack torch's tags for that.
_TO_SPARSE = tuple(f"_to_sparse{layout}" for layout in ("", "_csr", "_csc", "_bsr", "_bsc")) + ("_coalesce",)
# These operations read a value inside, but lack torch's tags for that: an end of a range, whether an inverse exists or, on a
# GPU, the value of a tensor to fill with.
_READS_INSIDE = {
    "aten.masked_fill.Tensor",
    "aten.masked_fill_.Tensor",
    "aten._linalg_check_errors.default",
    *(
        f"aten.{name}.{ends}"
        for name in ("linspace", "logspace")
        for ends in ("Tensor_Tensor", "Tensor_Scalar", "Scalar_Tensor")
    ),
}


def must_wait(func: Any, args: tuple, kwargs: dict) -> bool:
    """Return whether the host needs a value before it can continue."""
    if func is _INDEX:
        return _has_mask(args[1])
    if func in _WRITES_BY_INDEX:
        # With a single value, this is a masked_fill, which does not wait.
        return _has_mask(args[1]) and args[2].numel() != 1
    if func in _COPIES:
        return _copies_to_host(func, args, kwargs)
    if func is _SEGMENT_REDUCE:
        return not kwargs.get("unsafe", False)  # It reads the lengths to check them.
    if func is _REPEAT:
        return kwargs.get("output_size") is None  # Without it, it reads the sum of the numbers of repetitions.
    if func is _HISTOGRAM:  # Without bounds, it reads the smallest and the largest value.
        bounds = dict(zip(("min", "max"), args[2:])) | kwargs
        return bounds.get("min", 0) == bounds.get("max", 0)
    return _has_waiting_tag(func)


@cache
def _has_waiting_tag(func: Any) -> bool:
    is_to_sparse = torch_internals.operation_name(func) in _TO_SPARSE
    return is_to_sparse or str(func) in _READS_INSIDE or any(tag in func.tags for tag in _WAITING_TAGS)


@cache
def is_view(func: Any) -> bool:
    """Return whether an operation only returns another view of its input's memory, or changes its input's view in
    place.
    """
    if func is LIFT_FRESH:
        return False
    aliases = [each.alias_info for each in torch_internals.operation_returns(func)]
    is_view = bool(aliases) and all(each is not None and not each.is_write for each in aliases)
    return is_view or func is torch.ops.aten._unsafe_view.default or torch.Tag.inplace_view in func.tags


def count_runs(func: Any, args: tuple) -> int:
    """Return the number of operations in a call: ``torch._foreach_add`` is one operation for each tensor of its list."""
    name = torch_internals.operation_name(func)
    is_on_lists = "foreach_" in name or name.startswith("_fused_")
    return len(args[0]) if is_on_lists and isinstance(args[0], (list, tuple)) else 1


def count_values_in_lists(name: str, args: tuple) -> int:
    """Return how many tensors of one value a function of the API reads from a list. The dispatcher does not see these reads.

    ``torch.tensor([x[0], x[1]])``, ``x.new_tensor([x[0], x[1]])`` and ``x[:, [i, j]]`` read two.
    """
    lists: Any = ()
    if name in FROM_HOST:
        lists = args[:1]
    elif name == "new_tensor":
        lists = args[1:2]
    elif name in ("__getitem__", "__setitem__"):
        lists = args[1:2]  # A call of the grader's child has no index here.
        if lists and isinstance(lists[0], tuple):  # x[rows, columns]
            lists = lists[0]
    listed = tensors([each for each in lists if isinstance(each, (list, tuple))])
    return sum(tensor.numel() == 1 for tensor in listed)


def is_mask(index: Any) -> bool:
    """Return whether an index is a mask, or has one among its parts."""
    return _has_mask(tensors(index))


def _has_mask(indices: Any) -> bool:
    return any(index is not None and index.dtype in (torch.bool, torch.uint8) for index in indices)


def _copies_to_host(func: Any, args: tuple, kwargs: dict) -> bool:
    if func is _COPY:
        target, source = args[0].device, args[1].device
    elif not isinstance(args[0], torch.Tensor):
        return False  # Under vmap, a Python number is converted too.
    else:
        source = args[0].device
        target = torch.device(kwargs.get("device") or source)
    return target.type == "cpu" and source.type not in ("cpu", "meta")


def requests_device(name: str, args: tuple, kwargs: dict) -> bool:
    """Return whether the call asks for a tensor on a device. The dispatcher does not see a request for the device that
    the tensor is on.
    """
    if name in ("cuda", "cpu"):
        return True
    if name in FROM_HOST:
        return kwargs.get("device") is not None
    device_types = (torch.device, str, int, torch.Tensor)  # A tensor represents its device.
    candidates = (*args[1:2], kwargs.get("device"), kwargs.get("other"))
    return name == "to" and any(isinstance(each, device_types) and not isinstance(each, bool) for each in candidates)
