"""The exercises of lesson 13: a log that waits at every step, constants that move at every batch, a choice made in Python.

What counts is counted, not timed: a learner without a GPU sees the same waits and transfers as one who has it.
"""

from __future__ import annotations

import torch

from course_utils.tasks.prose import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import every_second, normal, uniform

INF = float("inf")
NAN = float("nan")


def loss_history_slow(losses):
    """The mean of all losses up to and including each step."""
    history = []
    total = 0.0
    for step, loss in enumerate(losses):
        total += loss.item()
        history.append(total / (step + 1))
    return torch.tensor(history, dtype=losses[0].dtype, device=losses[0].device)


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


def clip_outliers_slow(x, sigmas):
    """The vector x with every value that lies more than sigmas standard deviations from the mean moved to that distance."""
    mean = x.mean()
    reach = sigmas * x.std(unbiased=False)
    result = x.clone()
    for i in range(len(x)):
        if x[i] > mean + reach:
            result[i] = mean + reach
        elif x[i] < mean - reach:
            result[i] = mean - reach
    return result


def _losses(generator, steps, dtype=torch.float32):
    return (list(uniform(generator, 0.1, 3.0, steps, dtype=dtype).unbind()),)


def _batches(generator, count, rows, columns, dtype=torch.float32):
    batches = [normal(generator, rows, columns, dtype=dtype, scale=4.0) for _ in range(count)]
    return batches, normal(generator, columns, dtype=dtype), uniform(generator, 0.5, 2.0, columns, dtype=dtype), "cpu"


def _with_outliers(generator, size, dtype=torch.float32):
    x = normal(generator, size, dtype=dtype)
    x[::5] *= 6
    return x, 1.5


def _by_sample_deviation(x, sigmas):
    if len(x) < 2:  # it is not defined there
        return x * NAN
    return x.clamp(x.mean() - sigmas * x.std(), x.mean() + sigmas * x.std())


LOSS_HISTORY = Task(
    id="loss_history",
    title="A log that does not wait",
    points=2,
    lesson="13_hidden_waits",
    slow=loss_history_slow,
    inputs=lambda size, generator: _losses(generator, size),
    edge_cases=(
        Case("a single loss", lambda generator: _losses(generator, 1)),
        Case("float64 losses", lambda generator: _losses(generator, 6, torch.float64)),
        Case("losses of zero", lambda _: ([torch.tensor(0.0)] * 3,)),
        Case("losses that fall by orders of magnitude", lambda _: ([torch.tensor(10.0**-k) for k in range(6)],)),
        Case("a loss that is not a number", lambda _: ([torch.tensor(1.0), torch.tensor(NAN), torch.tensor(2.0)],)),
        Case("one infinite loss", lambda _: ([torch.tensor(1.0), torch.tensor(INF)],)),
    ),
    race_size=2000,
    count_sizes=(8, 64),
    story=prose(
        """
        A training loop keeps the loss of every step, each a tensor of a single number. The log wants, for every step,
        the mean of all losses so far. The loop below asks each tensor for its number in turn, and on a GPU each such
        question stops the program until the GPU has caught up. Write `loss_history(losses)` so that it asks none.
        (`x.cumsum(0)` holds the running sums of a vector `x`.) What that saves shows on a GPU; here it is counted.
        """
    ),
    counts=prose(
        """
        - `losses` is a list of at least one tensor without dimensions, all of one dtype and device. The result is a
        vector of their dtype on their device, as long as `losses`.
        - Python waits for no value: no `.item()`, and no `torch.tensor(losses)`, which takes each loss out by itself.
        - A few tensor operations, whatever the number of losses.
        """
    ),
    max_ops=12,
    max_syncs=0,
    hints=items(
        """
        - Which line makes Python wait for a value, and how often is it reached?
        - `torch.stack(losses)` makes one tensor of them all, without a wait. From there on everything can be done on
          the tensor.
        - The running sum is `cumsum(0)`, the number of steps so far is `torch.arange(1, n + 1)` on the same device:
          divide one by the other.
        """
    ),
    mistakes=(
        Mistake("These are the losses themselves: each entry should be the mean of all losses so far.", torch.stack),
        Mistake(
            "These are running sums: divide each by the number of steps so far.",
            lambda losses: torch.stack(losses).cumsum(0),
        ),
        Mistake(
            "Off by one: the step with index 0 is the first, so its sum is divided by 1.",
            lambda losses: torch.stack(losses).cumsum(0) / torch.arange(2, len(losses) + 2, dtype=losses[0].dtype),
        ),
        Mistake(
            "This is the mean of all losses at every step, also of those still to come.",
            lambda losses: torch.stack(losses).mean().repeat(len(losses)),
        ),
    ),
    sources=("S0.4", "S1.1"),
)

NORMALIZE_BATCHES = Task(
    id="normalize_batches",
    title="Constants that stay where they are",
    points=3,
    lesson="13_hidden_waits",
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
                [every_second(normal(generator, 3, 4))],
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
    counts=prose(
        """
        - `batches` is a list of matrices of any number of rows, and may be empty. `mean` and `std` have one value a
        column. The result is a list of matrices on `device`, in the same order; the inputs stay as they were.
        - Transfers are counted, on a machine without a GPU too: at most 5 for the 3 batches of the count.
        - The number of tensor operations depends on the number of batches, not on the columns or rows.
        - Python waits for no value.
        """
    ),
    max_ops=18,
    max_transfers=5,  # three batches and two constants
    target=4.0,
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

CLIP_OUTLIERS = Task(
    id="clip_outliers",
    title="A choice that never leaves the device",
    points=2,
    lesson="13_hidden_waits",
    slow=clip_outliers_slow,
    inputs=lambda size, generator: _with_outliers(generator, size),
    edge_cases=(
        Case("a single value", lambda generator: (normal(generator, 1), 2.0)),
        Case("no outliers at all", lambda _: (torch.tensor([1.0, 2.0, 3.0]), 5.0)),
        Case("values that are all the same", lambda _: (torch.full((5,), 3.0), 1.0)),
        Case("a reach of nothing", lambda generator: (normal(generator, 6), 0.0)),
        Case("outliers on one side only", lambda _: (torch.tensor([0.0, 0.1, 0.2, 0.0, 9.0]), 1.0)),
        Case("outliers on both sides", lambda _: (torch.tensor([-9.0, 0.1, 0.0, 0.2, 0.0, 9.0]), 1.0)),
        Case("float64 values", lambda generator: _with_outliers(generator, 11, torch.float64)),
        Case("every second value of a longer vector", lambda generator: (every_second(normal(generator, 9)), 1.0)),
        Case("values far from zero", lambda generator: (normal(generator, 9) + 1000, 1.0)),
        Case("a whole number of sigmas", lambda generator: (_with_outliers(generator, 10)[0], 1)),
    ),
    race_size=600,
    story=prose(
        """
        A sensor sometimes spits. Every value further than `sigmas` standard deviations from the mean is to be moved back
        to just that distance. The loop below asks an `if` of every value, and each `if` makes Python wait for the device.
        Write `clip_outliers(x, sigmas)` so that nothing waits.
        """
    ),
    counts=prose(
        """
        - `x` is a vector of floating-point numbers with at least one value, `sigmas` is a number, 0 or more. The standard
        deviation is that of the values themselves (divided by n, not by n − 1). The result has the dtype and device of
        `x`, and `x` stays as it was.
        - Python waits for no value: no `.item()`, no `if` on a tensor, no mask that decides a shape or that a tensor is
        written through.
        - A few tensor operations, however long `x` is.
        """
    ),
    max_ops=24,  # so that two branches stay below it, and are told as the waits that they are
    max_syncs=0,
    target=20.0,
    hints=items(
        """
        - Mean and standard deviation are tensors. Where does Python ask for their values?
        - The two limits may stay tensors: `torch.where`, `torch.minimum` and `torch.maximum` take tensors on both sides.
        - `reach = sigmas * x.std(unbiased=False)`, then `x.clamp(mean - reach, mean + reach)`: clamp takes tensors for
          its limits.
        """
    ),
    mistakes=(
        Mistake(
            "The standard deviation is divided by n − 1 here; pass unbiased=False.",
            _by_sample_deviation,
        ),
        Mistake(
            "Outliers above are moved, those below are not.",
            lambda x, sigmas: x.clamp(max=x.mean() + sigmas * x.std(unbiased=False)),
        ),
        Mistake(
            "Outliers below are moved, those above are not.",
            lambda x, sigmas: x.clamp(min=x.mean() - sigmas * x.std(unbiased=False)),
        ),
        Mistake(
            "The limits lie around 0 instead of around the mean.",
            lambda x, sigmas: x.clamp(-sigmas * x.std(unbiased=False), sigmas * x.std(unbiased=False)),
        ),
        Mistake(
            "Outliers become the mean; they should end at the limit on their side.",
            lambda x, sigmas: torch.where((x - x.mean()).abs() > sigmas * x.std(unbiased=False), x.mean(), x),
        ),
    ),
    sources=("S1.1", "S2.5"),
)

TASKS = (LOSS_HISTORY, NORMALIZE_BATCHES, CLIP_OUTLIERS)
