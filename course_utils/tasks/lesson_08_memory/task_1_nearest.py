"""The nearest neighbour of each row, for tables whose matrix of distances does not fit.

The coordinates are whole numbers, as in vectors that were quantized: all sums of squares are exact, so that a tie is a tie.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous
from course_utils.tasks.unwrap import items, prose

_WIDTH = 16
_BUDGET = 2**20


def nearest_slow(x, y):
    """For each row of x the index of the nearest row of y, the first of equals."""
    rows, others = x.tolist(), y.tolist()
    found = []
    for row in rows:
        best, best_distance = -1, float("inf")
        for j, other in enumerate(others):
            distance = sum((a - b) ** 2 for a, b in zip(row, other))
            if distance < best_distance:
                best, best_distance = j, distance
        found.append(best)
    return torch.tensor(found, dtype=torch.int64, device=x.device)


def _in_chunks(x, y, rows=64):
    return torch.cat([torch.cdist(part, y).argmin(1) for part in x.split(rows)])


def _by_differences(x, y, rows=4):
    return torch.cat([(part[:, None] - y).square_().sum(2).argmin(1) for part in x.split(rows)])


def _grid(generator, rows, columns=_WIDTH, low=-9, high=10, dtype=torch.float32):
    return integers(generator, low, high, rows, columns, dtype=dtype)


def _last_of_equals(x, y):
    return len(y) - 1 - nearest_slow(x, y.flip(0))


TASK = Task(
    id="nearest",
    title="The nearest of many, in a megabyte",
    points=3,
    level=2,
    slow=nearest_slow,
    inputs=lambda size, generator: (_grid(generator, size), _grid(generator, size)),
    edge_cases=(
        Case("no rows to ask for", lambda g: (_grid(g, 0, 3), _grid(g, 4, 3))),
        Case("a single row on each side", lambda g: (_grid(g, 1, 3), _grid(g, 1, 3))),
        Case("more rows of y than of x", lambda g: (_grid(g, 3, 2), _grid(g, 40, 2))),
        Case("more rows of x than of y", lambda g: (_grid(g, 300, 2), _grid(g, 3, 2))),
        Case("one column, and many ties", lambda g: (_grid(g, 9, 1, 0, 5), _grid(g, 30, 1, 0, 5))),
        Case(
            "a row of y that is there twice", lambda g: (torch.zeros(2, 3), torch.tensor([[5.0] * 3, [1] * 3, [1] * 3]))
        ),
        Case("rows that lie apart in memory", lambda g: (noncontiguous(_grid(g, 4, 3)), _grid(g, 3, 5).T)),
        Case("float64 values", lambda g: (_grid(g, 4, 3, dtype=torch.float64), _grid(g, 5, 3, dtype=torch.float64))),
    ),
    count_sizes=(64, 1024),
    race_size=192,
    story=prose(
        """
        An assistant looks up passages: each question is a vector, each stored passage is one, and the nearest passage is
        wanted for every question. The vectors were quantized, so their numbers are whole, and the service runs beside others:
        it may take **one megabyte**. The matrix of all distances takes more as soon as there are a few hundred of both.
        Write `nearest(x, y)`.
        """
    ),
    rules=prose(
        """
        - `x` has the shape (questions, width), `y` (passages, width), both floating, with at least one passage; there may be
        no question. The result has one int64 a question: the index of the nearest row of `y` by the usual (Euclidean) distance, and the first of
        those that are equally near.
        - At no time may more than 1,048,576 bytes of new tensors be alive, the result among them. It is counted for 1,024
        questions and 1,024 passages of 16 numbers, which as a full matrix of distances would take 4 MB.
        - A loop over parts is fine, one over rows is not: at most 1,000 tensor operations.
        """
    ),
    limits=(at_most(1000, "ops"), at_most(_BUDGET, "peak bytes"), at_most(0, "syncs")),
    target=10.0,
    cost=lambda size: Cost(reads=4 * 2 * _WIDTH * size, writes=8 * size, flops=2 * _WIDTH * size * size, launches=1),
    ways={"cdist, in chunks": _in_chunks, "differences, in chunks": _by_differences},
    hints=items(
        """
        - The nearest row of one question does not depend on the other questions. So how many of them need to be in memory?
        - Take some questions at a time, say 64: a (64, 1024) matrix of distances takes a quarter of the megabyte. `argmin`
          makes one number of each of its rows, and then the matrix may go.
        - for part in x.split(64): found.append(torch.cdist(part, y).argmin(1)), and one torch.cat at the end. How many rows
          fit should follow from len(y); x.split works for an x without rows, too.
        """
    ),
    mistakes=(
        Mistake(
            "These are the farthest rows: argmin is wanted, or the signs are turned.",
            lambda x, y: torch.cdist(x, y).argmax(1),
        ),
        Mistake("These are the distances: wanted is which row, its index.", lambda x, y: torch.cdist(x, y).amin(1)),
        Mistake(
            "This tells for each row of y the nearest of x: it is wanted the other way round.",
            lambda x, y: nearest_slow(y, x),
        ),
        Mistake("Of rows that are equally near this takes the last: the first is wanted.", _last_of_equals),
        Mistake(
            "These are indices within a part of y: add where the part begins.",
            lambda x, y: nearest_slow(x, y) % max(1, len(y) // 2),
        ),
        Mistake(
            "The rows of y differ in length too, and their squares are missing: x @ y.T alone is no distance.",
            lambda x, y: (x @ y.T).argmax(1),
        ),
    ),
)
