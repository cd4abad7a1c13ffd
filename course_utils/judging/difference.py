"""A learner's result beside the slow loop's: class, dtype, shape, device, values, and how far rounding may take it.

It says what differs, in words for a learner; it does not know why. Only methods of arrays are used, so that nothing an
answer replaces in a library can change a verdict.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np

from course_utils.frameworks import devices, tensor_trees
from course_utils.frameworks.agreement import dtype_name, to_numpy
from course_utils.judging.oracle import Expected

_PRECISION = {
    "float64": 2.0**-52,
    "complex128": 2.0**-52,
    "float32": 2.0**-23,
    "complex64": 2.0**-23,
    "float16": 2.0**-10,
    "bfloat16": 2.0**-7,
}
# How many roundings a right answer may be off: of the value itself, of the largest value, of each term of a sum, and of what
# the slow loop's own rounding shows, which counts up to a limit (half precision makes 4,000 roundings for float32).
_OF_VALUE, _OF_SCALE, _OF_TERM, _OF_NOISE, _AT_MOST = 32, 8, 0.25, 4, 256


@dataclass(frozen=True)
class Values:
    """Two arrays of one shape of which some values differ: ``wrong`` is a mask of that shape."""

    expected: np.ndarray
    given: np.ndarray
    wrong: np.ndarray


@dataclass(frozen=True)
class Difference:
    """How a result differs: ``sentence`` for the learner, and the values where it is the values that differ."""

    sentence: str
    values: Values | None = None


def difference(given: Any, expected: Expected, tolerance: float | None = None) -> Difference | None:
    """None where ``given`` is right, else the first thing that differs."""
    floating = [tensor for tensor in tensor_trees.tensors(expected.inputs) if dtype_name(tensor) in _PRECISION]
    scale = max((_scale(to_numpy(tensor)) for tensor in floating), default=0.0)
    comparison = _Comparison(scale, sum(map(tensor_trees.elements, floating)), tolerance)
    found = comparison.compare(given, expected.native, expected.native, "")
    if found is None or expected.precisely is None:
        return found  # as near to the truth as the slow loop itself, or there is no other truth to wait for
    return comparison.compare(given, expected.native, expected.exact, "")


def is_of_lower_precision(given: Any, expected: Expected) -> bool:
    """Whether ``given``, which is wrong, looks like the right result computed in the next lower precision."""
    precisions = {_PRECISION.get(dtype_name(tensor)) for tensor in tensor_trees.tensors(expected.native)}
    lower = {_PRECISION["float64"]: _PRECISION["float32"], _PRECISION["float32"]: _PRECISION["bfloat16"]}
    if len(precisions) != 1 or not precisions <= lower.keys():
        return False
    precision = precisions.pop()
    tolerance = 4 * lower[precision] * _PRECISION["float32"] / precision
    return difference(given, expected, tolerance) is None


def has_no_values(tensor: Any) -> bool:
    """Whether ``tensor`` is on torch's "meta" device, the one that every machine has beside the CPU."""
    return devices.framework_of(tensor) == "torch" and tensor.device.type == "meta"


def called(value: Any) -> str:
    """What a learner would call ``value``: "None", "a NumPy array", "a list", "a torch tensor"."""
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return "a NumPy array"
    if devices.framework_of(value) is not None:
        own = type(value).__name__
        framework = {"torch": "torch", "tensorflow": "TensorFlow"}[devices.framework_of(value)]
        return f"a {framework} tensor" if own in ("Tensor", "EagerTensor") else f"a {framework} {own}"
    name = type(value).__name__
    words = {"int": "a Python number", "float": "a Python number", "function": "a function", "type": "a class"}
    return words.get(name, f"{'an' if name[0] in 'aeiou' else 'a'} {name}")


@dataclass(frozen=True)
class _Comparison:
    input_scale: float
    input_count: int
    tolerance: float | None

    def compare(self, given: Any, native: Any, exact: Any, where: str) -> Difference | None:
        if isinstance(native, Mapping):
            return self._mappings(given, native, exact, where)
        if isinstance(native, (tuple, list)):
            return self._sequences(given, native, exact, where)
        if tensor_trees.is_tensor(native):
            return self._tensors(given, native, exact, where)
        if isinstance(native, Number):
            return self._numbers(given, native, exact, where)
        return None if given == native else Difference(f"the result{where} is {given!r}, not {native!r}")

    def _mappings(self, given: Any, native: Mapping, exact: Mapping, where: str) -> Difference | None:
        if not isinstance(given, Mapping):
            return Difference(f"the result{where} is {called(given)}; a dict is wanted")
        if given.keys() != native.keys():
            return Difference(f"the dict{where} has the keys {sorted(map(str, given))}, not {sorted(map(str, native))}")
        parts = (self.compare(given[key], native[key], exact[key], f"{where} at {key!r}") for key in native)
        return next((part for part in parts if part), None)

    def _sequences(self, given: Any, native: Any, exact: Any, where: str) -> Difference | None:
        if not isinstance(given, (tuple, list)):
            return Difference(f"the result{where} is {called(given)}; a {type(native).__name__} is wanted")
        if len(given) != len(native):
            return Difference(f"the result{where} has {len(given)} parts; {len(native)} are wanted")
        triples = zip(given, native, exact)
        parts = (self.compare(*triple, f"{where}[{index}]") for index, triple in enumerate(triples))
        return next((part for part in parts if part), None)

    def _numbers(self, given: Any, native: Any, exact: Any, where: str) -> Difference | None:
        if not isinstance(given, Number):
            hint = "; is `return` missing?" if given is None else ""
            return Difference(f"the result{where} is {called(given)}; a Python number is wanted{hint}")
        precision = 0.0 if isinstance(native, (bool, int)) else _PRECISION["float64"]
        return self._values(np.asarray(given), np.asarray(native), np.asarray(exact), precision, where)

    def _tensors(self, given: Any, native: Any, exact: Any, where: str) -> Difference | None:
        unfit = _unfit(given, native, where)
        if unfit:
            return Difference(unfit)
        if dtype_name(given) != dtype_name(native):
            return Difference(f"the result{where} has dtype {dtype_name(given)}; {dtype_name(native)} is wanted")
        if tuple(given.shape) != tuple(native.shape):
            return Difference(f"the result{where} has shape {tuple(given.shape)}; {tuple(native.shape)} is wanted")
        if str(given.device) != str(native.device):
            return Difference(f"the result{where} is on {given.device}; it is wanted on {native.device}")
        if has_no_values(native):
            return None
        precision = _PRECISION.get(dtype_name(native), 0.0)
        return self._values(to_numpy(given), to_numpy(native), to_numpy(exact), precision, where)

    def _values(self, given: Any, native: Any, exact: Any, precision: float, where: str) -> Difference | None:
        with np.errstate(all="ignore"):
            right = self._close(given, exact, self._allowed(native, exact, precision))
            # Where the loop rounds across a step (a comparison, an overflow), its own precision is right as well.
            right |= self._close(given, native, self._allowed(native, native, precision))
        if right.all():
            return None
        wrong, total = int((~right).sum()), right.size
        share = "" if total == 1 else f" ({wrong} of {total} values)" if wrong < total else " (all values)"
        return Difference(f"the result{where} has wrong values{share}", Values(native, given, ~right))

    def _allowed(self, native: np.ndarray, truth: np.ndarray, precision: float) -> Any:
        """How far a right answer may be off, from the dtype and from what the slow loop's own rounding shows."""
        if precision == 0.0:
            return 0.0
        scale = _scale(truth)
        if self.tolerance is not None:
            return self.tolerance * (precision / _PRECISION["float32"]) * (abs(truth) + scale)
        # What goes into one value: each term of a sum may cost a rounding of its own, also where the sum is near zero.
        terms = self.input_count / max(1, truth.size)
        roundings = _OF_VALUE * abs(truth) + _OF_SCALE * scale + _OF_TERM * terms * self.input_scale
        noise = min(_OF_NOISE * _scale(abs(native - truth)), _AT_MOST * precision * max(scale, self.input_scale))
        return precision * roundings + noise

    @staticmethod
    def _close(given: np.ndarray, wanted: np.ndarray, allowed: Any) -> np.ndarray:
        both_nan = (given != given) & (wanted != wanted)  # noqa: PLR0124 - only NaN differs from itself
        return np.asarray((given == wanted) | both_nan | (abs(given - wanted) <= allowed) & (abs(wanted) < np.inf))


def _unfit(given: Any, native: Any, where: str) -> str | None:
    """Why ``given`` is no plain tensor with values, or None."""
    framework = devices.framework_of(native)
    wanted = called(native)
    if given is None:
        return f"the result{where} is None; is `return` missing?"
    if devices.framework_of(given) != framework or not tensor_trees.is_tensor(given):
        return f"the result{where} is {called(given)}; {wanted} is wanted"
    if framework == "torch":
        torch = sys.modules["torch"]
        if type(given) is not torch.Tensor:
            return f"the result{where} is {called(given)}, a class of its own; a plain {wanted.removeprefix('a ')} is wanted"
        if given.layout is not torch.strided or given.is_quantized or given.is_nested:
            kind = "nested" if given.is_nested else "quantized" if given.is_quantized else given.layout
            return f"the result{where} is a {kind} tensor; a plain, dense one is wanted"
        if torch._C._functorch.is_functorch_wrapped_tensor(given):
            return f"the result{where} is a tensor from inside a torch.func transformation; return what that returns"
        return None
    if type(given).__name__ != "EagerTensor":
        return f"the result{where} is {called(given)}, which is no plain tensor with values; {wanted} is wanted"
    return None


def _scale(array: np.ndarray) -> float:
    """The largest finite magnitude."""
    if array.dtype.kind not in "fciub" or not array.size:
        return 0.0
    sizes = abs(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64))
    finite = sizes[sizes < np.inf]
    return float(finite.max()) if finite.size else 0.0
