"""Random inputs of a task: at its sizes and at others, with other strides, and in each dtype that its card allows.

The slow loop gives the expected results, so that no task lists these cases. An answer that is right only at the sizes in the
task's file, or only for contiguous tensors, fails here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from course_utils import frameworks
from course_utils.core.wording import enumerate_words
from course_utils.frameworks import tensor_trees
from course_utils.frameworks.tensor_interface import FLOATING, INTEGERS
from course_utils.judging import describe
from course_utils.judging.rounding import PRECISION
from course_utils.tasks.task import Generator, Inputs, Task

Drawn = list[tuple[str, Inputs]]
"""Inputs, each with how a message names them after "For"."""

_BEYOND = 1.25  # The largest input has up to this many times the largest size that a check uses otherwise.
_LARGEST = 15  # Floats become integers of up to this magnitude, in the same order.
_DRIFT = 3  # Added to integers that floats can't represent: with random signs, their running sums would cancel.
_BITS = {"int32": 32, "int64": 64}  # dtypes with integers that float32 and float64 can't represent


def draw_small(task: Task, generator: Generator) -> Drawn:
    """Return new random inputs at the task's sizes and at another one up to the last, and in each of ``task.dtypes``."""
    drawn = [_at(task, size, generator) for size in task.sizes]
    others = [size for size in range(task.sizes[0], task.sizes[-1]) if size not in task.sizes]
    if others:
        drawn.append(_at(task, int(generator.choice(others)), generator, "gaps"))
    return drawn + draw_in_dtypes(task, generator, (*FLOATING, *INTEGERS, "bool"))


def draw_with_strides(task: Task, generator: Generator) -> Drawn:
    """Return new random inputs of the last size, with and without gaps in memory."""
    return [_at(task, task.sizes[-1], generator, strides) for strides in ("", "gaps")]


def draw_large(task: Task, generator: Generator) -> Drawn:
    """Return new random inputs of one size, beyond the largest at which a check counts or races.

    They are in float64 as far as ``task.dtypes`` allows: code for large inputs often has buffers of its own, in float32.
    """
    largest = _largest_size(task)
    if largest == task.sizes[-1]:
        return []
    case, inputs = _at(task, int(generator.integers(largest, _BEYOND * largest)) + 1, generator, "order")
    for names, dtypes in task.dtypes.items():
        group = names.split(", ")
        if "float64" in dtypes and _tensors_in_another_dtype(task, inputs, group, "float64"):
            case = f"{case}, {enumerate_words(group)} of dtype float64"
            inputs = _convert(task, inputs, group, "float64", generator)
    return [(case, inputs)]


def draw_many_integers(task: Task, generator: Generator) -> Drawn:
    """Return new random inputs of the larger counted size, in each dtype of ``task.dtypes`` with integers that floats can't
    represent: code for large inputs often sums them in a float buffer.
    """
    size = task.count_sizes[-1]
    drawn = draw_in_dtypes(task, generator, tuple(_BITS), size) if task.limits else []
    return [(f"{case} and size {size:,}", inputs) for case, inputs in drawn]


def draw_in_float64(task: Task, drawn: Drawn, generator: Generator) -> Drawn:
    """Return the same inputs in float64, if the task allows that dtype."""
    if task.same is not None or not allows_float64(task, generator):
        return []
    return [
        (f"{case}, in float64", tensor_trees.upcast(inputs))
        for case, inputs in drawn
        if tensor_trees.can_upcast(inputs)
    ]


def _largest_size(task: Task) -> int:
    return max(
        task.sizes[-1],
        task.count_sizes[-1] if task.limits else 0,
        task.race_size if task.target is not None else 0,
    )


def _at(task: Task, size: int, generator: Generator, strides: str = "") -> tuple[str, Inputs]:
    case, inputs = f"a random input of size {size:,}", task.inputs(size, generator)
    if not any(map(_has_strides, tensor_trees.tensors(inputs))) or not strides:
        return case, inputs
    from course_utils.tasks.torch_inputs import noncontiguous, reordered

    change, suffix = {
        "gaps": (noncontiguous, "with gaps in memory"),
        "order": (reordered, "with another order in memory"),
    }[strides]
    restride = lambda leaf: change(leaf) if tensor_trees.is_tensor(leaf) and _has_strides(leaf) else leaf
    change_argument = lambda name, value: value if name in task.contiguous else tensor_trees.map_leaves(value, restride)
    return f"{case} {suffix}", _map_arguments(task, inputs, change_argument)


def _has_strides(tensor: Any) -> bool:
    return bool(frameworks.of(tensor).layout(tensor)[2])


def _map_arguments(task: Task, inputs: Inputs, change: Callable[[str, Any], Any]) -> Inputs:
    return tuple(change(name, value) for name, value in zip(describe.argument_names(task.slow), inputs))


def draw_for_counts(task: Task, generator: Generator) -> Drawn:
    """Return new random inputs of the larger counted size, in each other dtype that the task allows."""
    size = task.count_sizes[-1]
    drawn = draw_in_dtypes(task, generator, (*FLOATING, *INTEGERS, "bool"), size)
    inputs = task.inputs(size, generator)
    if not task.dtypes and allows_float64(task, generator) and tensor_trees.can_upcast(inputs):
        drawn.append(("float64 values", tensor_trees.upcast(inputs)))
    return drawn


def cases_of_other_ranks(task: Task, generator: Generator) -> Drawn:
    """Return, for each number of dimensions that the counted inputs don't have, the largest edge or worst case that has at
    most as many values.
    """
    counted = task.inputs(task.count_sizes[-1], generator)
    cases = [(case.name, case.make(generator)) for case in (*task.edge_cases, *task.worst_cases)]
    fitting = [case for case in cases if _value_count(case[1]) <= _value_count(counted)]
    largest = {_ranks(case[1]): case for case in sorted(fitting, key=lambda case: _value_count(case[1]))}
    largest.pop(_ranks(counted), None)
    return list(largest.values())


def _value_count(inputs: Inputs) -> int:
    return sum(map(tensor_trees.element_count, tensor_trees.tensors(inputs)))


def _ranks(inputs: Inputs) -> str:
    """Return which numbers of dimensions the tensors of each argument have."""
    return str([sorted({len(tensor.shape) for tensor in tensor_trees.tensors(value)}) for value in inputs])


def allows_float64(task: Task, generator: Generator) -> bool:
    """Return whether the dtypes of the task, an edge case or a worst case allow float64."""
    if any("float64" in dtypes for dtypes in task.dtypes.values()):
        return True
    cases = (tensor_trees.tensors(case.make(generator)) for case in (*task.edge_cases, *task.worst_cases))
    return any(tensor_trees.dtype_name(tensor) == "float64" for tensors in cases for tensor in tensors)


def draw_in_dtypes(task: Task, generator: Generator, among: tuple[str, ...], size: int | None = None) -> Drawn:
    """Return new random inputs in each dtype of ``task.dtypes`` that is also in ``among``.

    If ``size`` is None, they have the second-largest of the task's sizes.
    """
    drawn = Drawn()
    size = task.sizes[-2:][0] if size is None else size
    for names, dtypes in task.dtypes.items():
        group = names.split(", ")
        for dtype in filter(among.__contains__, dtypes):
            inputs = task.inputs(size, generator)
            if _tensors_in_another_dtype(task, inputs, group, dtype):
                drawn.append(
                    (f"{enumerate_words(group)} of dtype {dtype}", _convert(task, inputs, group, dtype, generator))
                )
    return drawn


def convert_to_integers(task: Task, cases: Drawn, generator: Generator) -> Drawn:
    """Return the cases with finite values in int32 and int64 as far as ``task.dtypes`` allows: a branch for one row or
    none often forgets that PyTorch sums int32 values into int64.
    """
    drawn = Drawn()
    for names, dtypes in task.dtypes.items():
        group = names.split(", ")
        for dtype in filter(_BITS.__contains__, dtypes):
            drawn += [
                (f"{case}, in {dtype}", _convert(task, inputs, group, dtype, generator))
                for case, inputs in cases
                if _has_floats(_tensors_in_another_dtype(task, inputs, group, dtype)) and _is_finite(inputs)
            ]
    return drawn


def _has_floats(tensors: list[Any]) -> bool:
    return any(frameworks.of(tensor).is_floating(tensor) for tensor in tensors)


def _is_finite(inputs: Inputs) -> bool:
    arrays = [tensor_trees.to_numpy(tensor).astype(float) for tensor in tensor_trees.tensors(inputs)]
    numbers = [value for value in tensor_trees.values(inputs) if isinstance(value, float)]
    return all(map(math.isfinite, numbers)) and all(bool(np.isfinite(array).all()) for array in arrays)


def _tensors_in_another_dtype(task: Task, inputs: Inputs, group: list[str], dtype: str) -> list[Any]:
    """Return the tensors among a group of arguments whose dtype is not ``dtype``."""
    named = zip(describe.argument_names(task.slow), inputs)
    tensors = tensor_trees.tensors([value for name, value in named if name in group])
    return [tensor for tensor in tensors if tensor_trees.dtype_name(tensor) != dtype]


def _convert(task: Task, inputs: Inputs, group: list[str], dtype: str, generator: Generator) -> Inputs:
    """Return the inputs with all tensors of a group of arguments in ``dtype``."""
    tensors = [tensor for tensor in tensor_trees.tensors(inputs) if frameworks.of(tensor).is_floating(tensor)]
    values = np.concatenate(
        [tensor_trees.to_numpy(tensor).astype(float).ravel() for tensor in tensors] or [np.zeros(0)]
    )
    values = values if values.size else np.zeros(1)
    middle, reach = (values.max() + values.min()) / 2, max(np.ptp(values) / 2, 1e-9)
    spare_bits = _BITS.get(dtype, 0) - 1 - math.ceil(math.log2(4 * _LARGEST * values.size))
    factor = 2**spare_bits + 1 if spare_bits > 0 else 1

    def convert(leaf: Any) -> Any:
        if not tensor_trees.is_tensor(leaf):
            return leaf
        framework = frameworks.of(leaf)
        if not framework.is_floating(leaf):
            return framework.convert(leaf, dtype)
        wide = framework.convert(leaf, "float64")
        if dtype in FLOATING:
            digits = PRECISION[tensor_trees.dtype_name(leaf)] / 8  # digits that a narrower dtype can't represent
            changes = 1 + digits * generator.uniform(-1, 1, tuple(leaf.shape))
            return framework.convert(framework.multiply(wide, changes), dtype)
        integers = framework.convert((wide - middle) / reach * _LARGEST, "int64")
        shift = _LARGEST if dtype == "uint8" else _DRIFT if factor > 1 else 0
        return framework.convert((integers + shift) * factor, dtype)

    def convert_factor(value: Any) -> Any:
        """Return a factor or a threshold as an integer if the values are integers; it may be a scalar tensor."""
        if dtype not in INTEGERS:
            return value
        if tensor_trees.is_tensor(value) and not tuple(value.shape) and frameworks.of(value).is_floating(value):
            return frameworks.of(value).convert(value, dtype)
        return int(value) if isinstance(value, float) else value

    change = lambda name, value: tensor_trees.map_leaves(value, convert if name in group else convert_factor)
    return _map_arguments(task, inputs, change)
