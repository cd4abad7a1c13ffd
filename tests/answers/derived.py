"""Usual ways to be wrong that are made from a right answer: another dtype, less precision, a changed argument, no error.

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
from course_utils.tasks import Task

Answer = Callable[..., Any]

FLOAT32 = "float32 whatever came in"
ROUNDED_TO_BFLOAT16 = "rounded to bfloat16 inside"
ROUNDED_TO_FLOAT32 = "rounded to float32 inside"
NO_ERROR, SILENT_ERROR, OTHER_ERROR = "the error swallowed", "an error without a message", "another error"


def mistakes_of(task: Task, right: Answer) -> Iterator[tuple[str, Answer]]:
    """Each derived way to be wrong with its label; all of them must be refused at "correct".

    One random input shows which of them the task's arguments and results allow.
    """
    names = list(inspect.signature(task.slow).parameters)
    inputs = task.inputs(task.sizes[-1], np.random.default_rng(0))
    result = right(*tensor_trees.copy_inputs(inputs))
    kept = [name not in task.writes for name in names]
    if _floats(result) and not task.writes:
        yield FLOAT32, lambda *inputs: _cast(right(*inputs), "float32")
    if _floats(result) or _floats(inputs):
        yield ROUNDED_TO_BFLOAT16, partial(_rounded, right, kept, "bfloat16")
        yield ROUNDED_TO_FLOAT32, partial(_rounded, right, kept, "float32")
    for place, name in enumerate(names):
        if kept[place] and change(inputs[place]):
            yield f"{name} changed", partial(_changing, right, place)
    if task.raises:
        yield NO_ERROR, partial(_swallowing, right)
        yield SILENT_ERROR, partial(_raising, right, lambda error: type(error)())
        yield OTHER_ERROR, partial(_raising, right, lambda error: ArithmeticError(str(error)))


def change(value: Any) -> bool:
    """Change the first part of ``value`` that can be changed: a list or dict, a PyTorch tensor, a module's parameter.

    Returns:
        Whether there was such a part.
    """
    if isinstance(value, (list, dict)):
        value.clear()
        return True
    for tensor in [tensor for tensor in tensor_trees.tensors(value) if frameworks.of(tensor).name == "torch"][:1]:
        data = tensor.detach()
        data.logical_not_() if tensor_trees.dtype_name(data) == "bool" else data.add_(1)
        return True
    return False


def _floats(tree: Any) -> bool:
    return any(frameworks.of(leaf).is_floating(leaf) for _, leaf in tensor_trees.leaves(tree))


def _rounded(right: Answer, rounded: list[bool], dtype: str, *inputs: Any) -> Any:
    """The right result of inputs that are rounded to ``dtype``, and rounded itself; what is written into stays."""
    return _through(right(*(_through(each, dtype) if yes else each for each, yes in zip(inputs, rounded))), dtype)


def _changing(right: Answer, place: int, *inputs: Any) -> Any:
    result = right(*inputs)
    change(inputs[place])
    return result


def _swallowing(right: Answer, *inputs: Any) -> Any:
    try:
        return right(*inputs)
    except Exception:  # noqa: BLE001 - whatever the task asks for
        return None


def _raising(right: Answer, instead: Callable[[Exception], Exception], *inputs: Any) -> Any:
    try:
        return right(*inputs)
    except Exception as error:  # noqa: BLE001 - whatever the task asks for
        raise instead(error) from None


def _through(tree: Any, dtype: str) -> Any:
    """Floating tensors rounded to ``dtype``, in the dtype that they have."""
    return _mapped(tree, lambda tensor: _converted(_converted(tensor, dtype), tensor_trees.dtype_name(tensor)))


def _cast(tree: Any, dtype: str) -> Any:
    return _mapped(tree, lambda tensor: _converted(tensor, dtype))


def _converted(tensor: Any, dtype: str) -> Any:
    library = frameworks.of(tensor).library
    return tensor.to(getattr(library, dtype)) if hasattr(tensor, "to") else library.cast(tensor, dtype)


def _mapped(tree: Any, change: Callable[[Any], Any]) -> Any:
    """A tree with each floating tensor changed."""
    if isinstance(tree, dict):
        return {key: _mapped(value, change) for key, value in tree.items()}
    if isinstance(tree, (tuple, list)):
        parts = [_mapped(value, change) for value in tree]
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    return change(tree) if frameworks.of(tree).is_floating(tree) else tree
