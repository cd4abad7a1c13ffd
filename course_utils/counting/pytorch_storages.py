"""The memory of a torch tensor: the storages that its values are in."""

from __future__ import annotations

from typing import Any

import torch

from course_utils.frameworks import torch_internals


def storages(tensor: torch.Tensor) -> list[tuple[int, torch.UntypedStorage, int]]:
    """The id, object and bytes of a tensor's memory; nothing for layouts with several storages."""
    if tensor.layout is not torch.strided:
        return []
    with torch_internals.DisableTorchFunction():  # This read must not count as the learner's.
        storage = tensor.untyped_storage()
    return [(torch_internals.storage_id(storage), storage, storage.nbytes())]


def own_storages(value: Any) -> list[tuple[int, torch.UntypedStorage, int]]:
    """The ``storages`` of a plain tensor or parameter; nothing for other values, such as another framework's tensor."""
    return storages(value) if type(value) in (torch.Tensor, torch.nn.Parameter) else []
