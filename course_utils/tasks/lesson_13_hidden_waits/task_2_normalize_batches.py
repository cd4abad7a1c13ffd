"""Constants that stay on the device: one transfer per batch, and one per constant.

Transfers are counted without a GPU too; a test with a device that stores no values detects an answer that ignores the
device argument.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.frameworks.tensor_interface import FLOATING
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal, uniform


def normalize_batches_slow(batches, mean, std, device):
    """Return each batch on the device: each column minus its mean, divided by its std."""
    result = []
    for batch in batches:
        columns = []
        for j in range(batch.shape[1]):
            column = batch[:, j].to(device)
            columns.append((column - mean[j].to(device)) / std[j].to(device))
        result.append(torch.stack(columns, dim=1))
    return result


def _batches(generator, count, rows, columns):
    batches = [normal(generator, rows, columns, scale=4.0) for _ in range(count)]
    return batches, normal(generator, columns), uniform(generator, 0.5, 2.0, columns), "cpu"


def _infinite(_):
    batch = torch.tensor([[inf, 1.0], [-inf, 2.0], [nan, 3.0]])
    return [batch, batch.flip(0)], torch.tensor([1.0, 2.0]), torch.tensor([2.0, 0.0]), "cpu"


def _far_from_zero(generator):
    batches, mean, std, device = _batches(generator, 2, 4, 3)
    return [batch + 30_000 for batch in batches], mean + 30_000, std, device


def _sent_each_time(batches, mean, std, device):
    return [(batch.to(device) - mean.to(device)) / std.to(device) for batch in batches]


def _sent_once(batches, mean, std, device):
    mean, std = mean.to(device), std.to(device)
    return [(batch.to(device) - mean) / std for batch in batches]


TASK = Task(
    id="normalize_batches",
    title="Constants that stay on the device",
    points=3,
    level=1,
    slow=normalize_batches_slow,
    reference=_sent_once,
    inputs=lambda size, generator: _batches(generator, 3, size + 1, size),
    dtypes={"batches, mean, std": FLOATING},
    edge_cases=(
        Case("no batches", lambda generator: ([], normal(generator, 3), uniform(generator, 0.5, 2, 3), "cpu")),
        Case("a single batch of a single row", lambda generator: _batches(generator, 1, 1, 4)),
        Case("batches without rows", lambda generator: _batches(generator, 2, 0, 3)),
        Case(
            "a shorter last batch",
            lambda generator: (
                [normal(generator, 4, 3), normal(generator, 2, 3)],
                normal(generator, 3),
                uniform(generator, 0.5, 2, 3),
                "cpu",
            ),
        ),
        Case("batches of 5,000 rows", lambda generator: _batches(generator, 2, 5000, 2)),
        Case("batches of 5,000 columns", lambda generator: _batches(generator, 2, 2, 5000)),
        Case("as many rows as columns", lambda generator: _batches(generator, 2, 4, 4)),
        Case(
            "transposed batches",
            lambda generator: (
                [normal(generator, 3, 5).T, normal(generator, 3, 5).T],
                normal(generator, 3),
                uniform(generator, 0.5, 2, 3),
                "cpu",
            ),
        ),
        Case(
            "a device given as torch.device", lambda generator: (*_batches(generator, 2, 3, 2)[:3], torch.device("cpu"))
        ),
        Case("columns far from zero", _far_from_zero),
        Case("infinity and NaN, and a std of 0", _infinite),
        Case(
            'the device "meta", which stores no values', lambda generator: (*_batches(generator, 2, 3, 2)[:3], "meta")
        ),
    ),
    worst=(Case("forty batches, one after the other", lambda generator: _batches(generator, 40, 3, 4)),),
    race_size=64,
    count_sizes=(4, 32),
    story=prose(
        """
        Batches arrive from the host one by one and are normalized on the device: subtract each column's `mean`, and
        divide the difference by its `std`. The loop below transfers every single column, and two constants with each
        column. Write `normalize_batches(batches, mean, std, device)` with one transfer per batch and one per
        constant in total.
        """
    ),
    rules=prose(
        """
        - `batches` is a list of matrices with any number of rows, and may be empty. `mean` and `std` have one value per
          column. All tensors have one floating dtype. The result is a list of matrices on `device`, in the same order.
          The inputs are not modified.
        - The counts use 3 batches. Transfers are counted without a GPU too. The order of a batch's transfer and
          normalization is not checked.
        """
    ),
    limits=(
        at_most(18, "ops"),
        at_most(0, "syncs"),
        at_most(5, "transfers"),  # Three batches and two constants.
    ),
    # The tolerance is relative to the result, because the inputs can be large: 34 times the distance from 1 to the next float32.
    tolerance=4e-6,
    target=4.0,
    cost=lambda size: Cost(reads=4 * (3 * size * (size + 1) + 2 * size), writes=4 * 3 * size * (size + 1), launches=3),
    ways={"constants sent per batch": _sent_each_time, "constants sent once": _sent_once},
    hints=items(
        """
        - Which tensors does the loop transfer in every iteration although they don't change?
        - Each transfer has a fixed cost, whether it copies one column or many. So transfer the constants once, before the loop,
          and each batch as a whole. A loop over the batches is fine.
        - Before the loop, write `mean = mean.to(device)`, and do the same for `std`. Inside the loop,
          `(batch.to(device, non_blocking=True) - mean) / std` broadcasts over the rows.
        """
    ),
    mistakes=(
        Mistake(
            "The division by `std` is missing: divide the difference by it.",
            lambda batches, mean, std, device: [b - mean for b in batches],
        ),
        Mistake(
            "Only the mean is divided by `std`: put the subtraction in parentheses.",
            lambda batches, mean, std, device: [b - mean / std for b in batches],
        ),
        Mistake(
            "The batch and `mean` are divided before the subtraction, so values far from zero lose digits: subtract `mean` first.",
            lambda batches, mean, std, device: [(b / std - mean / std).to(device) for b in batches],
        ),
        Mistake(
            "This uses each batch's own mean and std: use the arguments.",
            lambda batches, mean, std, device: [(b - b.mean(0)) / b.std(0, unbiased=False) for b in batches],
        ),
        Mistake(
            "The result is one tensor: return a list with one matrix per batch.",
            lambda batches, mean, std, device: (torch.stack(batches) - mean) / std,
        ),
        Mistake(
            "The result stays on the host: use the tensor that `x.to(device)` returns, because `x` itself doesn't move.",
            lambda batches, mean, std, device: [(b - mean) / std for b in batches],
        ),
    ),
    sources=("S0.4", "S2.5"),
)
