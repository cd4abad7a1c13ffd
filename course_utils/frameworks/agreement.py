"""Whether two results are the same: in structure, framework, dtype, shape, device and value.

It compares what frameworks return; it knows nothing of tasks, oracles or what a learner should be told.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course_utils.frameworks import devices

# Twenty roundings of the dtype's last place and more: another order of addition passes, another precision does not.
_RELATIVE = {
    "float64": 1e-10,
    "complex128": 1e-10,
    "float32": 1e-4,
    "complex64": 1e-4,
    "float16": 1e-2,
    "bfloat16": 5e-2,
}


def to_numpy(value: Any) -> np.ndarray:
    """``value`` as a NumPy array on the host; bfloat16, which NumPy lacks, becomes float32."""
    if devices.framework_of(value) == "torch":
        value = value.detach().cpu().resolve_conj().resolve_neg()
        return (value.float() if str(value.dtype) == "torch.bfloat16" else value).numpy()
    if devices.framework_of(value) == "tensorflow":
        array = value.numpy()
        return array.astype(np.float32) if value.dtype.name == "bfloat16" else array
    return np.asarray(value)


def dtype_name(value: Any) -> str:
    """``"float32"`` for a tensor or array of any framework."""
    name = getattr(value.dtype, "name", None) or str(value.dtype)
    return name.rpartition(".")[2]


def close(expected: Any, given: Any) -> str | None:
    """None where ``given`` equals ``expected`` within the rounding of its dtype, else what differs, as a phrase.

    Tuples, lists and mappings are compared part by part. NaN equals NaN.
    """
    if isinstance(expected, Mapping):
        if not isinstance(given, Mapping) or expected.keys() != given.keys():
            return f"a {type(given).__name__} with other keys"
        return _first(close(expected[key], given[key]) for key in expected)
    if isinstance(expected, (tuple, list)):
        if not isinstance(given, (tuple, list)) or len(expected) != len(given):
            return f"a {type(given).__name__} instead of {len(expected)} parts"
        return _first(close(one, other) for one, other in zip(expected, given))
    if not hasattr(expected, "dtype"):
        return _close_values(np.asarray(expected), np.asarray(given), "float64")
    if devices.framework_of(expected) != devices.framework_of(given) or not hasattr(given, "dtype"):
        return f"a {type(given).__name__} instead of a {type(expected).__name__}"
    if dtype_name(expected) != dtype_name(given):
        return f"dtype {dtype_name(given)} instead of {dtype_name(expected)}"
    if tuple(expected.shape) != tuple(given.shape):
        return f"shape {tuple(given.shape)} instead of {tuple(expected.shape)}"
    if str(getattr(expected, "device", "")) != str(getattr(given, "device", "")):
        return f"device {given.device} instead of {expected.device}"
    return _close_values(to_numpy(expected), to_numpy(given), dtype_name(expected))


def _first(differences: Any) -> str | None:
    return next((difference for difference in differences if difference is not None), None)


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
