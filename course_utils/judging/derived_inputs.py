"""Inputs derived from a random one: other magnitudes, small integers, and NaN or infinity in one position.

The slow loop gives the expected results, so that no task lists these cases. An answer that adds a small number such as 1e-8,
or computes in a narrower dtype, is right for values near 1 and fails here; so does an answer that expects distinct values.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from course_utils import frameworks
from course_utils.core.wording import enumerate_words
from course_utils.frameworks import tensor_trees
from course_utils.judging import describe
from course_utils.judging.drawn_inputs import Drawn
from course_utils.judging.oracle import Expected
from course_utils.tasks.task import Generator, Inputs, Task

OTHER_MAGNITUDE = (
    "The results for values near 1 are right. A fixed number, such as a small number that is added or a threshold, fits one "
    "magnitude only, and so does a narrow dtype."
)
"""What a message on a wrong result adds if the values have another magnitude."""

_SCALES = {"multiplied by 2²⁰": 2.0**20, "divided by 2²⁰": 2.0**-20}  # Products of a few values still fit float32.
_STEPS = 2  # Values are multiplied by this number before their fractions are cut off.
_SPECIAL = {"NaN": math.nan, "infinity": math.inf, "minus infinity": -math.inf}
_INFINITIES = ["infinity", "minus infinity"]
_WIDE = ("float64", "float32", "bfloat16")  # the range of float16 is too small for other magnitudes
# Beyond these magnitudes another right formula may overflow on the way, or lose digits.
_LARGEST, _SMALLEST = 2.0**63, 2.0**-63


@dataclass(frozen=True)
class Derived:
    """A derived input; ``case`` is how a message names it after "For"."""

    case: str
    inputs: Inputs
    kind: Literal["magnitude", "integers", "special"]

    def is_comparable(self, expected: Expected, usual: Callable[[], Expected]) -> bool:
        """Return whether the slow loop's result is far from an overflow: NaN and infinity are only where they usually are.

        Args:
            usual: returns its result on the input from which this one is derived.
        """
        if self.kind == "special":
            return True
        arrays = _floats(expected.native)
        sizes = [abs(array[np.isfinite(array) & (array != 0)]) for array in arrays]
        if not all(((each < _LARGEST) & (each > _SMALLEST)).all() for each in sizes):
            return False
        finite = [np.isfinite(array) for array in arrays]
        if all(each.all() for each in finite):
            return True
        usually = [np.isfinite(array) for array in _floats(usual().native)]
        return len(finite) == len(usually) and all(map(np.array_equal, finite, usually))


def draw_derived(task: Task, cases: Drawn, generator: Generator) -> tuple[Inputs, list[Derived]]:
    """Return a random input of the task's middle size, which a message shows as a rule, and what is derived from it.

    Args:
        cases: the task's edge cases. An argument gets NaN or infinity only if it holds that value in one of them.
    """
    size = task.sizes[len(task.sizes) // 2]
    inputs = task.inputs(size, generator)
    names = describe.argument_names(task.slow)[: len(inputs)]
    changed = [
        name
        for name, value in zip(names, inputs)
        if name not in task.bounded and any(_is_number(task, leaf) for leaf in tensor_trees.values(value))
    ]
    if not changed:
        return inputs, []
    case, words = f"a random input of size {size:,} with", enumerate_words(changed)

    def change_all(change: Callable[[Any], Any]) -> Inputs:
        change_leaf = lambda leaf: change(leaf) if _is_number(task, leaf) else leaf
        return tuple(
            tensor_trees.map_leaves(value, change_leaf) if name in changed else value
            for name, value in zip(names, inputs)
        )

    drawn = [
        Derived(f"{case} {words} {phrase}", change_all(partial(_multiply, factor)), "magnitude")
        for phrase, factor in _SCALES.items()
    ]
    if task.framework != "none":  # A single number may be a time or a size, which is never 0.
        drawn.append(Derived(f"{case} small integers in {words}", change_all(_cut_off), "integers"))
    for position, name in enumerate(names):
        if name not in changed:
            continue
        for phrase in _special_values([each[position] for _, each in cases if position < len(each)]):
            special = _with_special(inputs[position], _SPECIAL[phrase], generator)
            changed_inputs = (*inputs[:position], special, *inputs[position + 1 :])
            drawn.append(Derived(f"{case} one {phrase} in {name}", changed_inputs, "special"))
    return inputs, drawn


def _is_number(task: Task, leaf: Any) -> bool:
    """Return whether a derived input changes this part of an argument: a floating tensor, or a float of plain Python."""
    if tensor_trees.is_tensor(leaf):
        return tensor_trees.dtype_name(leaf) in _WIDE and tensor_trees.element_count(leaf) > 0
    return task.framework == "none" and isinstance(leaf, float)


def _multiply(factors: Any, leaf: Any) -> Any:
    if isinstance(leaf, float):
        return leaf * factors
    framework = frameworks.of(leaf)
    wide = framework.multiply(framework.convert(leaf, "float64"), np.full(tuple(leaf.shape), factors))
    return framework.convert(wide, tensor_trees.dtype_name(leaf))


def _cut_off(tensor: Any) -> Any:
    framework = frameworks.of(tensor)
    integers = framework.convert(_multiply(_STEPS, tensor), "int64")
    return framework.convert(integers, tensor_trees.dtype_name(tensor))


def _special_values(values: list[Any]) -> list[str]:
    """Return which of NaN and the infinities these values of an argument hold; of both infinities, only the positive one."""
    arrays = [array for value in values for array in _floats(value)]
    held = [
        phrase
        for phrase, special in _SPECIAL.items()
        if any((np.isnan(array) if phrase == "NaN" else array == special).any() for array in arrays)
    ]
    return held[:-1] if held[-2:] == _INFINITIES else held


def _with_special(value: Any, special: float, generator: Generator) -> Any:
    """Return an argument in which one number, if it has any, is NaN or infinite."""
    tensors = [leaf for _, leaf in tensor_trees.leaves(value) if tensor_trees.is_tensor(leaf)]
    tensors = [tensor for tensor in tensors if tensor_trees.dtype_name(tensor) in _WIDE]
    places = [(tensor, place) for tensor in tensors for place in np.argwhere(tensor_trees.to_numpy(tensor) != 0)]
    if not places:
        return value
    chosen, place = places[int(generator.integers(len(places)))]
    factors = np.ones(tuple(chosen.shape))
    factors[tuple(place)] = special * np.sign(tensor_trees.to_numpy(chosen)[tuple(place)])
    return tensor_trees.map_leaves(value, lambda leaf: _multiply(factors, leaf) if leaf is chosen else leaf)


def _floats(tree: Any) -> list[np.ndarray]:
    """Return the floating numbers of a tree as arrays, one for each leaf."""
    leaves = [leaf for _, leaf in tensor_trees.leaves(tree)]
    is_float = lambda leaf: isinstance(leaf, float) or frameworks.of(leaf).is_floating(leaf)
    return [np.asarray(tensor_trees.to_numpy(leaf), float) for leaf in leaves if is_float(leaf)]
