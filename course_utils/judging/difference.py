"""Compares a learner's result with the slow loop's: class, dtype, shape, device, and values within rounding.

It words what differs, not why. It uses only methods of arrays, so that nothing that an answer replaces in a library can
change a verdict.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from numbers import Number
from typing import Any

import numpy as np

from course_utils import frameworks
from course_utils.core.wording import pluralize
from course_utils.frameworks import tensor_trees
from course_utils.frameworks.tensor_trees import dtype_name, to_numpy
from course_utils.frameworks.tree_comparison import Aspect, first_difference
from course_utils.judging.oracle import Expected
from course_utils.judging.return_or_written_arguments import RETURN_VALUE
from course_utils.judging.rounding import PRECISION, ROUNDING, Tolerance, allowed_error, is_close, largest
from course_utils.tasks import Task


@dataclass(frozen=True)
class WrongValues:
    """Two arrays of one shape; ``wrong`` is a mask of that shape."""

    expected: np.ndarray
    given: np.ndarray
    wrong: np.ndarray


@dataclass(frozen=True)
class Difference:
    """How a result differs: a sentence for the learner, and the values if only values differ."""

    sentence: str
    values: WrongValues | None = None


def difference(given: Any, expected: Expected, tolerance: Tolerance = ROUNDING) -> Difference | None:
    """Return the first thing that differs, None if ``given`` is right."""
    floating = [tensor for tensor in tensor_trees.tensors(expected.inputs) if dtype_name(tensor) in PRECISION]
    count = sum(map(tensor_trees.element_count, floating))

    # Most right answers return exactly the slow loop's values, and then no allowed errors need to be computed.
    exactly = _ResultComparer(0.0, count, tolerance, expected.detached, exactly=True)
    if first_difference(exactly, given, expected.native, expected.native) is None:
        return None

    def compare(input_scale: float) -> Difference | None:
        comparer = _ResultComparer(input_scale, count, tolerance, expected.detached)
        first = first_difference(comparer, given, expected.native, expected.native)
        if first is None or expected.precisely is None:
            return first  # right, or no result of higher precision exists
        return first_difference(comparer, given, expected.native, expected.exact)

    strictly = compare(0.0)
    if strictly is None or tolerance.relative is not None:  # the scale of the inputs doesn't matter
        return strictly
    scale = max((largest(to_numpy(tensor)) for tensor in floating), default=0.0)
    first = compare(scale)
    if first is None and expected.effective_input_scale < scale:
        return compare(expected.effective_input_scale)
    return first


def tolerance_of(task: Task) -> Tolerance:
    """Return the tolerance that ``task`` states."""
    return Tolerance(task.tolerance, task.of_each_value)


def task_difference(
    task: Task, given: Any, expected: Expected, inputs_after: tuple, own_errors: float = 0.0
) -> Difference | None:
    """Return what differs by the task's own comparison or by ``difference``; None if ``given`` is right.

    Args:
        inputs_after: the inputs that the answer was called with, as it left them.
        own_errors: as in ``Tolerance``.
    """
    if task.same is not None:
        sentence = task.same(given, expected.native, inputs_after)
        return None if sentence is None else Difference(sentence)
    different = difference(given, expected, replace(tolerance_of(task), own_errors=own_errors))
    if different is None or not task.writes:
        return different
    named = re.sub(rf"the (?:result|dict) at '({RETURN_VALUE}|\w+)'(?: at '([\w.]+)')?", _part, different.sentence)
    return replace(different, sentence=named)


def _part(match: re.Match[str]) -> str:
    argument, part = match.groups()
    return "the result" if argument == RETURN_VALUE else ".".join(filter(None, (argument, part)))


def has_no_values(tensor: Any) -> bool:
    """Return whether ``tensor`` is only a shape and a dtype, as on torch's "meta" device."""
    return frameworks.of(tensor).has_no_values(tensor)


def type_phrase(value: Any) -> str:
    """Return what a learner would call ``value``: "None", "a NumPy array", "a list", "a torch tensor"."""
    return frameworks.of(value).type_phrase(value)


@dataclass(frozen=True)
class _ResultComparer:
    """Compares two results part by part: tensors must be plain ones, and values may differ by what the tolerance allows."""

    input_scale: float
    input_count: int
    tolerance: Tolerance
    detached: bool
    exactly: bool = False

    def is_tensor(self, expected: Any) -> bool:
        return tensor_trees.is_tensor(expected)

    def differs(self, aspect: Aspect, given: Any, expected: Any, where: str) -> Difference:
        if aspect == "mapping":
            return Difference(f"the result{where} is {type_phrase(given)}; expected a dict")
        if aspect == "keys":
            keys, expected_keys = sorted(map(str, given)), sorted(map(str, expected))
            return Difference(f"the dict{where} has the keys {keys}; expected {expected_keys}")
        if aspect == "sequence":
            hint = "; is `return` missing?" if given is None else ""
            return Difference(f"the result{where} is {type_phrase(given)}; expected a {type(expected).__name__}{hint}")
        if aspect == "length":
            return Difference(f"the result{where} has {pluralize(len(given), 'part')}; expected {len(expected)}")
        if aspect == "device":
            return Difference(f"the result{where} is on {given}; expected {expected}")
        return Difference(f"the result{where} has {aspect} {given}; expected {expected}")

    def why_incomparable(self, given: Any, expected: Any, where: str) -> Difference | None:
        framework = frameworks.of(expected)
        if given is None:
            return Difference(f"the result{where} is None; is `return` missing?")
        if frameworks.of(given) is not framework or not tensor_trees.is_tensor(given):
            return Difference(f"the result{where} is {type_phrase(given)}; expected {type_phrase(expected)}")
        flaw = framework.why_unsupported(given, type_phrase(expected))
        if flaw is not None:
            return Difference(f"the result{where} is {flaw}")
        if framework.holds_graph(expected) or not framework.holds_graph(given):
            return None
        if getattr(given, "is_leaf", False):
            return Difference(f"the result{where} requires a gradient of its own; return a tensor that doesn't")
        if self.detached:
            return Difference(
                f"the result{where} still requires a gradient, so it keeps alive everything that its gradient would need; "
                "`.detach()` each tensor that you keep"
            )
        return None

    def compare_tensors(self, given: Any, expected: Any, truth: Any, where: str) -> Difference | None:
        if has_no_values(expected):
            return None
        precision = PRECISION.get(dtype_name(expected), 0.0)
        native = to_numpy(expected)
        exact = native if truth is expected else to_numpy(truth)
        return self._values(to_numpy(given), native, exact, precision, where)

    def compare_others(self, given: Any, expected: Any, truth: Any, where: str) -> Difference | None:
        if not isinstance(expected, Number):
            return None if given == expected else Difference(f"the result{where} is {given!r}; expected {expected!r}")
        if not isinstance(given, Number):
            hint = "; is `return` missing?" if given is None else ""
            return Difference(f"the result{where} is {type_phrase(given)}; expected a Python number{hint}")
        if type(expected) is int and isinstance(given, float):
            return Difference(f"the result{where} is the float {given!r}; expected an integer")
        precision = 0.0 if isinstance(expected, (bool, int)) else PRECISION["float64"]
        return self._values(np.asarray(given), np.asarray(expected), np.asarray(truth), precision, where)

    def _values(self, given: Any, native: Any, exact: Any, precision: float, where: str) -> Difference | None:
        if self.exactly:
            with np.errstate(all="ignore"):
                equal = np.asarray(given == native).all() or is_close(given, native, 0.0).all()  # NaN is close to NaN
            return None if equal else Difference("")
        with np.errstate(all="ignore"):
            right = is_close(given, exact, self._allowed_errors(native, exact, precision))
            if exact is not native:
                # Rounding can change the slow loop's comparisons or overflow. Its rounded result is accepted as well.
                right |= is_close(given, native, self._allowed_errors(native, native, precision))
        if right.all():
            return None
        wrong, total = int((~right).sum()), right.size
        share = "" if total == 1 else f" ({wrong:,} of {total:,} values)" if wrong < total else " (all values)"
        return Difference(f"the result{where} has wrong values{share}", WrongValues(native, given, ~right))

    def _allowed_errors(self, native: np.ndarray, truth: np.ndarray, precision: float) -> Any:
        return allowed_error(native, truth, precision, self.tolerance, self.input_scale, self.input_count)
