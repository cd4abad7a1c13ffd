"""Whether two results agree: in structure, framework, dtype, shape, device and values.

It compares what frameworks return and knows nothing of tasks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course_utils import frameworks
from course_utils.core.wording import pluralize
from course_utils.frameworks.tensor_trees import dtype_name, to_numpy
from course_utils.frameworks.tree_comparison import Aspect, first_difference

# dtype → tolerance, as a share of each value and of the largest value. A sum in another order stays within it.
# For float64, float32 and their complex kinds, results computed in a shorter dtype or in TF32 exceed it. The
# tolerances of float16 and bfloat16 are only ten and six times the spacing of neighboring values
# (``finfo(dtype).eps``), and rounding float16 results to bfloat16 stays within the float16 tolerance.
_TOLERANCES = {
    "float64": 1e-10,
    "complex128": 1e-10,
    "float32": 1e-4,
    "complex64": 1e-4,
    "float16": 1e-2,
    "bfloat16": 5e-2,
}


def close(expected: Any, given: Any) -> str | None:
    """Return what differs, as a phrase; None if ``given`` equals ``expected`` up to rounding.

    Tuples, lists and mappings are compared part by part. NaN equals NaN.
    """
    return first_difference(_RoundingComparer(), given, expected, expected)


class _RoundingComparer:
    """Compares tensors and NumPy arrays up to rounding, and describes a difference in a phrase."""

    def is_tensor(self, expected: Any) -> bool:
        return hasattr(expected, "dtype")

    def differs(self, aspect: Aspect, given: Any, expected: Any, path: str) -> str:
        if aspect in ("mapping", "sequence"):
            return _type_difference(given, expected)
        if aspect == "keys":
            return f"a {type(given).__name__} with other keys"
        if aspect == "length":
            return f"{pluralize(len(given), 'part')} instead of {len(expected)}"
        return f"{aspect} {given} instead of {expected}"

    def why_incomparable(self, given: Any, expected: Any, path: str) -> str | None:
        if frameworks.of(given) is frameworks.of(expected) and self.is_tensor(given):
            return None
        return _type_difference(given, expected)

    def compare_tensors(self, given: Any, expected: Any, truth: Any, path: str) -> str | None:
        return _compare_values(to_numpy(expected), to_numpy(given), dtype_name(expected))

    def compare_others(self, given: Any, expected: Any, truth: Any, path: str) -> str | None:
        if isinstance(expected, range) and given == expected:
            return None  # Converting it to an array would take a tenth of a second per million numbers.
        return _compare_values(np.asarray(expected), np.asarray(given), "float64")


def _type_difference(given: Any, expected: Any) -> str:
    return f"type {type(given).__name__} instead of {type(expected).__name__}"


def _compare_values(expected: np.ndarray, given: np.ndarray, dtype: str) -> str | None:
    if np.array_equal(expected, given):
        return None
    if expected.dtype.kind not in "fc":
        return "other values"
    finite = np.abs(expected[np.isfinite(expected)])
    tolerance = _TOLERANCES.get(dtype, 1e-4)
    largest = float(finite.max()) if finite.size else 0.0
    with np.errstate(over="ignore", invalid="ignore"):  # Huge values overflow; NumPy 1 warns of infinite values too.
        if np.allclose(given, expected, rtol=tolerance, atol=tolerance * largest, equal_nan=True):
            return None
    if not np.array_equal(np.isnan(expected), np.isnan(given)):
        return "NaN at other positions"
    with np.errstate(invalid="ignore", over="ignore"):
        # Two digits are enough, but a reader sees 280 instead of 2.8e+02.
        difference = float(f"{np.nanmax(np.abs(given - expected)):.2g}")
        return f"values that differ by up to {difference:,.10g}"
