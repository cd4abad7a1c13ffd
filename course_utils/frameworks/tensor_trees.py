"""Inputs and results as trees: tuples, lists, dicts and modules whose leaves are tensors, numbers or anything else.

It copies, walks and widens them, in either framework. It compares nothing and judges nothing.
"""

from __future__ import annotations

import copy
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from course_utils.frameworks import devices
from course_utils.frameworks.agreement import dtype_name, to_numpy

_WIDE = {"float16": "float64", "bfloat16": "float64", "float32": "float64", "complex64": "complex128"}


def is_tensor(value: Any) -> bool:
    """Whether ``value`` is a tensor of torch or TensorFlow, of any class."""
    framework = devices.framework_of(value)
    if framework == "torch":
        return isinstance(value, sys.modules["torch"].Tensor)
    return framework == "tensorflow" and hasattr(value, "dtype") and hasattr(value, "shape")


def is_generator(value: Any) -> bool:
    """Whether ``value`` is one of torch's generators of random numbers."""
    return devices.framework_of(value) == "torch" and isinstance(value, sys.modules["torch"].Generator)


def fresh(inputs: tuple) -> tuple:
    """Inputs of its own for one call: deep copies with the same strides and the same sharing among each other."""
    return copy.deepcopy(inputs, {id(leaf): _generator_like(leaf) for leaf in inputs if is_generator(leaf)})


def kept(tree: Any) -> Any:
    """A copy of a result's values: torch's deep copies refuse a tensor that still knows how it was computed."""
    return _map(tree, lambda leaf: leaf.detach().clone() if _is_torch_tensor(leaf) else copy.deepcopy(leaf))


def widen(tree: Any) -> Any:
    """A copy with every floating tensor and module in double precision, on the host, since not every device has doubles."""
    return _map(moved(tree, "cpu"), _widen_leaf)


def is_widened_by(tree: Any) -> bool:
    """Whether ``widen`` changes anything."""
    return any(is_tensor(leaf) and dtype_name(leaf) in _WIDE for _, leaf in leaves(tree))


def leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Each leaf with its path, ``("[0]['weights']", tensor)``; of a module, its parameters and buffers."""
    if isinstance(tree, Mapping):
        for key, value in tree.items():
            yield from leaves(value, f"{path}[{key!r}]")
    elif isinstance(tree, (tuple, list)):
        for index, value in enumerate(tree):
            yield from leaves(value, f"{path}[{index}]")
    elif _is_module(tree):
        for name, value in tree.state_dict().items():
            yield f"{path}.{name}", value
    else:
        yield path, tree


def tensors(tree: Any) -> list[Any]:
    """All tensors of a tree."""
    return [leaf for _, leaf in leaves(tree) if is_tensor(leaf)]


def elements(tensor: Any) -> int:
    """How many values a tensor has."""
    return math.prod(getattr(tensor, "shape", ()))


def differs(before: Any, after: Any) -> bool:
    """Whether a tensor was changed: in its memory, shape, dtype or strides."""
    return not is_tensor(after) or _layout(before) != _layout(after) or _memory(before) != _memory(after)


def moved(tree: Any, device: str) -> Any:
    """A copy with every torch tensor and module on ``device``."""

    def move(leaf: Any) -> Any:
        own = is_tensor(leaf) or _is_module(leaf)
        return leaf.to(device) if own and devices.framework_of(leaf) == "torch" else leaf

    return _map(fresh((tree,))[0], move)


def shares_memory(one: Any, other: Any) -> bool:
    """Whether two tensors lie in the same memory; TensorFlow's cannot be changed, so for them it never matters."""
    if "torch" != devices.framework_of(one) or "torch" != devices.framework_of(other):
        return False
    first, second = one.untyped_storage(), other.untyped_storage()
    return first.nbytes() > 0 and first.data_ptr() == second.data_ptr()


def overwrite(tree: Any, values: Any) -> Any:
    """``values``, written into the torch tensors and modules of ``tree`` where the layout is the same: new numbers, old objects."""
    if isinstance(tree, (tuple, list)) and isinstance(values, (tuple, list)) and len(tree) == len(values):
        return type(tree)(overwrite(one, other) for one, other in zip(tree, values))
    if _is_torch_tensor(tree) and _layout(tree) == _layout(values):
        with sys.modules["torch"].no_grad():
            return tree.copy_(values)
    if _is_module(tree) and type(tree) is type(values):
        tree.load_state_dict(values.state_dict())
        return tree
    return values


def _map(tree: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(tree, dict):
        return {key: _map(value, change) for key, value in tree.items()}
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(_map(value, change) for value in tree))
    if isinstance(tree, (tuple, list)):
        return type(tree)(_map(value, change) for value in tree)
    return change(tree)


def _widen_leaf(leaf: Any) -> Any:
    if _is_module(leaf):
        return leaf.double()
    if not is_tensor(leaf) or dtype_name(leaf) not in _WIDE:
        return leaf
    if devices.framework_of(leaf) == "torch":
        return leaf.to(getattr(sys.modules["torch"], _WIDE[dtype_name(leaf)]))
    return sys.modules["tensorflow"].cast(leaf, _WIDE[dtype_name(leaf)])


def _memory(tensor: Any) -> bytes:
    """The bytes behind a torch tensor, those between its strides too; of any other tensor its values."""
    if devices.framework_of(tensor) != "torch":
        return np.ascontiguousarray(to_numpy(tensor)).tobytes()
    torch = sys.modules["torch"]
    raw = torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(tensor.detach().untyped_storage())
    return raw.cpu().numpy().tobytes()


def _layout(tensor: Any) -> tuple:
    """Shape, dtype, and strides where the framework has them."""
    strides = tensor.stride() if devices.framework_of(tensor) == "torch" else ()
    return tuple(tensor.shape), dtype_name(tensor), strides


def _is_torch_tensor(value: Any) -> bool:
    return is_tensor(value) and devices.framework_of(value) == "torch"


def _is_module(value: Any) -> bool:
    return devices.framework_of(value) == "torch" and isinstance(value, sys.modules["torch"].nn.Module)


def _generator_like(generator: Any) -> Any:
    """torch's generators cannot be deep-copied in every version that the course runs on."""
    twin = sys.modules["torch"].Generator(device=generator.device)
    twin.set_state(generator.get_state())
    return twin
