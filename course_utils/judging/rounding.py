"""How far a right answer may be off: a task's own tolerance, or what rounding in a dtype explains."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

PRECISION = {
    "float64": 2.0**-52,
    "complex128": 2.0**-52,
    "float32": 2.0**-23,
    "complex64": 2.0**-23,
    "float16": 2.0**-10,
    "bfloat16": 2.0**-7,
}


@dataclass(frozen=True)
class _Roundings:
    """How many roundings a right answer may be off, added up.

    Attributes:
        of_value: roundings of the value itself.
        of_scale: roundings of the result's largest value.
        of_term: roundings of the largest input, for each term of a sum.
        of_noise: multiples of the slow loop's own error.
        at_most: the most that the slow loop's own error may add, and what it adds in float64; 4,000 terms in half
            precision make a multiple of it.
    """

    of_value: float
    of_scale: float
    of_term: float
    of_noise: float
    at_most: float


_USUAL = _Roundings(of_value=32, of_scale=8, of_term=0.25, of_noise=4, at_most=256)
# In bfloat16, 32 roundings are a quarter of a value, so only the slow loop's own error may add much.
_HALF = _Roundings(of_value=4, of_scale=2, of_term=0.25, of_noise=4, at_most=256)
# A task's own tolerance grows with a coarser dtype only as far as this many roundings.
_MOST_OF_OWN_TOLERANCE = 4


@dataclass(frozen=True)
class Tolerance:
    """A task's own tolerance.

    Attributes:
        relative: the relative error allowed in float32; None derives it from the dtype and the slow loop's own rounding.
        of_each_value: whether it is relative to each value alone instead of to the value plus the largest value.
        own_errors: this multiple of the slow loop's largest error is allowed in addition.
    """

    relative: float | None = None
    of_each_value: bool = False
    own_errors: float = 0.0


ROUNDING = Tolerance()


def allowed_error(
    native: np.ndarray, truth: np.ndarray, precision: float, tolerance: Tolerance, input_scale: float, input_count: int
) -> Any:
    """Return how far each value of a right answer may be off: an array like ``truth``, or one number.

    Args:
        native: the slow loop's result in its own precision.
        truth: what the answer is compared with: ``native``, or the result in double precision.
        precision: the distance of 1.0 to the next number of the dtype, 0.0 for what does not round.
        tolerance: the task's own.
        input_scale: the largest magnitude among the inputs.
        input_count: how many floating numbers the inputs hold.
    """
    if precision == 0.0:
        return 0.0
    scale, single = largest(truth), PRECISION["float32"]
    own_error = largest(native - truth)
    if tolerance.relative is not None:
        relative = tolerance.relative * (precision / single)
        if precision > single:
            relative = min(relative, max(tolerance.relative, _MOST_OF_OWN_TOLERANCE * precision))
        return relative * (abs(truth) + (0.0 if tolerance.of_each_value else scale)) + tolerance.own_errors * own_error
    off = _HALF if precision > single else _USUAL
    # Each term of a sum may cost a rounding of its own, even if the sum is near zero.
    terms = input_count / max(1, truth.size)
    roundings = off.of_value * abs(truth) + off.of_scale * scale + off.of_term * terms * input_scale
    noise = off.at_most * precision * max(scale, input_scale)
    if precision > PRECISION["float64"]:
        noise = min(noise, off.of_noise * own_error)
    else:  # Nothing is more precise, so the slow loop's own error is unknown; that of a running sum is a random walk.
        noise = max(noise, math.sqrt(input_count) * precision * scale)
    return precision * roundings + noise + tolerance.own_errors * own_error


def is_close(given: np.ndarray, expected: np.ndarray, allowed: Any) -> np.ndarray:
    """Return which values of ``given`` differ from ``expected`` by at most ``allowed``; NaN equals NaN."""
    both_nan = (given != given) & (expected != expected)  # noqa: PLR0124 - only NaN differs from itself
    same = np.asarray((given == expected) | both_nan)
    if expected.dtype.kind not in "fc":  # Values of a dtype that does not round must be equal.
        return same
    return np.asarray(same | (abs(given - expected) <= allowed) & (abs(expected) < np.inf))


def largest(array: np.ndarray) -> float:
    """Return the largest finite magnitude."""
    if array.dtype.kind not in "fciub" or not array.size:
        return 0.0
    wide = np.complex128 if array.dtype.kind == "c" else np.float64
    sizes: np.ndarray = abs(array if array.dtype.kind == "f" else array.astype(wide))
    if (most := float(sizes.max())) < np.inf:
        return most
    finite = sizes[sizes < np.inf]
    return float(finite.max()) if finite.size else 0.0
