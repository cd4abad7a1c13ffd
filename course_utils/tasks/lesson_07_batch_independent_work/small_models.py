"""The models of lesson 07's exercises, small on purpose: what is counted and raced is the loop over them.

No exercise says what they are; it takes any module.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn

from course_utils.tasks.torch_inputs import normal

# The first gradient by torch.func loads torch's compiler, and a module is followed slowly while its operations are
# counted: on a busy machine these take seconds.
PATIENCE_S = 10.0


class Settling(nn.Module):
    """A small network that applies the same layer again and again: each step may correct the one before."""

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


class Tied(nn.Module):
    """Two layers that are one: the same weights are used on the way in and on the way out."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)
        self.second.weight = self.first.weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(batch, width) → (batch, width)."""
        return self.second(torch.tanh(self.first(x)))


def with_drawn_parameters(module: nn.Module, generator: Any) -> nn.Module:
    """The module in evaluation mode, with parameters and statistics that this generator drew.

    Matrices are drawn so small that a layer which is applied again and again shrinks what was rounded before: two right
    ways to compute it would otherwise drift apart without bound.
    """
    for name, value in module.state_dict().items():
        if not value.is_floating_point():
            continue
        # The largest factor of a random (n, n) matrix is about 2 √n times the standard deviation of its numbers.
        scale = 0.4 / math.sqrt(value.shape[-1]) if value.dim() > 1 else 0.5
        numbers = normal(generator, *value.shape, dtype=value.dtype, scale=scale)
        value.copy_(numbers.abs() + 0.5 if name.endswith("running_var") else numbers)
    return module.eval()


def perceptron(width: int, out: int) -> nn.Module:
    """Two layers."""
    return nn.Sequential(nn.Linear(width, 5), nn.Tanh(), nn.Linear(5, out))


def reader(channels: int) -> nn.Module:
    """Takes batches of series only: without the batch axis, Flatten has nothing to flatten."""
    return nn.Sequential(nn.Conv1d(1, channels, 3), nn.ReLU(), nn.Flatten(), nn.Linear(4 * channels, 2))
