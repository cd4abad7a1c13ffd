"""A training step with a loss per class: the loop over the classes waits at every class and runs small operations.

A sum by index replaces it. A class without rows has no loss, and doesn't count in the mean.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import with_gaps, with_gradients
from course_utils.tasks.torch_inputs import integers, normal


def repair_the_slow_step_slow(model, x, labels, rate):
    """Update the model's parameters by one step on the balanced loss, and return the mean loss of each class."""
    model.zero_grad()
    scores = model(x)
    losses = []
    present = 0
    for each in range(scores.shape[1]):
        rows = labels == each
        if rows.any():
            losses.append(functional.cross_entropy(scores[rows], labels[rows]))
            present += 1
        else:
            losses.append(torch.zeros((), dtype=scores.dtype, device=scores.device))
    balanced = torch.stack(losses).sum() / present
    balanced.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= rate * parameter.grad
    return torch.stack(losses).detach()


def _step(generator, rows, classes, dtype=torch.float32, labels=None, scale=0.5, rate=0.1):
    model = nn.Sequential(nn.Linear(5, 6), nn.Tanh(), nn.Linear(6, classes)).to(dtype)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(normal(generator, *parameter.shape, scale=scale))
    given = integers(generator, 0, classes, rows) if labels is None else torch.tensor(labels)
    return model, normal(generator, len(given), 5, dtype=dtype), given, rate


def _with_running_statistics(generator):
    inputs = _step(generator, 9, 3)
    inputs[0].insert(
        2, nn.BatchNorm1d(6)
    )  # Directly after a linear layer, the gradients of its bias would be rounding.
    return inputs


def _with_images(generator):
    model, x, labels, rate = _step(generator, 9, 3, rate=0.03)
    model[0], model[1], model[2] = nn.Conv2d(1, 2, 2), nn.Flatten(), nn.Linear(8, 3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(normal(generator, *parameter.shape, scale=0.5))
    return model, normal(generator, len(x), 1, 3, 3), labels, rate


def _with_nan(generator):
    model, x, *rest = _step(generator, 0, 1, labels=[0, 0, 0])
    x[2] = torch.nan
    return model, x, *rest


def _certain(generator):
    model, x, labels, rate = _step(generator, 30, 4, scale=8.0)
    with torch.no_grad():
        model[2].weight *= 100
        scores = model(x)
        labels[0], labels[1:] = scores[0].argmin(), scores[1:].argmax(1)  # Only the first row is wrong.
    return model.eval(), x, labels, rate


def by_index(model, x, labels, rate, *, per_class="mean", over="present", clear=True, result="losses", sign=1):
    """Take the step without a loop; its options are common mistakes."""
    if clear:
        model.zero_grad()
    scores = model(x)
    each = functional.cross_entropy(scores, labels, reduction="none")
    nothing = torch.zeros(scores.shape[1], dtype=scores.dtype, device=scores.device)
    rows = nothing.index_add(0, labels, torch.ones_like(each))
    losses = nothing.index_add(0, labels, each)
    if per_class == "mean":
        losses = losses / rows.clamp(min=1)
    if over == "present":
        balanced = losses.sum() / (rows > 0).sum()
    else:
        balanced = losses.mean() if over == "all" else each.mean()
    balanced.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.sub_(parameter.grad, alpha=sign * rate)
    return losses.detach() if result == "losses" else rows


TASK = Task(
    id="repair_the_slow_step",
    title="Repair the slow step",
    points=4,
    level=2,
    slow=repair_the_slow_step_slow,
    inputs=lambda size, generator: _step(generator, 4 * size, size + 1),
    writes=("model",),
    returns=True,
    detached=True,
    edge_cases=(
        Case("a class without rows", lambda g: _step(g, 0, 4, labels=[0, 3, 3, 0, 1])),
        Case("rows of a single class", lambda g: _step(g, 0, 3, labels=[1, 1, 1, 1])),
        Case("a single row", lambda g: _step(g, 1, 4)),
        Case("as many rows as classes", lambda g: _step(g, 0, 5, labels=[4, 0, 2, 1, 3])),
        with_gradients("gradients from an earlier step", lambda g: _step(g, 9, 3)),
        with_gaps(lambda g: _step(g, 9, 3)),
        Case("float64 values", lambda g: _step(g, 12, 3, torch.float64)),
        Case("a model of images and a rate of 0.03", _with_images),
        Case("a row of NaN in the only class", _with_nan),
        Case("a model with running statistics, in training mode", _with_running_statistics),
    ),
    worst=(
        Case("one row of one class among 400 of another one", lambda g: _step(g, 0, 2, labels=[0] * 400 + [1])),
        # Half precision rounds the number of rows of class 0, which is 2,049.
        Case("5,000 rows of 300 classes", lambda g: _step(g, 0, 300, labels=[*[0] * 2048, *[1] * 2652, *range(300)])),
        Case("scores so certain that the loss of some classes is 0, in evaluation mode", _certain),
    ),
    sizes=(1, 2, 3, 5, 12),
    race_size=48,
    tolerance=1e-4,
    story=prose(
        """
        A model sorts parcels into classes, and some classes are rare. To give each class the same weight, the loss is the mean over
        the classes, and the loss of a class is the mean over its rows. A profile of the training step shows hundreds of short
        operations, and a device that is mostly idle. Write `repair_the_slow_step(model, x, labels, rate)`, which takes the same step
        without the loop below.
        """
    ),
    rules=prose(
        """
        - `model(x)` returns one score per row and class, and `labels` holds each row's class (int64). There is at least one row.
        - Each parameter changes in place by `-rate` times its gradient. Afterward, its gradient is the gradient of
          this step's loss.
        - The result is a vector with the mean loss of each class, 0 for a class without rows. It has the dtype of the scores, and
          it keeps no graph. Only classes that have rows count in the mean over the classes. If the loss of a class is NaN, the
          other classes keep theirs.
        """
    ),
    limits=(at_most(80, "ops"), at_most(0, "syncs")),
    target=2.5,
    ways={"index_add": by_index},
    hints=items(
        """
        - Which lines of the loop wait for a value? And which lines run once per class?
        - `losses = functional.cross_entropy(scores, labels, reduction="none")` holds the loss of each row. Lesson 06
          adds up rows by their label without a loop.
        - With `classes = scores.shape[1]`, `losses.new_zeros(classes).index_add(0, labels, losses)` adds up the
          losses by class, and `counts`, the same call with ones, holds the numbers of rows. Divide by the counts, at
          least 1. `(counts > 0).sum()` is the number of classes with rows.
        """
    ),
    mistakes=(
        Mistake(
            "The mean counts classes without rows, too: divide by the number of classes that have rows.",
            lambda *inputs: by_index(*inputs, over="all"),
        ),
        Mistake(
            "The step follows the mean over all rows: give each class the same weight.",
            lambda *inputs: by_index(*inputs, over="rows"),
        ),
        Mistake(
            "These are sums over the rows of a class: divide by their number.",
            lambda *inputs: by_index(*inputs, per_class="sum"),
        ),
        Mistake(
            "The step includes earlier gradients: clear them first.",
            lambda *inputs: by_index(*inputs, clear=False),
        ),
        Mistake("The step goes up the slope: subtract the gradients.", lambda *inputs: by_index(*inputs, sign=-1)),
        Mistake(
            "These are the numbers of rows: return the losses.",
            lambda *inputs: by_index(*inputs, result="rows"),
        ),
    ),
    sources=("S2.9",),
)
