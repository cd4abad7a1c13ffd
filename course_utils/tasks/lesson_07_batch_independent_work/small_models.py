"""Small models for the exercises of lesson 07, so that counts and races measure the loop over models or samples.

The exercises accept any module, so an answer cannot rely on these classes.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn

from course_utils.tasks.torch_inputs import normal


class RepeatedLayer(nn.Module):
    """A small network that applies the same layer ``steps`` times, then a readout layer."""

    def __init__(self, width: int, out: int, steps: int = 20) -> None:
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.read = nn.Linear(width, out)
        self.steps = steps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(batch, width) → (batch, out)."""
        state = x
        for _ in range(self.steps):
            state = torch.tanh(self.inner(state) + x)
        return self.read(state)


class TiedLayers(nn.Module):
    """Two linear layers that share one weight."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)
        self.second.weight = self.first.weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(batch, width) → (batch, width)."""
        return self.second(torch.tanh(self.first(x)))


class MixedSamples(nn.Module):
    """A linear layer whose input is each sample plus the mean of the batch."""

    def __init__(self, width: int, out: int) -> None:
        super().__init__()
        self.read = nn.Linear(width, out)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(batch, width) → (batch, out)."""
        return self.read(x + x.mean(0))


class ScaledLayer(nn.Module):
    """A linear layer whose outputs are multiplied by a parameter, which may be frozen."""

    def __init__(self, width: int, out: int, frozen: bool = False) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(out), requires_grad=not frozen)
        self.inner = nn.Linear(width, out)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(batch, width) → (batch, out)."""
        return self.scale * self.inner(x)


def with_one_scale(width: int, out: int) -> nn.Module:
    """Return a linear layer whose outputs are multiplied by a parameter without an axis."""
    model = ScaledLayer(width, out)
    model.scale = nn.Parameter(torch.ones(()))
    return model


def with_random_parameters(module: nn.Module, generator: Any) -> nn.Module:
    """Return the module in evaluation mode, with parameters and statistics drawn from ``generator``.

    The weights are small, so that a repeated layer damps rounding errors. Otherwise two correct computations could differ
    without bound.
    """
    for name, value in module.state_dict().items():
        if not value.is_floating_point():
            continue
        # The largest factor of a random (n, n) matrix is about 2 √n times the standard deviation of its values.
        scale = 0.4 / math.sqrt(value.shape[-1]) if value.dim() > 1 else 0.5
        numbers = normal(generator, *value.shape, dtype=value.dtype, scale=scale)
        value.copy_(numbers.abs() + 0.5 if name.endswith("running_var") else numbers)
    return module.eval()


def two_layers(width: int, out: int) -> nn.Module:
    """Return two linear layers with a tanh between them: (batch, width) → (batch, out)."""
    return nn.Sequential(nn.Linear(width, 5), nn.Tanh(), nn.Linear(5, out))


def conv_model(channels: int) -> nn.Module:
    """Return a convolution over series of length 6; `Flatten` needs the batch axis: (batch, 1, 6) → (batch, 2)."""
    return nn.Sequential(nn.Conv1d(1, channels, 3), nn.ReLU(), nn.Flatten(), nn.Linear(4 * channels, 2))
