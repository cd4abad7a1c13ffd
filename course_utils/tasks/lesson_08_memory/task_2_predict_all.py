"""Inference over many batches: in evaluation mode, without a graph, and with the model's mode put back."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.lesson_08_memory.asked_model import asked
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose

_BATCHES, _WIDTH, _OUT = 8, 32, 3


def predict_all_slow(model, batches):
    """What the model says to each row of each batch, in evaluation mode, one below the other."""
    was_training = model.training
    model.eval()
    rows = []
    with torch.no_grad():
        for batch in batches:
            for row in batch:
                rows.append(model(row[None]))
    model.train(was_training)
    return torch.cat(rows)


def _inputs(generator, rows, dtype=torch.float32):
    return asked(generator, dtype), [normal(generator, each, 6, dtype=dtype) for each in rows]


def _evaluating(generator):
    model, batches = _inputs(generator, [3, 2])
    return model.eval(), batches


def _most(model, batches):
    """Two hidden layers of one batch, twice over, and the predictions twice: a graph, or all rows at once, takes more."""
    rows = [len(batch) for batch in batches]
    return 4 * (5 * _WIDTH * max(rows) + 2 * _OUT * sum(rows)) + 4096


def _joined(model, batches):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        result = torch.cat([model(batch) for batch in batches])
    model.train(was_training)
    return result


def _asked_in_training_mode(model, batches):
    with torch.no_grad():
        return torch.cat([model.train()(batch) for batch in batches])


TASK = Task(
    id="predict_all",
    title="Predictions without a trace",
    points=2,
    level=1,
    slow=predict_all_slow,
    inputs=lambda size, generator: _inputs(generator, [size] * _BATCHES),
    edge_cases=(
        Case("a single batch of a single row", lambda g: _inputs(g, [1])),
        Case("a last batch that is shorter", lambda g: _inputs(g, [4, 4, 1])),
        Case("a batch without rows among others", lambda g: _inputs(g, [2, 0, 3])),
        Case("a model that is in evaluation mode already", _evaluating),
        Case("float64 values", lambda g: _inputs(g, [2, 2], torch.float64)),
    ),
    count_sizes=(8, 64),
    race_size=48,
    detached=True,
    story=prose(
        """
        In the middle of its training a model is asked about all batches of the validation data. Training goes on afterwards,
        so nothing of it may be disturbed: not the mode that the model is in, not its running statistics, and no memory may be
        kept for gradients that nobody asks for. Write `predict_all(model, batches)`.
        """
    ),
    rules=prose(
        """
        - `batches` is a list of matrices, at least one row in all. The result has a row for each of theirs, in order.
        - The model is asked in evaluation mode (`model.eval()`), and is back in the mode that it came in
        (`model.training` tells it, `model.train(mode)` sets it), whichever that was.
        - The result keeps no graph.
        - At no time is much more alive than one batch's way through the model and the predictions: the peak is counted, and all
        batches in one are too much.
        """
    ),
    limits=(
        at_most(200, "ops"),
        at_most(
            _most,
            "peak bytes",
            "five hidden layers of the largest batch, two copies of the predictions, and 4,096 bytes",
        ),
        at_most(0, "syncs"),
    ),
    target=3.0,
    ways={"no_grad, batch by batch": _joined},
    hints=items(
        """
        - Three things come before the loop over batches: remember the mode, set another, and tell torch that no gradient
          will be asked for. One thing comes after it.
        - `with torch.no_grad():` or `with torch.inference_mode():` around the loop. A list of one prediction a batch, and one
          `torch.cat`.
        - was_training = model.training; model.eval(); in the block: result = torch.cat([model(batch) for batch in batches]);
          then model.train(was_training).
        """
    ),
    mistakes=(
        Mistake(
            "These are the predictions for the last batch only: collect those of all batches.",
            lambda model, batches: predict_all_slow(model, batches[-1:]),
        ),
        Mistake("The batches are in reverse order.", lambda model, batches: predict_all_slow(model, batches[::-1])),
        Mistake(
            "These are the predictions batch by batch, in a list: join them by one `torch.cat`.",
            lambda model, batches: [predict_all_slow(model, [batch]) for batch in batches],
        ),
    ),
    sources=("S1.8", "S2.5"),
)
