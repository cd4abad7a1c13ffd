"""Practice: a count over all rows that Python reads once or not at all."""

from math import inf

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, normal


def right_in_top_slow(scores, labels, k):
    """Return the number of rows whose label is among the k largest scores, as a scalar tensor."""
    right = torch.zeros((), dtype=torch.int64, device=scores.device)
    for row, label in zip(scores, labels):
        if label.item() in row.topk(k).indices.tolist():
            right += 1
    return right


def _scores(generator, rows, k, columns=7):
    return normal(generator, rows, columns), integers(generator, 0, columns, rows), k


def _permutations(generator, rows, columns):
    """Return ``rows`` rows of the numbers from 0 to ``columns - 1``, each in random order."""
    return normal(generator, rows, columns).argsort(1).float()


def _close(generator, step, k, dtype=torch.float32):
    """Return scores that differ by ``step``; the first 30 labels have the largest scores, the others the smallest ones."""
    order = _permutations(generator, 60, 7).to(dtype)
    return 1 + order * step, torch.cat([order[:30].argmax(1), order[30:].argmin(1)]), k


TASK = Task(
    id="right_in_top",
    title="Right among the k largest",
    points=0,
    level=1,
    slow=right_in_top_slow,
    inputs=lambda size, generator: _scores(generator, size, 5 + size // 8, columns=7 + size // 4),
    bounded=("scores",),  # Among equal scores, the k largest are not defined.
    edge_cases=(
        Case("the largest score only", lambda g: _scores(g, 9, 1)),
        Case("as many as there are scores", lambda g: _scores(g, 5, 7)),
        Case("a single score in each row", lambda g: _scores(g, 5, 1, columns=1)),
        Case("no rows", lambda g: _scores(g, 0, 2)),
        Case(
            "scores that differ in the last bit",
            lambda g: _close(g, 2**-23, 3),
        ),
        Case(
            "float64 scores that differ in the last bit",
            lambda g: _close(g, 2**-52, 3, torch.float64),
        ),
        Case("scores that differ by hundreds", lambda g: (200 * _permutations(g, 40, 7), torch.arange(40) % 7, 5)),
        Case(
            "scores that also occur in other rows",
            lambda g: (_permutations(g, 40, 7) + integers(g, 0, 7, 40)[:, None], torch.arange(40) % 7, 3),
        ),
        Case("small scores", lambda g: (1e-30 * normal(g, 9, 7), torch.arange(9) % 7, 3)),
        Case(
            "infinite scores",
            lambda _: (torch.tensor([[inf, 1e30, -inf], [-inf, 2.0, 0.0]]), torch.tensor([1, 1]), 1),
        ),
        Case("5,000 scores in each row", lambda g: _scores(g, 6, 2500, columns=5000)),
        # Each label is among the largest, and the remainder after division by 256 among the smallest.
        Case("300 scores in each row", lambda _: (torch.arange(300.0).repeat(40, 1), torch.arange(256, 296), 150)),
    ),
    worst=(Case("5,001 rows, most of which count", lambda g: _scores(g, 5001, 6)),),
    limits=(at_most(12, "ops"), at_most(0, "syncs")),
    hints=("`scores.topk(k, 1).indices` has the k best columns of each row. `labels[:, None]` broadcasts over them.",),
    mistakes=(
        Mistake(
            "This is the share of the rows: return their number.",
            lambda scores, labels, k: (scores.topk(k, 1).indices == labels[:, None]).any(1).float().mean(),
        ),
        Mistake(
            "This counts only the rows whose label has the largest score: accept the k largest.",
            lambda scores, labels, k: (scores.topk(1, 1).indices == labels[:, None]).any(1).sum(),
        ),
        Mistake(
            "This searches the k smallest scores: take the k largest.",
            lambda scores, labels, k: (scores.topk(k, 1, largest=False).indices == labels[:, None]).any(1).sum(),
        ),
    ),
)
