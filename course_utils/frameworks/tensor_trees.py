"""Arguments and results as trees: tuples, lists, dicts and modules whose leaves are tensors or any other values.

It copies, converts and lists them, in any framework.
"""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from course_utils import frameworks
from course_utils.frameworks import devices
from course_utils.frameworks.tensor_interface import UPCAST_DTYPES

_NUMBERS = (bool, int, float, complex, str, type(None))
_FEW = 12  # Up to this many tensors are compared pair by pair for shared memory.


def is_tensor(value: Any) -> bool:
    """Return whether ``value`` is a framework's tensor, of any class."""
    return frameworks.of(value).is_tensor(value)


def is_generator(value: Any) -> bool:
    """Return whether ``value`` is a framework's random number generator."""
    return frameworks.of(value).is_generator(value)


def to_numpy(value: Any) -> np.ndarray:
    """Return ``value`` as a NumPy array on the host; bfloat16, which NumPy lacks, becomes float32."""
    return frameworks.of(value).to_numpy(value)


def dtype_name(value: Any) -> str:
    """Return the dtype of a tensor or array of any framework, such as ``"float32"``."""
    return frameworks.of(value).dtype_name(value)


def copy_inputs(inputs: tuple) -> tuple:
    """Return deep copies for one call, with the same strides, gradients, and sharing of memory among each other."""
    generators = [value for value in inputs if is_generator(value)]
    copied = {id(each): frameworks.of(each).clone_generator(each) for each in generators}
    plain = _plain_copies(inputs)
    if plain is not None and all(id(value) in plain or isinstance(value, _NUMBERS) for value in inputs):
        return tuple([plain.get(id(value), value) for value in inputs])
    copies = copy.deepcopy(inputs, copied | (plain or {}))
    if plain is not None:
        return copies
    for old, new in zip(values(inputs), values(copies)):
        frameworks.of(old).copy_gradients(old, new)
    return copies


def _plain_copies(inputs: tuple) -> dict[int, Any] | None:
    """Return identity → copy of each tensor, or None if some have gradients, or share memory with anything.

    A deep copy of a tensor takes a hundred times as long as a copy of its values.
    """
    tensors = {id(value): value for value in values(inputs) if not isinstance(value, _NUMBERS)}
    if len(tensors) > _FEW or not all(map(is_tensor, tensors.values())):
        return None
    copies = {key: frameworks.of(tensor).plain_copy(tensor) for key, tensor in tensors.items()}
    if any(each is None for each in copies.values()):
        return None
    pairs = itertools.combinations(tensors.values(), 2)
    return None if any(shares_memory(*pair) for pair in pairs) else copies


def detached_copy(tree: Any) -> Any:
    """Return a copy of the values without the graph that computed them."""
    return map_leaves(tree, lambda leaf: frameworks.of(leaf).detached_copy(leaf))


def upcast(tree: Any) -> Any:
    """Return a copy with all floating-point tensors and modules in double precision, on the host."""
    return map_leaves(to_device(tree, "cpu"), lambda leaf: frameworks.of(leaf).upcast(leaf))


def can_upcast(tree: Any) -> bool:
    """Return whether ``upcast`` changes anything."""
    return any(dtype_name(tensor) in UPCAST_DTYPES for tensor in tensors(tree))


def leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each leaf with its path, ``("[0]['weights']", tensor)``; a module's leaves are its parameters and
    buffers."""
    framework = frameworks.of(tree)
    if framework.is_tensor(tree):  # Most leaves are tensors, and `isinstance(tree, Mapping)` is slow.
        yield path, tree
    elif isinstance(tree, Mapping):
        for key, value in tree.items():
            yield from leaves(value, f"{path}[{key!r}]")
    elif isinstance(tree, (tuple, list)):
        for index, value in enumerate(tree):
            yield from leaves(value, f"{path}[{index}]")
    elif framework.is_module(tree):
        for name, value in framework.named_tensors(tree).items():
            yield f"{path}.{name}", value
    else:
        yield path, tree


def values(tree: Any) -> list[Any]:
    """Return the leaves of a tree; a module is a leaf, unlike in ``leaves``."""
    found: list[Any] = []
    map_leaves(tree, found.append)
    return found


def tensors(tree: Any) -> list[Any]:
    """Return all tensors of a tree."""
    return [leaf for _, leaf in leaves(tree) if is_tensor(leaf)]


def element_count(tensor: Any) -> int:
    """Return the number of elements of a tensor."""
    return math.prod(getattr(tensor, "shape", ()))


def has_changed(before: Any, after: Any) -> bool:
    """Return whether two states of a tensor differ in memory, shape, dtype or strides."""
    old, new = frameworks.of(before), frameworks.of(after)
    return (
        not is_tensor(after)
        or old.layout(before) != new.layout(after)
        or old.has_no_values(before) != new.has_no_values(after)
        or old.storage_bytes(before) != new.storage_bytes(after)
    )


def device_of(tree: Any) -> str:
    """Return the accelerator that holds tensors of ``tree``, or ``"cpu"`` if none does."""
    accelerators = {frameworks.of(tensor).device_of(tensor) for tensor in tensors(tree)} - {"cpu"}
    return min(accelerators, default="cpu")


def to_device(tree: Any, device: str) -> Any:
    """Return a copy on ``device``: tensors, modules and device names, if the framework does not place tensors itself.

    A function that gets ``"cpu"`` as an argument would otherwise move its tensors back. The "meta" device is left as it
    is.
    """
    return map_leaves(copy_inputs((tree,))[0], lambda leaf: _to_device(leaf, device))


def _to_device(leaf: Any, device: str) -> Any:
    return device if devices.is_name(leaf) else frameworks.of(leaf).to_device(leaf, device)


def name_device(tree: Any, device: str) -> Any:
    """Return ``tree`` with ``device`` in place of each device name; the tensors stay where they are."""
    return map_leaves(tree, lambda leaf: device if devices.is_name(leaf) else leaf)


def shares_memory(one: Any, other: Any) -> bool:
    """Return whether a change to one of two tensors may change the other."""
    framework = frameworks.of(one)
    return framework is frameworks.of(other) and framework.shares_memory(one, other)


def overwrite(tree: Any, values: Any) -> Any:
    """Return ``values``, written into the lists, tensors and modules of ``tree`` if the layout is the same.

    A caller that holds parts of ``tree`` sees the new values in them.
    """
    if isinstance(tree, (tuple, list)) and isinstance(values, (tuple, list)) and len(tree) == len(values):
        written = [overwrite(one, other) for one, other in zip(tree, values)]
        if isinstance(tree, tuple):
            return type(tree)(written)
        tree[:] = written
        return tree
    return frameworks.of(tree).overwrite(tree, values)


def map_leaves(tree: Any, change: Callable[[Any], Any]) -> Any:
    """Return a tree of the same form whose leaves are ``change(leaf)``."""
    if isinstance(tree, dict):
        return {key: map_leaves(value, change) for key, value in tree.items()}
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(map_leaves(value, change) for value in tree))
    if isinstance(tree, (tuple, list)):
        return type(tree)(map_leaves(value, change) for value in tree)
    return change(tree)
