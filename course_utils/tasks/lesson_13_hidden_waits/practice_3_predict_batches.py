"""Practice: a common inference loop, repaired: it takes the model and the batches and returns the predictions."""

from __future__ import annotations

import torch
from torch import nn

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal


def predict_batches_slow(model, batches, device):
    """Return the model's outputs for all rows of all batches, concatenated, on device and without a graph."""
    model = model.to(device)
    rows = []
    with torch.no_grad():
        for inputs, labels in batches:
            labels = labels.to(device)  # unused
            for row in inputs:
                rows.append(model(row.to(device)[None]))
    return torch.cat(rows)


def _model_and_batches(generator, sizes, dtype=torch.float32):
    model = nn.Linear(4, 3).to(dtype)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(normal(generator, *parameter.shape))
    batches = [(normal(generator, rows, 4, dtype=dtype), torch.zeros(rows, dtype=dtype)) for rows in sizes]
    return model, batches, "cpu"


def _with_nan(generator):
    model, batches, device = _model_and_batches(generator, [3, 2])
    batches[1][0][0] = torch.nan
    return model, batches, device


def _batch_by_batch(model, batches, device):
    model = model.to(device)
    with torch.no_grad():
        return torch.cat([model(inputs.to(device)) for inputs, _ in batches])


def _in_evaluation_mode(generator):
    """Return a model with dropout in evaluation mode and one frozen parameter: a call changes neither."""
    layer, *rest = _model_and_batches(generator, [3, 2])
    layer.bias.requires_grad_(False)
    return nn.Sequential(layer, nn.Tanh(), nn.Dropout(0.5)).eval(), *rest


class _OneDevice(nn.Module):
    """Runs on ``wanted`` only, and refuses rows on another device, as a model with parameters does.

    It has no parameters: on "meta", the call would leave them without values.
    """

    wanted = torch.device("meta")

    def __init__(self):
        super().__init__()
        self.device = torch.device("cpu")

    def _apply(self, fn, recurse=True):
        self.device = fn(torch.empty(0)).device
        return super()._apply(fn, recurse)

    def forward(self, x):
        if x.device != self.device:
            raise RuntimeError(f"The model is on {self.device}, but its inputs are on {x.device}.")
        if x.device != self.wanted:
            raise RuntimeError(f"The model runs on {x.device}; it should run on {self.wanted}.")
        return x


def _to_meta(generator):
    _, batches, _ = _model_and_batches(generator, [2, 1])
    return _OneDevice(), batches, "meta"


TASK = Task(
    id="predict_batches",
    title="Predictions for all batches",
    points=0,
    level=1,
    slow=predict_batches_slow,
    reference=_batch_by_batch,
    detached=True,
    inputs=lambda size, generator: _model_and_batches(generator, [size + 1] * 4),
    edge_cases=(
        Case("a single batch", lambda g: _model_and_batches(g, [3])),
        Case("nine batches", lambda g: _model_and_batches(g, [2] * 9)),
        Case("a batch of 5,000 rows", lambda g: _model_and_batches(g, [5000, 2])),
        Case("a model with dropout, in evaluation mode", _in_evaluation_mode),
        Case("a shorter last batch", lambda g: _model_and_batches(g, [4, 4, 1])),
        Case("a row of NaN", _with_nan),
        Case("float64 values", lambda g: _model_and_batches(g, [2, 2], torch.float64)),
        Case('the device "meta", which stores no values', _to_meta),
    ),
    worst="Each row's output depends on that row only.",
    story=prose(
        """
        Write `predict_batches(model, batches, device)`: the model's outputs for all batches as one tensor on `device`.
        """
    ),
    limits=(at_most(6, "transfers"), at_most(0, "syncs")),  # Two parameters and four batches.
    hints=items(
        """
        - Collect the outputs of all batches in a list; `torch.cat` makes one tensor from it. The labels aren't needed
          on the device.
        """
    ),
    mistakes=(
        Mistake(
            "These are the predictions for the last batch only: collect the predictions of all batches.",
            lambda model, batches, device: model(batches[-1][0]).detach(),
        ),
    ),
    sources=("S2.5",),
)
