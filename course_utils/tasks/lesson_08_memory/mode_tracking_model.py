"""The model of lesson 08's inference exercise: its output depends on its mode, and a buffer stores the mode.

An answer that leaves the model in another mode therefore changes an input, which the check detects.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from course_utils.tasks.torch_inputs import normal, uniform


class ModeTrackingModel(nn.Sequential):
    """(rows, features) → (rows, out). In training mode it applies dropout and updates its running statistics."""

    in_training_mode: torch.Tensor

    def __init__(self, features: int, width: int, out: int) -> None:
        layers = nn.Linear(features, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(0.5), nn.Linear(width, out)
        super().__init__(*layers)
        self.register_buffer("in_training_mode", torch.tensor(True))

    def train(self, mode: bool = True) -> ModeTrackingModel:
        """Set the mode and store it in the buffer."""
        self.in_training_mode.fill_(mode)
        super().train(mode)
        return self


def random_model(generator: Any, dtype: torch.dtype = torch.float32, width: int = 32) -> ModeTrackingModel:
    """A model in training mode whose parameters and statistics are drawn from ``generator``."""
    model = ModeTrackingModel(6, width, 3).to(dtype)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(normal(generator, *parameter.shape, scale=0.5))
        model.state_dict()["1.running_mean"].copy_(normal(generator, width))
        model.state_dict()["1.running_var"].copy_(uniform(generator, 0.5, 2.0, width))
    return model
