"""Compares two results part by part, through mappings and sequences down to tensors and other values.

It finds the first difference. A ``Comparer`` decides which values differ and how a difference is described.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, TypeVar

from course_utils import frameworks

Difference = TypeVar("Difference")
Difference_co = TypeVar("Difference_co", covariant=True)
Aspect = Literal["mapping", "keys", "sequence", "length", "dtype", "shape", "device"]


class Comparer(Protocol[Difference_co]):
    """Decides what differs. ``path`` is the position in the result, such as ``"[0] at 'mean'"``."""

    def is_tensor(self, expected: Any, /) -> bool:
        """Return whether ``expected`` is compared as a tensor."""

    def differs(self, aspect: Aspect, given: Any, expected: Any, path: str, /) -> Difference_co:
        """Return the description of a difference in ``aspect``, such as the keys of a mapping or a dtype."""

    def why_incomparable(self, given: Any, expected: Any, path: str, /) -> Difference_co | None:
        """Return why ``given`` cannot be compared with the tensor ``expected``; None if it can."""

    def compare_tensors(self, given: Any, expected: Any, truth: Any, path: str, /) -> Difference_co | None:
        """Return how the values of two tensors of one dtype, shape and device differ; None if they agree."""

    def compare_others(self, given: Any, expected: Any, truth: Any, path: str, /) -> Difference_co | None:
        """Return how two values that are no tensors differ; None if they agree."""


def first_difference(
    comparer: Comparer[Difference], given: Any, expected: Any, truth: Any, path: str = ""
) -> Difference | None:
    """Return the comparer's description of the first difference, None if there is no difference.

    Args:
        comparer: decides what differs.
        given: the result in question.
        expected: the result that sets structure, class, dtype, shape and device.
        truth: a second result for comparing values, with the structure of ``expected``; may be ``expected`` itself.
        path: the position in the result.
    """
    if isinstance(expected, Mapping):
        if not isinstance(given, Mapping):
            return comparer.differs("mapping", given, expected, path)
        if given.keys() != expected.keys():
            return comparer.differs("keys", given, expected, path)
        parts = [(given[key], expected[key], truth[key], f"{path} at {key!r}") for key in expected]
    elif isinstance(expected, (tuple, list)):
        if not isinstance(given, (tuple, list)):
            return comparer.differs("sequence", given, expected, path)
        if len(given) != len(expected):
            return comparer.differs("length", given, expected, path)
        parts = [(*each, f"{path}[{index}]") for index, each in enumerate(zip(given, expected, truth))]
    elif comparer.is_tensor(expected):
        return _tensor_difference(comparer, given, expected, truth, path)
    else:
        return comparer.compare_others(given, expected, truth, path)
    differences = (first_difference(comparer, *part) for part in parts)
    return next((each for each in differences if each is not None), None)


def _tensor_difference(
    comparer: Comparer[Difference], given: Any, expected: Any, truth: Any, path: str
) -> Difference | None:
    problem = comparer.why_incomparable(given, expected, path)
    if problem is not None:
        return problem
    aspects: dict[Aspect, Callable[[Any], object]] = {
        "dtype": frameworks.of(expected).dtype_name,
        "shape": lambda tensor: tuple(tensor.shape),
    }
    if hasattr(given, "device") and hasattr(expected, "device"):
        aspects["device"] = lambda tensor: str(tensor.device)
    for aspect, value_of in aspects.items():
        if value_of(given) != value_of(expected):
            return comparer.differs(aspect, value_of(given), value_of(expected), path)
    return comparer.compare_tensors(given, expected, truth, path)
