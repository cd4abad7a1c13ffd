"""A challenge: a training script with unknown faults. The profile finds them; the results must stay equal.

The faults: the whole recording is scaled in each step, rows are stacked one by one, the loss is a loop over columns, the update
runs per parameter, the loss is read in each step, and the predictions are joined in each step.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import with_gaps, with_gradients
from course_utils.tasks.torch_inputs import normal, uniform

INSIDE, HIDDEN, COLUMNS, BATCH = 32, 32, 48, 32


def repair_the_script_slow(model, readings, targets, batch, rate):
    """Train the model in one pass over the readings; return the loss of each step and the prediction for each row."""
    velocity = [torch.zeros_like(parameter) for parameter in model.parameters()]
    losses = []
    predictions = targets[:0]
    for first in range(0, len(readings), batch):
        scaled = (readings - readings.mean(0)) / readings.std(0)
        x = torch.stack([scaled[row] for row in range(first, min(first + batch, len(readings)))])
        y = targets[first : first + batch]
        predicted = model(x)
        loss = torch.zeros((), dtype=y.dtype, device=y.device)
        for column in range(y.shape[1]):
            loss = loss + ((predicted[:, column] - y[:, column]) ** 2).mean()
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for parameter, speed in zip(model.parameters(), velocity):
                speed.copy_(0.9 * speed + parameter.grad)
                parameter.copy_(parameter - rate * speed)
        losses.append(loss.item())
        predictions = torch.cat([predictions, predicted.detach()])
    return torch.tensor(losses, dtype=targets.dtype, device=targets.device), predictions


def _script(generator, rows, batch, sizes=(4, 5, 3), dtype=torch.float32, rate=0.01, spread=1.0):
    inside, hidden, columns = sizes
    model = nn.Sequential(nn.Linear(inside, hidden), nn.Tanh(), nn.Linear(hidden, columns)).to(dtype)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(normal(generator, *parameter.shape, scale=0.3))
    shift, width = normal(generator, inside, dtype=dtype), uniform(generator, 0.5, 2.0, inside, dtype=dtype)
    readings = shift + width * normal(generator, rows, inside, dtype=dtype)
    return model, readings, normal(generator, rows, columns, dtype=dtype, scale=spread), batch, rate


def _one_layer(generator):
    _, *rest = _script(generator, 7, 3, rate=0.05)
    model = nn.Linear(4, 3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(normal(generator, *parameter.shape, scale=0.3))
    return model, *rest


def _far_from_zero(generator):
    model, readings, *rest = _script(generator, 9, 3)
    return model.eval(), readings + 300, *rest


def _small_readings(generator):
    model, readings, *rest = _script(generator, 9, 3)
    return model, 1e-9 * readings, *rest


def by_parts(
    model, readings, targets, batch, rate, *, momentum=0.9, scale="all", clear=True, mean=False, after=False, swap=False
):
    """Run the script without its faults; the options are common mistakes."""
    scaled = (readings - readings.mean(0)) / readings.std(0) if scale == "all" else readings
    optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=momentum)
    losses, predictions = [], []
    for x, y in zip(scaled.split(batch), targets.split(batch)):
        if scale == "batch" and len(x) > 1:
            x = (x - x.mean(0)) / x.std(0)
        predicted = model(x)
        loss = functional.mse_loss(predicted, y)
        if not mean:
            loss = loss * y.shape[1]
        if clear:
            optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        predictions.append(model(x).detach() if after else predicted.detach())
    result = torch.stack(losses), torch.cat(predictions)
    return result[::-1] if swap else result


TASK = Task(
    id="repair_the_script",
    title="Repair the script",
    points=5,
    level=3,
    slow=repair_the_script_slow,
    inputs=lambda size, generator: (
        _script(generator, 2 * size + 1, 2)
        if size < 7
        else _script(generator, BATCH * size, BATCH, (INSIDE, HIDDEN, COLUMNS), rate=0.001)
    ),
    writes=("model",),
    returns=True,
    detached=True,
    edge_cases=(
        Case("a single batch", lambda g: _script(g, 4, 9)),
        Case("a shorter last batch", lambda g: _script(g, 8, 3)),
        Case("batches of one row", lambda g: _script(g, 5, 1)),
        Case("a single column", lambda g: _script(g, 6, 2, (3, 4, 1))),
        Case("float64 values", lambda g: _script(g, 7, 3, dtype=torch.float64)),
        Case("a model of one layer, and a rate of 0.05", _one_layer),
        with_gradients("gradients from an earlier run", lambda g: _script(g, 7, 3)),
        with_gaps(lambda g: _script(g, 7, 3)),
        Case("as many rows as columns in a batch", lambda g: _script(g, 6, 3, (3, 3, 3))),
    ),
    worst=(
        Case("60 steps", lambda g: _script(g, 120, 2)),
        Case("readings far from 0, in evaluation mode", _far_from_zero),
        Case("readings in a unit in which they are small", _small_readings),
        Case("5,000 rows", lambda g: _script(g, 5000, 1000)),
        Case("large targets", lambda g: _script(g, 9, 3, spread=100.0, rate=0.001)),
    ),
    sizes=(1, 2, 3, 5),
    count_sizes=(2, 6),
    race_size=8,
    tolerance=2e-4,
    story=prose(
        """
        A colleague hands you a training script: it predicts 48 values from 32 sensors, and it takes much longer than the network
        needs. The colleague doesn't know why. The results must stay the same. Use the method of the lesson on the
        loop below: clocks, `explain`, a profile. Then write `repair_the_script(model, readings, targets, batch, rate)`. How close to the
        limit of the arithmetic can you get?
        """
    ),
    rules=prose(
        """
        - `readings` and `targets` are matrices with one row per sample, of the same dtype and on the same device; no column of the
          readings is constant, and there are at least two rows. `batch`, the rows per step, and `rate` are Python
          numbers.
        - `model` maps a batch of readings to as many columns as `targets` has. Afterward, its parameters and their gradients are the
          same as after the loop.
        - The result is a pair: a vector with the loss of each step before its update, and a matrix with the prediction
          for each row before its step's update. Neither keeps a graph.
        - The loop over the batches stays, because each step needs the parameters of the step before.
        """
    ),
    limits=(at_most(0, "syncs"),),
    target=3.0,
    cost=lambda size: Cost(
        reads=4 * BATCH * size * (INSIDE + COLUMNS),
        writes=4 * BATCH * size * COLUMNS,
        flops=2 * BATCH * size * HIDDEN * (2 * INSIDE + 3 * COLUMNS),  # the readings need no gradient
    ),
    ways={"part by part": by_parts},
    hints=items(
        """
        - Put a clock around each line of the loop, or call `explain(repair_the_script_slow, …)`. Which lines do the same work in each
          step? Which run once per row, per column, per parameter?
        - The scaled readings don't depend on the step. A slice replaces the stacked rows. The sum of the columns' means is the mean of
          all squares, times the number of columns.
        - `torch.optim.SGD(…, momentum=0.9)` makes the same update; it has `foreach=True` or `fused=True`. Keep `loss.detach()` and
          `predicted.detach()` in lists, and join them once, at the end.
        """
    ),
    mistakes=(
        Mistake(
            "The momentum is missing: keep a velocity for each parameter, as the loop does.",
            lambda *inputs: by_parts(*inputs, momentum=0.0),
        ),
        Mistake(
            "Each batch is scaled by its own mean: use the mean and the deviation of all readings.",
            lambda *inputs: by_parts(*inputs, scale="batch"),
        ),
        Mistake(
            "The readings aren't scaled: subtract their mean, and divide by their deviation.",
            lambda *inputs: by_parts(*inputs, scale="never"),
        ),
        Mistake(
            "The gradients accumulate from step to step: clear them before each `backward()`.",
            lambda *inputs: by_parts(*inputs, clear=False),
        ),
        Mistake(
            "The loss is the *sum* over the columns of their means: multiply the mean by the number of columns.",
            lambda *inputs: by_parts(*inputs, mean=True),
        ),
        Mistake(
            "These are the predictions after each update: return the predictions before it.",
            lambda *inputs: by_parts(*inputs, after=True),
        ),
        Mistake("The results are swapped: return the losses first.", lambda *inputs: by_parts(*inputs, swap=True)),
    ),
    sources=("S2.9",),
)
