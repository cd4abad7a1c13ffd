"""Whether two results are the same: in structure, framework, dtype, shape, device and value.

It compares what frameworks return; it knows nothing of tasks, oracles or what a learner should be told.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course_utils import frameworks
from course_utils.frameworks.tensor_trees import dtype_name, to_numpy
from course_utils.frameworks.tree_compare import Aspect, first_difference

# Twenty roundings of the dtype's last place and more: another order of addition passes, another precision does not.
_RELATIVE = {
    "float64": 1e-10,
    "complex128": 1e-10,
    "float32": 1e-4,
    "complex64": 1e-4,
    "float16": 1e-2,
    "bfloat16": 5e-2,
}


def close(expected: Any, given: Any) -> str | None:
    """None where ``given`` equals ``expected`` within the rounding of its dtype, else what differs, as a phrase.

    Tuples, lists and mappings are compared part by part. NaN equals NaN.
    """
    return first_difference(_Rounding(), given, expected, expected)


class _Rounding:
    """The walk's policy: NumPy's arrays count as tensors, values may differ by rounding, and a phrase tells what differs."""

    def is_tensor(self, wanted: Any) -> bool:
        return hasattr(wanted, "dtype")

    def differs(self, aspect: Aspect, given: Any, wanted: Any, where: str) -> str:
        if aspect in ("mapping", "keys"):
            return f"a {type(given).__name__} with other keys"
        if aspect in ("sequence", "length"):
            return f"a {type(given).__name__} instead of {len(wanted)} parts"
        return f"{aspect} {given} instead of {wanted}"

    def unfit(self, given: Any, wanted: Any, where: str) -> str | None:
        if frameworks.of(given) is frameworks.of(wanted) and self.is_tensor(given):
            return None
        return f"a {type(given).__name__} instead of a {type(wanted).__name__}"

    def tensors(self, given: Any, wanted: Any, truth: Any, where: str) -> str | None:
        return _close_values(to_numpy(wanted), to_numpy(given), dtype_name(wanted))

    def others(self, given: Any, wanted: Any, truth: Any, where: str) -> str | None:
        return _close_values(np.asarray(wanted), np.asarray(given), "float64")


def _close_values(expected: np.ndarray, given: np.ndarray, dtype: str) -> str | None:
    if expected.dtype.kind not in "fc":
        return None if np.array_equal(expected, given) else "other values"
    finite = np.abs(expected[np.isfinite(expected)])
    relative = _RELATIVE.get(dtype, 1e-4)
    scale = float(finite.max()) if finite.size else 0.0
    if np.allclose(given, expected, rtol=relative, atol=relative * scale, equal_nan=True):
        return None
    if not np.array_equal(np.isnan(expected), np.isnan(given)):
        return "NaN in other places"
    with np.errstate(invalid="ignore"):
        return f"values that differ by up to {np.nanmax(np.abs(given - expected)):.2g}"
