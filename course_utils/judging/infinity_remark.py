"""The remark on a NaN that arithmetic made of an infinity: a mask of 0 and 1 that multiplies does not take one away."""

from __future__ import annotations

import numpy as np

from course_utils.frameworks import tensor_trees
from course_utils.frameworks.tensor_trees import to_numpy
from course_utils.judging.difference import Values

_REMARK = (
    "The NaN comes of an infinity among the inputs: ∞ · 0 is NaN, and so is ∞ - ∞. A mask of 0 and 1 that multiplies does "
    "not take an infinity away; a choice, as `where` makes it, does."
)


def explain_new_nan(values: Values | None, inputs: tuple) -> str:
    """The sentence where every value that is wrong is a NaN that is none, and infinity is among the inputs; else ""."""
    if values is None:
        return ""
    nan, expected_nan = (each != each for each in (values.given, values.expected))  # noqa: PLR0124 - only NaN differs from itself
    made = bool((nan & ~expected_nan)[values.wrong].all())
    infinite = any(np.isinf(to_numpy(tensor)).any() for tensor in tensor_trees.tensors(inputs))
    return _REMARK if made and infinite else ""
