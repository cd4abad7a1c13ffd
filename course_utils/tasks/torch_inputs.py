"""Tensors for the inputs of torch tasks, drawn from the one NumPy generator that every framework shares.

What only one task needs is in the file of that task.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

# NumPy draws int32 in half the time of int64, and faster than int8.
_NARROW = torch.int8, torch.uint8, torch.int16


def normal(generator: Any, *shape: int, dtype: torch.dtype = torch.float32, scale: float = 1.0) -> torch.Tensor:
    """Return normally distributed values with mean 0 and standard deviation ``scale``, of shape ``shape``."""
    return torch.from_numpy(np.asarray(scale * generator.standard_normal(shape))).to(dtype)


def uniform(generator: Any, low: float, high: float, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return uniformly distributed values from ``low`` to ``high``, of shape ``shape``."""
    return torch.from_numpy(np.asarray(generator.uniform(low, high, shape))).to(dtype)


def integers(generator: Any, low: int, high: int, *shape: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    """Return uniformly distributed integers from ``low`` to ``high - 1``, of shape ``shape``."""
    drawn = np.int32 if dtype in _NARROW else np.int64
    return torch.from_numpy(np.asarray(generator.integers(low, high, shape, drawn))).to(dtype)


def noncontiguous(x: torch.Tensor) -> torch.Tensor:
    """Return a copy of ``x`` in every second element of a buffer, starting at the second element.

    Between values, one element is unused, between rows two; the first value is not where the memory begins.
    """
    buffer = torch.full((*x.shape[:-1], 2 * x.shape[-1] + 1), 7, dtype=x.dtype)
    buffer[..., 1::2] = x
    return buffer[..., 1::2]


def reordered(x: torch.Tensor) -> torch.Tensor:
    """Return a copy of ``x`` whose axes have the reverse order in memory; a vector begins in the middle of its memory."""
    if x.dim() > 1:
        return x.permute(*reversed(range(x.dim()))).contiguous().permute(*reversed(range(x.dim())))
    return torch.cat([torch.full((3,), 7, dtype=x.dtype), x])[3:]
