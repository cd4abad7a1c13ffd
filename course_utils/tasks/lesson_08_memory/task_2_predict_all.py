"""Inference over many batches: in evaluation mode, without a graph, with the model's mode restored."""

from __future__ import annotations

import torch
from torch import nn

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal, uniform

_BATCHES, _WIDTH, _OUT = 8, 32, 3


def predict_all_slow(model, batches):
    """Return the model's outputs for all rows of all batches, concatenated, computed in evaluation mode."""
    was_training = model.training
    model.eval()
    rows = []
    with torch.no_grad():
        for batch in batches:
            for row in batch:
                rows.append(model(row[None]))
    model.train(was_training)
    return torch.cat(rows)


def _model(generator, dtype):
    """Return a model in training mode that has the gradients of its last batch."""
    layers = nn.Linear(6, _WIDTH), nn.BatchNorm1d(_WIDTH), nn.ReLU(), nn.Dropout(0.5), nn.Linear(_WIDTH, _OUT)
    model = nn.Sequential(*layers).to(dtype)
    statistics = {"running_mean": normal(generator, _WIDTH), "running_var": uniform(generator, 0.5, 2.0, _WIDTH)}
    model[1].load_state_dict(statistics, strict=False)
    for parameter in model.parameters():
        parameter.data = normal(generator, *parameter.shape, scale=0.5, dtype=dtype)
        parameter.grad = normal(generator, *parameter.shape, dtype=dtype)
    return model


def _inputs(generator, rows, dtype=torch.float32):
    return _model(generator, dtype), [normal(generator, each, 6, dtype=dtype) for each in rows]


class FunctionalDropout(nn.Module):
    """A model whose own mode matters, unlike that of a container."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, 1)

    def forward(self, x):
        return nn.functional.dropout(self.linear(x), 0.5, self.training)


def _with_normal_parameters(generator, model, rows):
    for parameter in model.parameters():
        parameter.data = normal(generator, *parameter.shape)
    return model, [normal(generator, each, 6) for each in rows]


def _with_matrices(generator):
    return _with_normal_parameters(generator, nn.Sequential(nn.Linear(6, 6), nn.Unflatten(1, (2, 3))), (3, 2))


def _evaluating(generator):
    model, batches = _inputs(generator, [3, 2])
    return model.eval(), batches


def _with_a_batch_twice(generator):
    model, (empty, batch) = _inputs(generator, [0, 3])
    return model, [empty, batch, batch]


def _with_a_frozen_layer(generator):
    model, batches = _inputs(generator, [3, 2])
    next(model.parameters()).requires_grad_(False)
    return model, batches


def _with_a_batch_that_requires_a_gradient(generator):
    model, batches = _inputs(generator, [3, 2])
    return model, [batches[0], batches[1].requires_grad_()]


def _with_small_outputs(generator):
    model, batches = _inputs(generator, [3, 2])
    model[-1].weight.data /= 2**20
    model[-1].bias.data /= 2**20
    return model, batches


def _most(model, batches):
    """Return the bytes of one batch's temporary tensors and two copies of the predictions; a graph or a joined batch
    needs more."""
    rows = [len(batch) for batch in batches]
    return 4 * (5 * _WIDTH * max(rows) + 2 * _OUT * sum(rows)) + 4096


def _forward_and_join(model, batches):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        result = torch.cat([model(batch) for batch in batches])
    model.train(was_training)
    return result


def _in_training_mode(model, batches):
    with torch.no_grad():
        return torch.cat([model.train()(batch) for batch in batches])


TASK = Task(
    id="predict_all",
    title="Predictions without side effects",
    points=2,
    level=1,
    slow=predict_all_slow,
    inputs=lambda size, generator: _inputs(generator, [size] * _BATCHES),
    edge_cases=(
        Case("a single batch of a single row", lambda g: _inputs(g, [1])),
        Case("a shorter last batch", lambda g: _inputs(g, [4, 4, 1])),
        Case("a batch without rows among others", lambda g: _inputs(g, [2, 0, 3])),
        Case("a batch without rows, then one that appears twice", _with_a_batch_twice),
        Case("a model that is already in evaluation mode", _evaluating),
        Case(
            "a model with functional dropout and one output",
            lambda g: _with_normal_parameters(g, FunctionalDropout(), (5, 2)),
        ),
        Case("a model that returns a matrix for each row", _with_matrices),
        Case("float64 values", lambda g: _inputs(g, [2, 2], torch.float64)),
    ),
    worst=(
        Case("a model with a frozen layer", _with_a_frozen_layer),
        Case("a batch that requires a gradient", _with_a_batch_that_requires_a_gradient),
        Case("a model whose outputs are about 1e-6", _with_small_outputs),
        Case("300 batches of one row", lambda g: _inputs(g, [1] * 300)),
        Case("a batch of 4,200 rows", lambda g: _inputs(g, [4200])),
    ),
    count_sizes=(8, 64),
    race_size=48,
    detached=True,
    story=prose(
        """
        In the middle of its training, a model predicts for all batches of the validation data. Training continues
        afterward, so prediction must not disturb it: the model's mode and its running statistics stay the same, and
        the prediction keeps no memory for gradients. Write `predict_all(model, batches)`.
        """
    ),
    rules=prose(
        """
        - `batches` is a list of matrices with at least one row in total, in the model's dtype: float32 or float64. The result has one row for each of their rows,
          in order.
        - The model predicts in evaluation mode (`model.eval()`) and is back in its original mode afterward.
          (`model.training` reads the mode, which all its modules share, and `model.train(mode)` sets it.)
        - The result keeps no graph, even if a batch requires a gradient. Gradient mode, `requires_grad` of the
          parameters and their gradients are as before.
        - The counts use 8 batches. A loop over the batches is fine.
        """
    ),
    limits=(
        at_most(200, "ops"),
        at_most(
            _most,
            "peak bytes",
            "the bytes of five hidden layers for the largest batch and of two copies of the predictions, plus 4,096 bytes",
        ),
        at_most(0, "syncs"),
    ),
    target=3.0,
    ways={"no_grad, per batch": _forward_and_join},
    hints=items(
        """
        - Three things happen before the loop over batches: save the mode, set evaluation mode, and turn gradients off.
          One thing happens after it.
        - Put `with torch.no_grad():` or `with torch.inference_mode():` around the loop. Collect one prediction per
          batch in a list, and call `torch.cat` once.
        - `was_training = model.training; model.eval()`; in the block `result = torch.cat([model(batch) for batch in
          batches])`; then `model.train(was_training)`.
        """
    ),
    mistakes=(
        Mistake(
            "These are the predictions for the last batch only: collect the predictions of all batches.",
            lambda model, batches: predict_all_slow(model, batches[-1:]),
        ),
        Mistake(
            "The batches are in reverse order: keep their order.",
            lambda model, batches: predict_all_slow(model, batches[::-1]),
        ),
        Mistake(
            "The predictions are a list with one tensor per batch: join them with one `torch.cat`.",
            lambda model, batches: [predict_all_slow(model, [batch]) for batch in batches],
        ),
    ),
    sources=("S1.8", "S2.5"),
)
