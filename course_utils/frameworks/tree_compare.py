"""One walk over two results side by side, mappings and sequences part by part, down to tensors and everything else.

It finds the first place where they differ. What counts as different among values, and the words for it, are a policy's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, TypeVar

from course_utils import frameworks

Found = TypeVar("Found")
Found_co = TypeVar("Found_co", covariant=True)
Aspect = Literal["mapping", "keys", "sequence", "length", "dtype", "shape", "device"]


class Comparer(Protocol[Found_co]):
    """What two results must have in common, and how a difference is told."""

    def is_tensor(self, wanted: Any) -> bool:
        """Whether ``wanted`` is to be compared as a tensor."""

    def differs(self, aspect: Aspect, given: Any, wanted: Any, where: str) -> Found_co:
        """``given``, at the place ``where``, differs from ``wanted`` in this aspect: it is no mapping, has other keys, …"""

    def unfit(self, given: Any, wanted: Any, where: str) -> Found_co | None:
        """Why ``given`` cannot be compared with the tensor ``wanted`` at all."""

    def tensors(self, given: Any, wanted: Any, truth: Any, where: str) -> Found_co | None:
        """How the values of two tensors of one dtype, shape and device differ."""

    def others(self, given: Any, wanted: Any, truth: Any, where: str) -> Found_co | None:
        """How what is no tensor differs."""


def first_difference(policy: Comparer[Found], given: Any, wanted: Any, truth: Any, where: str = "") -> Found | None:
    """None where ``given`` is what is wanted, else the first difference, in the policy's words.

    Args:
        given: the result in question.
        wanted: what it is held against, in structure, class, dtype, shape and device.
        truth: what its values are held against as well: of the structure of ``wanted``; may be ``wanted`` itself.
        where: the place in the result, as ``"[0] at 'mean'"``.
    """
    if isinstance(wanted, Mapping):
        if not isinstance(given, Mapping):
            return policy.differs("mapping", given, wanted, where)
        if given.keys() != wanted.keys():
            return policy.differs("keys", given, wanted, where)
        triples = [(given[key], wanted[key], truth[key], f"{where} at {key!r}") for key in wanted]
    elif isinstance(wanted, (tuple, list)):
        if not isinstance(given, (tuple, list)):
            return policy.differs("sequence", given, wanted, where)
        if len(given) != len(wanted):
            return policy.differs("length", given, wanted, where)
        triples = [(*each, f"{where}[{index}]") for index, each in enumerate(zip(given, wanted, truth))]
    elif policy.is_tensor(wanted):
        return _tensor_difference(policy, given, wanted, truth, where)
    else:
        return policy.others(given, wanted, truth, where)
    found = (first_difference(policy, *triple) for triple in triples)
    return next((each for each in found if each is not None), None)


def _tensor_difference(policy: Comparer[Found], given: Any, wanted: Any, truth: Any, where: str) -> Found | None:
    unfit = policy.unfit(given, wanted, where)
    if unfit is not None:
        return unfit
    aspects: dict[Aspect, Callable[[Any], object]] = {
        "dtype": frameworks.of(wanted).dtype_name,
        "shape": lambda tensor: tuple(tensor.shape),
    }
    if hasattr(given, "device") and hasattr(wanted, "device"):
        aspects["device"] = lambda tensor: str(tensor.device)
    for aspect, told in aspects.items():
        if told(given) != told(wanted):
            return policy.differs(aspect, told(given), told(wanted), where)
    return policy.tensors(given, wanted, truth, where)
