"""Sorts equal values in the reverse order.

torch defines the order of equal values only if ``stable=True``: the documentation of ``torch.argsort`` says that the order "is
not guaranteed" otherwise. The pages on ``torch.topk``, ``torch.kthvalue`` and ``torch.median`` say the same of the indices. On a
CPU the first of a few equal values often comes first, so only another order shows what an answer relies on.
"""

from __future__ import annotations

from typing import Any

import torch

from course_utils.frameworks import torch_internals

_aten = torch.ops.aten
# ``argsort`` runs as one of the sorts. Each returns values and indices.
_OPERATIONS = {
    _aten.sort.default,
    _aten.sort.stable,
    _aten.topk.default,
    _aten.kthvalue.default,
    _aten.median.dim,
    _aten.nanmedian.dim,
}


def sort_with_reversed_ties(operation: Any, args: tuple, kwargs: dict) -> tuple[torch.Tensor, torch.Tensor] | None:
    """Return values and indices of an operation that sorts or selects, with equal values in the reverse order; None for other
    operations and for stable sorts.

    ``torch.tensor([2, 1, 2]).sort()`` has the indices 1, 2, 0 instead of 1, 0, 2. With ``sorted=False``, ``topk`` may return even
    different values in another order, which would not show that equal values matter, so that is None, too.
    """
    if operation not in _OPERATIONS or not args[0].dim():
        return None
    names = [argument.name for argument in torch_internals.operation_arguments(operation)]
    given = dict(zip(names, args), **kwargs)
    if given.get("stable") or not given.get("sorted", True):
        return None
    dim = given.get("dim", -1)
    values, indices = operation(args[0].flip(dim), *args[1:], **kwargs)
    return values, args[0].shape[dim] - 1 - indices
