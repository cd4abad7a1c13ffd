"""Finds the storage that holds a torch tensor's values."""

from __future__ import annotations

from typing import Any

import torch

from course_utils.frameworks import torch_internals


def storages(tensor: torch.Tensor) -> list[tuple[int, torch.UntypedStorage, int]]:
    """Return a list with the id, object and bytes of a tensor's storage; it is empty if the layout is not strided."""
    if tensor.layout is not torch.strided:
        return []
    with torch_internals.DisableTorchFunction():  # The counter must not see this read as the learner's.
        storage = tensor.untyped_storage()
    return [(torch_internals.storage_id(storage), storage, storage.nbytes())]


def own_storages(value: Any) -> list[tuple[int, torch.UntypedStorage, int]]:
    """Return the ``storages`` of a plain tensor or parameter, and an empty list for any other value."""
    return storages(value) if type(value) in (torch.Tensor, torch.nn.Parameter) else []
