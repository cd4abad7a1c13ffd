"""The circulating loop of inference, repaired: its model and batches handed in, its predictions kept."""

from __future__ import annotations

import torch
from torch import nn

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import prose


def predict_batches_slow(model, batches, device):
    """What the model says to each row of each batch, one below the other, on device; no graph is kept."""
    model = model.to(device)
    rows = []
    with torch.no_grad():
        for inputs, labels in batches:
            labels = labels.to(device)  # nobody uses them
            for row in inputs:
                rows.append(model(row.to(device)[None]))
    return torch.cat(rows)


def _asked(generator, sizes, dtype=torch.float32):
    model = nn.Linear(4, 3).to(dtype)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(normal(generator, *parameter.shape))
    batches = [(normal(generator, rows, 4, dtype=dtype), torch.zeros(rows, dtype=dtype)) for rows in sizes]
    return model, batches, "cpu"


TASK = Task(
    id="predict_batches",
    title="Predictions for all batches",
    points=0,
    level=1,
    slow=predict_batches_slow,
    detached=True,
    inputs=lambda size, generator: _asked(generator, [size + 1] * 4),
    edge_cases=(
        Case("a single batch", lambda g: _asked(g, [3])),
        Case("a last batch that is shorter", lambda g: _asked(g, [4, 4, 1])),
        Case("float64 values", lambda g: _asked(g, [2, 2], torch.float64)),
    ),
    story=prose(
        "Write `predict_batches(model, batches, device)`: what the model says to all batches, as one tensor on `device`."
    ),
    limits=(at_most(6, "transfers"), at_most(0, "syncs")),  # two parameters and four batches
    hints=("Collect the outputs of all batches in a list; torch.cat makes one tensor of it. Labels need not travel.",),
    mistakes=(
        Mistake(
            "These are the predictions for the last batch only: collect those of all batches.",
            lambda model, batches, device: model(batches[-1][0]).detach(),
        ),
    ),
    sources=("S2.5",),
)
