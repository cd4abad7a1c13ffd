"""Explains a NaN that arithmetic makes of an infinity, for example by a product with a mask of 0 and 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_utils import frameworks
from course_utils.frameworks import tensor_trees
from course_utils.frameworks.tensor_trees import to_numpy
from course_utils.judging.answer import Answer
from course_utils.judging.difference import WrongValues
from course_utils.judging.verdict import TaskFailed

_REMARK = (
    "The NaN comes from an infinity among the inputs: ∞ · 0 is NaN, and so are ∞ - ∞ and ∞ ÷ ∞. A product with a mask of 0 "
    "and 1 does not remove an infinity; a choice, as `where` makes it, does."
)


def explain_new_nan(answer: Answer, values: WrongValues | None, inputs: tuple) -> str:
    """Return the remark if every wrong value is a new NaN that disappears once no input is infinite; else ""."""
    if values is None:
        return ""
    given_nan, expected_nan = (each != each for each in (values.given, values.expected))  # noqa: PLR0124 - only NaN differs from itself
    is_new = bool((given_nan & ~expected_nan)[values.wrong].all())
    infinite = any(np.isinf(to_numpy(tensor)).any() for tensor in tensor_trees.tensors(inputs))
    return _REMARK if is_new and infinite and not _is_nan_without_infinity(answer, values, inputs) else ""


def _is_nan_without_infinity(answer: Answer, values: WrongValues, inputs: tuple) -> bool:
    """Return whether the NaN remains when finite numbers replace the infinities.

    If it does, it has another cause, such as 0 / 0.
    """
    try:
        result, _ = answer(tensor_trees.map_leaves(tensor_trees.copy_inputs(inputs), _finite), "finite inputs")
    except TaskFailed:
        return True
    parts = [to_numpy(tensor) for tensor in tensor_trees.tensors(result) if frameworks.of(tensor).is_floating(tensor)]
    return any(part.shape == values.wrong.shape and np.isnan(part[values.wrong]).any() for part in parts)


def _finite(leaf: Any) -> Any:
    framework = frameworks.of(leaf)
    return framework.replace_infinities(leaf, 100.0) if framework.is_floating(leaf) else leaf
