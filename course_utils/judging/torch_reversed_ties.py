"""Sorts equal values in the reverse order.

torch defines the order of equal values only if ``stable=True``: the documentation of ``torch.argsort`` says that the order "is
not guaranteed" otherwise, and the page on ``torch.topk`` says the same of tied elements. On a CPU the first of a few equal
values often comes first, so only another order shows what an answer relies on.
"""

from __future__ import annotations

from typing import Any

import torch

from course_utils.frameworks import torch_internals

_SORT, _TOPK = torch.ops.aten.sort, torch.ops.aten.topk


def sort_with_reversed_ties(operation: Any, args: tuple, kwargs: dict) -> tuple[torch.Tensor, torch.Tensor] | None:
    """Return values and indices of an unstable sort or of ``topk``, with equal values in the reverse order; None for other
    operations.

    ``torch.tensor([2, 1, 2]).sort()`` has the indices 1, 2, 0 instead of 1, 0, 2.
    """
    if (
        operation.overloadpacket not in (_SORT, _TOPK)
        or kwargs.get("stable")
        or not args[0].dim()
        or "values" in kwargs
    ):
        return None
    names = [argument.name for argument in torch_internals.operation_arguments(operation)]
    dim = dict(zip(names, args), **kwargs).get("dim", -1)
    values, indices = operation(args[0].flip(dim), *args[1:], **kwargs)
    return values, args[0].shape[dim] - 1 - indices
