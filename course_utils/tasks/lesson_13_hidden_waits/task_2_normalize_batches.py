"""Constants that stay where they are: one transfer a batch, and one for each constant.

Transfers are counted without a GPU too; a device that keeps no values shows who ignores the one that is handed in.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import noncontiguous, normal, uniform
from course_utils.tasks.unwrap import items, prose


def normalize_batches_slow(batches, mean, std, device):
    """Each batch on the device, its columns shifted by mean and scaled by std."""
    result = []
    for batch in batches:
        columns = []
        for j in range(batch.shape[1]):
            column = batch[:, j].to(device)
            columns.append((column - mean[j].to(device)) / std[j].to(device))
        result.append(torch.stack(columns, dim=1))
    return result


def _batches(generator, count, rows, columns, dtype=torch.float32):
    batches = [normal(generator, rows, columns, dtype=dtype, scale=4.0) for _ in range(count)]
    return batches, normal(generator, columns, dtype=dtype), uniform(generator, 0.5, 2.0, columns, dtype=dtype), "cpu"


def _sent_each_time(batches, mean, std, device):
    return [(batch.to(device) - mean.to(device)) / std.to(device) for batch in batches]


def _sent_once(batches, mean, std, device):
    mean, std = mean.to(device), std.to(device)
    return [(batch.to(device) - mean) / std for batch in batches]


TASK = Task(
    id="normalize_batches",
    title="Constants that stay where they are",
    points=3,
    level=1,
    slow=normalize_batches_slow,
    inputs=lambda size, generator: _batches(generator, 3, size + 1, size),
    edge_cases=(
        Case("no batches", lambda generator: ([], normal(generator, 3), uniform(generator, 0.5, 2, 3), "cpu")),
        Case("a single batch of a single row", lambda generator: _batches(generator, 1, 1, 4)),
        Case("a batch without rows", lambda generator: _batches(generator, 2, 0, 3)),
        Case(
            "a last batch that is shorter",
            lambda generator: (
                [normal(generator, 4, 3), normal(generator, 2, 3)],
                normal(generator, 3),
                uniform(generator, 0.5, 2, 3),
                "cpu",
            ),
        ),
        Case("float64 values", lambda generator: _batches(generator, 2, 3, 4, torch.float64)),
        Case("as many rows as columns", lambda generator: _batches(generator, 2, 4, 4)),
        Case(
            "batches turned on their side",
            lambda generator: (
                [normal(generator, 3, 5).T, normal(generator, 3, 5).T],
                normal(generator, 3),
                uniform(generator, 0.5, 2, 3),
                "cpu",
            ),
        ),
        Case(
            "every second column of wider batches",
            lambda generator: (
                [noncontiguous(normal(generator, 3, 4))],
                normal(generator, 4),
                uniform(generator, 0.5, 2, 4),
                "cpu",
            ),
        ),
        Case(
            "a device given as torch.device", lambda generator: (*_batches(generator, 2, 3, 2)[:3], torch.device("cpu"))
        ),
        Case('the device "meta", which keeps no values', lambda generator: (*_batches(generator, 2, 3, 2)[:3], "meta")),
    ),
    race_size=64,
    count_sizes=(4, 32),
    story=prose(
        """
        Batches come from the host one by one and are normalized on the device: from each column its `mean` is taken,
        and the rest is divided by its `std`. The loop below sends every single column, and the same two constants with
        it each time. Write `normalize_batches(batches, mean, std, device)`: one transfer a batch, and one for each
        constant in all.
        """
    ),
    rules=prose(
        """
        - `batches` is a list of matrices of any number of rows, and may be empty. `mean` and `std` have one value a
        column. The result is a list of matrices on `device`, in the same order; the inputs stay as they were.
        - Transfers are counted, on a machine without a GPU too: at most 5 for the 3 batches of the count.
        - The number of tensor operations depends on the number of batches, not on the columns or rows.
        - Python waits for no value.
        """
    ),
    limits=(
        at_most(18, "ops"),
        at_most(0, "syncs"),
        at_most(5, "transfers"),  # three batches and two constants
    ),
    target=4.0,
    cost=lambda size: Cost(reads=4 * (3 * size * (size + 1) + 2 * size), writes=4 * 3 * size * (size + 1), launches=3),
    ways={"sent each time": _sent_each_time, "sent once": _sent_once},
    hints=items(
        """
        - Which of the tensors that the loop sends are the same in every turn?
        - A transfer costs about the same for one column as for many. So the constants move once, before the loop, and
          each batch moves whole. A loop over batches is fine.
        - Before the loop: `mean = mean.to(device)` and the same for `std`. In it:
          `(batch.to(device, non_blocking=True) - mean) / std`, which broadcasts along the rows.
        """
    ),
    mistakes=(
        Mistake(
            "The result lacks the division by std.", lambda batches, mean, std, device: [b - mean for b in batches]
        ),
        Mistake(
            "The mean is divided by std as well, but not taken from the batch first: mind the brackets.",
            lambda batches, mean, std, device: [b - mean / std for b in batches],
        ),
        Mistake(
            "This takes each batch's own mean and std instead of those given.",
            lambda batches, mean, std, device: [(b - b.mean(0)) / b.std(0, unbiased=False) for b in batches],
        ),
        Mistake(
            "The batches come back as one tensor: a list of one matrix a batch is wanted.",
            lambda batches, mean, std, device: (torch.stack(batches) - mean) / std,
        ),
        Mistake(
            "`x.to(device)` does not move x, it returns a tensor that is there: go on with that one.",
            lambda batches, mean, std, device: [(b - mean) / std for b in batches],
        ),
    ),
    sources=("S0.4", "S2.5"),
)
