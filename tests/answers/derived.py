"""Common mistakes made from a right answer: another dtype, less precision, a changed argument, a swallowed error.

The table makes them for each task, so that no file of answers repeats them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from course_utils import frameworks
from course_utils.frameworks import tensor_trees
from course_utils.judging.rounding import PRECISION
from course_utils.tasks import Task

Answer = Callable[..., Any]

# If a task states no tolerance, or 0, a value may be wrong by this many roundings.
_ROUNDINGS = 32


ONE_VALUE = "one value wrong by 10 tolerances"


def derived_mistakes(task: Task, right: Answer) -> Iterator[tuple[str, Answer]]:
    """Yield each derived mistake with its label; the check must refuse all of them at "correct".

    One random input shows which mistakes the task's arguments and results allow.
    """
    names = list(inspect.signature(task.slow).parameters)
    inputs = task.inputs(task.sizes[-1], np.random.default_rng(0))
    result = task.slow(*tensor_trees.copy_inputs(inputs))  # The right answer may have to be compiled first.
    is_read = [name not in task.writes for name in names]
    if _has_floats(result) and not task.writes:
        yield "float32 for every input dtype", lambda *inputs: _convert_floats(right(*inputs), "float32")
    if _has_floats(result) or _has_floats(inputs):
        yield "rounded to bfloat16 inside", partial(_round_inside, right, is_read, "bfloat16")
        yield "rounded to float32 inside", partial(_round_inside, right, is_read, "float32")
    if tensor_trees.tensors(result) or task.writes:
        yield ONE_VALUE, partial(_shift_one_value, task, names, right)
    if _torch_tensors(result) and not task.writes:
        yield "one buffer for all results", partial(_into_one_buffer, right, {})
        yield "results cached by the identity of the inputs", partial(_by_identity, right, {})
    if any(_has_floats(each) and not each.requires_grad for each in _torch_tensors(result)) and not task.writes:
        yield "a result that requires a gradient", partial(_require_gradient, right)
    for position, name in enumerate(names):
        if is_read[position] and change(inputs[position]):
            yield f"{name} changed", partial(_change_argument, right, position)
    if task.raises:
        yield "a swallowed error", partial(_swallow, right)
        yield "an error without a message", partial(_raise_other, right, lambda error: type(error)())
        yield "another error", partial(_raise_other, right, lambda error: ArithmeticError(str(error)))


def change(value: Any) -> bool:
    """Change the first changeable part of ``value``: a list, a dict, a PyTorch tensor or a module's parameter.

    Returns:
        Whether there is such a part.
    """
    if isinstance(value, (list, dict)):
        value.clear()
        return True
    for tensor in _torch_tensors(value)[:1]:
        data = tensor.detach()
        data.logical_not_() if tensor_trees.dtype_name(data) == "bool" else data.add_(1)
        return True
    return False


def _round_inside(right: Answer, is_read: list[bool], dtype: str, *inputs: Any) -> Any:
    """Return the result with all inputs that are read, and the result itself, rounded to ``dtype`` and converted back."""
    return _round_floats(
        right(*(_round_floats(each, dtype) if read else each for each, read in zip(inputs, is_read))), dtype
    )


def _shift_one_value(task: Task, names: list[str], right: Answer, *inputs: Any) -> Any:
    """Return the result with one value of one tensor wrong by 10 tolerances, relative to that value.

    It is the largest value, because a value near zero may be wrong by the roundings of larger ones; it is the smallest
    one if the task's tolerance is relative to each value.
    """
    result = right(*inputs)
    written = [value for name, value in zip(names, inputs) if name in task.writes]
    tensors = tensor_trees.tensors(written or result)
    chosen = next(filter(_has_floats, tensors), tensors[0])
    shift = _shift(task, chosen)
    if written:
        data = chosen.detach()
        data.copy_(data + shift)
        return result
    return tensor_trees.map_leaves(result, lambda leaf: _add(leaf, shift) if leaf is chosen else leaf)


def _shift(task: Task, tensor: Any) -> Any:
    """Return the tensor to add: zeros, and for one element 10 tolerances, or 1 if the dtype doesn't round."""
    values = tensor_trees.to_numpy(tensor)
    shift, precision = np.zeros(values.shape), PRECISION.get(tensor_trees.dtype_name(tensor), 0.0)
    if shift.size:
        sizes = abs(values.astype(np.float64))
        usable = np.isfinite(sizes) & (sizes > 0) if precision else np.ones(values.shape, bool)
        if usable.any():
            sign = -1 if precision and task.of_each_value else 1
            position = np.unravel_index(np.where(usable, sign * sizes, -np.inf).argmax(), values.shape)
            relative = task.tolerance * precision / 2.0**-23 if task.tolerance else _ROUNDINGS * precision
            shift[position] = 10 * relative * sizes[position] if precision else 1
    library = frameworks.of(tensor).library
    added = library.tensor(shift) if hasattr(library, "tensor") else library.constant(shift)
    return _convert(added, tensor_trees.dtype_name(tensor))


def _add(tensor: Any, shift: Any) -> Any:
    return tensor ^ shift if tensor_trees.dtype_name(tensor) == "bool" else tensor + shift


def _into_one_buffer(right: Answer, buffers: dict[Any, Any], *inputs: Any) -> Any:
    """Return the result with each tensor copied into the buffer of its shape and dtype."""
    result = right(*inputs)
    for tensor in _torch_tensors(result):
        key = tuple(tensor.shape), tensor.dtype
        tensor.data = buffers.setdefault(key, tensor.detach().clone()).copy_(tensor.detach())
    return result


def _by_identity(right: Answer, results: dict[Any, Any], *inputs: Any) -> Any:
    """Return the result of an earlier call with the same tensors if they have not changed since."""
    key = tuple(_identities(inputs))
    _, result = results.setdefault(key, (inputs, None))
    if result is None:
        results[key] = inputs, right(*inputs)
    return results[key][1]


def _require_gradient(right: Answer, *inputs: Any) -> Any:
    result = right(*inputs)
    for tensor in filter(_has_floats, _torch_tensors(result)):
        tensor.requires_grad_()
    return result


def _identities(inputs: Any) -> Iterator[tuple[int, int]]:
    values: list[Any] = []
    tensor_trees.map_leaves(inputs, values.append)
    for value in values:
        is_module = frameworks.of(value).is_module(value)
        for tensor in (*value.parameters(), *value.buffers()) if is_module else _torch_tensors(value):
            yield id(tensor), tensor._version


def _change_argument(right: Answer, position: int, *inputs: Any) -> Any:
    result = right(*inputs)
    change(inputs[position])
    return result


def _swallow(right: Answer, *inputs: Any) -> Any:
    try:
        return right(*inputs)
    except Exception:  # noqa: BLE001 - The task chooses the error.
        return None


def _raise_other(right: Answer, other: Callable[[Exception], Exception], *inputs: Any) -> Any:
    try:
        return right(*inputs)
    except Exception as error:  # noqa: BLE001 - The task chooses the error.
        raise other(error) from None


def _torch_tensors(tree: Any) -> list[Any]:
    return [tensor for tensor in tensor_trees.tensors(tree) if frameworks.of(tensor).name == "torch"]


def _has_floats(tree: Any) -> bool:
    return any(frameworks.of(leaf).is_floating(leaf) for _, leaf in tensor_trees.leaves(tree))


def _round_floats(tree: Any, dtype: str) -> Any:
    return _map_floats(tree, lambda tensor: _convert(_convert(tensor, dtype), tensor_trees.dtype_name(tensor)))


def _convert_floats(tree: Any, dtype: str) -> Any:
    return _map_floats(tree, lambda tensor: _convert(tensor, dtype))


def _convert(tensor: Any, dtype: str) -> Any:
    return frameworks.of(tensor).convert(tensor, dtype)


def _map_floats(tree: Any, function: Callable[[Any], Any]) -> Any:
    """Return the tree with ``function`` applied to each floating tensor."""
    if isinstance(tree, dict):
        return {key: _map_floats(value, function) for key, value in tree.items()}
    if isinstance(tree, (tuple, list)):
        parts = [_map_floats(value, function) for value in tree]
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    return function(tree) if frameworks.of(tree).is_floating(tree) else tree
