"""A learner's result beside the slow loop's: class, dtype, shape, device, values, and how far rounding may take it.

It says what differs, in words for a learner; it does not know why. Only methods of arrays are used, so that nothing an
answer replaces in a library can change a verdict.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from numbers import Number
from typing import Any

import numpy as np

from course_utils import frameworks
from course_utils.frameworks import tensor_trees
from course_utils.frameworks.tensor_trees import dtype_name, to_numpy
from course_utils.frameworks.tree_compare import Aspect, first_difference
from course_utils.judging.judged_output import RETURN_VALUE
from course_utils.judging.oracle import Expected
from course_utils.tasks import Task

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
    comparison = _Comparison(scale, sum(map(tensor_trees.element_count, floating)), tolerance, expected.detached)
    found = first_difference(comparison, given, expected.native, expected.native)
    if found is None or expected.precisely is None:
        return found  # as near to the truth as the slow loop itself, or there is no other truth to wait for
    return first_difference(comparison, given, expected.native, expected.exact)


def task_difference(task: Task, given: Any, expected: Expected, used: tuple) -> Difference | None:
    """None where ``given`` is right by the task's own comparison or by ``difference``, else what differs.

    Args:
        used: the inputs that the answer was called with, as it left them.
    """
    if task.same is not None:
        told = task.same(given, expected.native, used)
        return None if told is None else Difference(told)
    different = difference(given, expected, task.tolerance)
    if different is None or not task.writes:
        return different
    named = re.sub(rf"the (?:result|dict) at '({RETURN_VALUE}|\w+)'(?: at '([\w.]+)')?", _place, different.sentence)
    return replace(different, sentence=named)


def _place(found: re.Match[str]) -> str:
    argument, part = found.groups()
    return "the result" if argument == RETURN_VALUE else ".".join(filter(None, (argument, part)))


def is_of_lower_precision(given: Any, expected: Expected) -> bool:
    """Whether ``given``, which is wrong, looks like the right result computed in the next lower precision."""
    precisions = {_PRECISION.get(dtype_name(tensor)) for tensor in tensor_trees.tensors(expected.native)}
    lower = {_PRECISION["float64"]: _PRECISION["float32"], _PRECISION["float32"]: _PRECISION["bfloat16"]}
    precision = precisions.pop() if len(precisions) == 1 else None
    if precision is None or precision not in lower:
        return False
    tolerance = 4 * lower[precision] * _PRECISION["float32"] / precision
    return difference(given, expected, tolerance) is None


def has_no_values(tensor: Any) -> bool:
    """Whether ``tensor`` is only a shape and a dtype, as on torch's "meta" device."""
    return frameworks.of(tensor).has_no_values(tensor)


def type_phrase(value: Any) -> str:
    """What a learner would call ``value``: "None", "a NumPy array", "a list", "a torch tensor"."""
    return frameworks.of(value).type_phrase(value)


@dataclass(frozen=True)
class _Comparison:
    """The walk's policy: a framework's tensors must be plain ones, values may be off by so many roundings, sentences tell it."""

    input_scale: float
    input_count: int
    tolerance: float | None
    detached: bool

    def is_tensor(self, wanted: Any) -> bool:
        return tensor_trees.is_tensor(wanted)

    def differs(self, aspect: Aspect, given: Any, wanted: Any, where: str) -> Difference:
        if aspect == "mapping":
            return Difference(f"the result{where} is {type_phrase(given)}; a dict is wanted")
        if aspect == "keys":
            return Difference(f"the dict{where} has the keys {sorted(map(str, given))}, not {sorted(map(str, wanted))}")
        if aspect == "sequence":
            return Difference(f"the result{where} is {type_phrase(given)}; a {type(wanted).__name__} is wanted")
        if aspect == "length":
            return Difference(f"the result{where} has {len(given)} parts; {len(wanted)} are wanted")
        if aspect == "device":
            return Difference(f"the result{where} is on {given}; it is wanted on {wanted}")
        return Difference(f"the result{where} has {aspect} {given}; {wanted} is wanted")

    def why_incomparable(self, given: Any, wanted: Any, where: str) -> Difference | None:
        framework = frameworks.of(wanted)
        if given is None:
            return Difference(f"the result{where} is None; is `return` missing?")
        if frameworks.of(given) is not framework or not tensor_trees.is_tensor(given):
            return Difference(f"the result{where} is {type_phrase(given)}; {type_phrase(wanted)} is wanted")
        flaw = framework.why_unsupported(given, type_phrase(wanted))
        if flaw is not None:
            return Difference(f"the result{where} is {flaw}")
        if self.detached and framework.holds_graph(given) and not framework.holds_graph(wanted):
            return Difference(
                f"the result{where} still requires a gradient, and so keeps alive all that its gradient would need; "
                "`.detach()` what you keep"
            )
        return None

    def compare_tensors(self, given: Any, wanted: Any, truth: Any, where: str) -> Difference | None:
        if has_no_values(wanted):
            return None
        precision = _PRECISION.get(dtype_name(wanted), 0.0)
        return self._values(to_numpy(given), to_numpy(wanted), to_numpy(truth), precision, where)

    def compare_others(self, given: Any, wanted: Any, truth: Any, where: str) -> Difference | None:
        if not isinstance(wanted, Number):
            return None if given == wanted else Difference(f"the result{where} is {given!r}, not {wanted!r}")
        if not isinstance(given, Number):
            hint = "; is `return` missing?" if given is None else ""
            return Difference(f"the result{where} is {type_phrase(given)}; a Python number is wanted{hint}")
        precision = 0.0 if isinstance(wanted, (bool, int)) else _PRECISION["float64"]
        return self._values(np.asarray(given), np.asarray(wanted), np.asarray(truth), precision, where)

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
        same = np.asarray((given == wanted) | both_nan)
        if wanted.dtype.kind not in "fc":  # what does not round is the same or not
            return same
        return np.asarray(same | (abs(given - wanted) <= allowed) & (abs(wanted) < np.inf))


def _scale(array: np.ndarray) -> float:
    """The largest finite magnitude."""
    if array.dtype.kind not in "fciub" or not array.size:
        return 0.0
    sizes: np.ndarray = abs(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64))
    finite = sizes[sizes < np.inf]
    return float(finite.max()) if finite.size else 0.0
