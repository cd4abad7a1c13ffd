"""Tensors for the inputs of torch tasks, drawn from the one NumPy generator that every framework shares.

Nothing here knows a task; what a task needs of its inputs stands in its own module.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch


def normal(generator: Any, *shape: int, dtype: torch.dtype = torch.float32, scale: float = 1.0) -> torch.Tensor:
    """Normally distributed numbers of standard deviation ``scale``, shape ``shape``."""
    return torch.from_numpy(np.asarray(scale * generator.standard_normal(shape))).to(dtype)


def uniform(generator: Any, low: float, high: float, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Evenly distributed numbers from ``low`` up to ``high``, shape ``shape``."""
    return torch.from_numpy(np.asarray(generator.uniform(low, high, shape))).to(dtype)


def integers(generator: Any, low: int, high: int, *shape: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    """Whole numbers from ``low`` up to, but without, ``high``, shape ``shape``."""
    return torch.from_numpy(np.asarray(generator.integers(low, high, shape))).to(dtype)


def noncontiguous(x: torch.Tensor) -> torch.Tensor:
    """The numbers of ``x`` as a view of a buffer twice as wide: each one's neighbour in memory belongs to nobody."""
    buffer = torch.full((*x.shape[:-1], 2 * x.shape[-1]), 7, dtype=x.dtype)
    buffer[..., ::2] = x
    return buffer[..., ::2]
