"""Inputs and results as trees: tuples, lists, dicts and modules whose leaves are tensors, numbers or anything else.

It copies, walks and widens them, in any framework. It compares nothing and judges nothing.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from course_utils import frameworks
from course_utils.frameworks import devices
from course_utils.frameworks.base import WIDE


def is_tensor(value: Any) -> bool:
    """Whether ``value`` is a framework's tensor, of any class."""
    return frameworks.of(value).is_tensor(value)


def is_generator(value: Any) -> bool:
    """Whether ``value`` is a framework's generator of random numbers."""
    return frameworks.of(value).is_generator(value)


def to_numpy(value: Any) -> np.ndarray:
    """``value`` as a NumPy array on the host; bfloat16, which NumPy lacks, becomes float32."""
    return frameworks.of(value).to_numpy(value)


def dtype_name(value: Any) -> str:
    """``"float32"`` for a tensor or array of any framework."""
    return frameworks.of(value).dtype_name(value)


def fresh(inputs: tuple) -> tuple:
    """Inputs of its own for one call: deep copies with the same strides and the same sharing among each other."""
    return copy.deepcopy(inputs, {id(leaf): frameworks.of(leaf).twin(leaf) for leaf in inputs if is_generator(leaf)})


def kept(tree: Any) -> Any:
    """A copy of a result's values, which knows nothing of how they were computed."""
    return _map(tree, lambda leaf: frameworks.of(leaf).kept(leaf))


def widen(tree: Any) -> Any:
    """A copy with every floating tensor and module in double precision, on the host, since not every device has doubles."""
    return _map(moved(tree, "cpu"), lambda leaf: frameworks.of(leaf).widened(leaf))


def is_widened_by(tree: Any) -> bool:
    """Whether ``widen`` changes anything."""
    return any(dtype_name(tensor) in WIDE for tensor in tensors(tree))


def leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Each leaf with its path, ``("[0]['weights']", tensor)``; of a module, its parameters and buffers."""
    framework = frameworks.of(tree)
    if isinstance(tree, Mapping):
        for key, value in tree.items():
            yield from leaves(value, f"{path}[{key!r}]")
    elif isinstance(tree, (tuple, list)):
        for index, value in enumerate(tree):
            yield from leaves(value, f"{path}[{index}]")
    elif framework.is_module(tree):
        for name, value in framework.parts(tree).items():
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
    old, new = frameworks.of(before), frameworks.of(after)
    return not is_tensor(after) or old.layout(before) != new.layout(after) or old.memory(before) != new.memory(after)


def moved(tree: Any, device: str) -> Any:
    """A copy on ``device``: each tensor and module, where a framework does not place them by itself, and each device that is named.

    A function that is told ``"cpu"`` beside its tensors would else bring them back there. A device without values stays.
    """
    return _map(fresh((tree,))[0], lambda leaf: _moved(leaf, device))


def _moved(leaf: Any, device: str) -> Any:
    return device if devices.is_name(leaf) else frameworks.of(leaf).moved(leaf, device)


def shares_memory(one: Any, other: Any) -> bool:
    """Whether a change of one of two tensors may change the other."""
    framework = frameworks.of(one)
    return framework is frameworks.of(other) and framework.shares_memory(one, other)


def overwrite(tree: Any, values: Any) -> Any:
    """``values``, written into the tensors and modules of ``tree`` where the layout is the same: new numbers, old objects."""
    if isinstance(tree, (tuple, list)) and isinstance(values, (tuple, list)) and len(tree) == len(values):
        return type(tree)(overwrite(one, other) for one, other in zip(tree, values))
    return frameworks.of(tree).overwritten(tree, values)


def _map(tree: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(tree, dict):
        return {key: _map(value, change) for key, value in tree.items()}
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(_map(value, change) for value in tree))
    if isinstance(tree, (tuple, list)):
        return type(tree)(_map(value, change) for value in tree)
    return change(tree)
