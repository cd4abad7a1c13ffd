"""The nearest neighbor of each row, for tables whose distance matrix exceeds the memory budget.

The coordinates are integers, as in quantized vectors: all sums of squares are exact, so equal distances compare equal.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous

_WIDTH = 16
_BUDGET = 2**20


def nearest_slow(x, y):
    """Return for each row of x the index of the nearest row of y, the first one among equals."""
    rows, others = x.tolist(), y.tolist()
    indices = []
    for row in rows:
        best, best_distance = -1, float("inf")
        for j, other in enumerate(others):
            distance = sum((a - b) ** 2 for a, b in zip(row, other))
            if distance < best_distance:
                best, best_distance = j, distance
        indices.append(best)
    return torch.tensor(indices, dtype=torch.int64, device=x.device)


def _in_chunks(x, y, rows=64):
    return torch.cat([torch.cdist(part, y).argmin(1) for part in x.split(rows)])


def _by_differences(x, y, rows=4):
    return torch.cat([(part[:, None] - y).square_().sum(2).argmin(1) for part in x.split(rows)])


def _grid(generator, rows, columns=_WIDTH, low=-9, high=10, dtype=torch.float32):
    return integers(generator, low, high, rows, columns, dtype=dtype)


def _far_apart():
    near = torch.tensor([300.0] * 11 + [-300.0])
    farther = near + torch.tensor([0.0] * 11 + [1.0])
    return torch.full((40, 12), -300.0), torch.cat([farther.expand(39, -1), near[None]])


def _late_passages(generator):
    """Return passages of which the first 147,426 are far from all questions; int16 can't represent the others' indices, and
    chunks of ``2**17 // len(y)`` questions have none.

    Blocks of 2ⁿ passages leave one of them, the last, which is equal to the first question.
    """
    far, near = _grid(generator, 147_426, 2, 40, 301), _grid(generator, 30, 2)
    first = torch.full((1, 2), -20.0)
    return torch.cat([first, _grid(generator, 2, 2)]), torch.cat([far, near, first])


def _last_of_equals(x, y):
    return len(y) - 1 - nearest_slow(x, y.flip(0))


TASK = Task(
    id="nearest",
    title="The nearest of many, in a megabyte",
    points=3,
    level=2,
    slow=nearest_slow,
    inputs=lambda size, generator: (_grid(generator, size), _grid(generator, size)),
    bounded=("x", "y"),
    edge_cases=(
        Case("no questions", lambda g: (_grid(g, 0, 3), _grid(g, 4, 3))),
        Case("a single row on each side", lambda g: (_grid(g, 1, 3), _grid(g, 1, 3))),
        Case("a single question", lambda g: (_grid(g, 1, 3), _grid(g, 9, 3))),
        Case("a single passage", lambda g: (_grid(g, 5, 3), _grid(g, 1, 3))),
        Case("one tensor as both arguments", lambda g: (x := _grid(g, 30, 2, 0, 3), x)),
        Case("more rows in y than in x", lambda g: (_grid(g, 3, 2), _grid(g, 40, 2))),
        Case("4,097 questions", lambda g: (_grid(g, 4097, 2), _grid(g, 3, 2))),
        Case("147,457 passages, the nearest ones last", _late_passages),
        Case("300 columns", lambda g: (_grid(g, 10, 300), _grid(g, 20, 300))),
        Case("one column with many ties", lambda g: (_grid(g, 9, 1, 0, 5), _grid(g, 30, 1, 0, 5))),
        Case("a duplicate row in y", lambda g: (torch.zeros(2, 3), torch.tensor([[5.0] * 3, [1] * 3, [1] * 3]))),
        Case("noncontiguous rows", lambda g: (noncontiguous(_grid(g, 4, 3)), _grid(g, 3, 5).T)),
        Case("float64 values", lambda g: (_grid(g, 3, 3, dtype=torch.float64), _grid(g, 3, 3, dtype=torch.float64))),
    ),
    worst=(
        Case(
            "values from -127 to 127 in 64 columns",
            lambda g: (_grid(g, 20, 64, -127, 128), _grid(g, 40, 64, -127, 128)),
        ),
        Case("values from -300 to 300", lambda g: (_grid(g, 20, 8, -300, 301), _grid(g, 40, 8, -300, 301))),
        Case(
            "neighbors that differ by 1 in values near 300",
            lambda g: (_grid(g, 20, 2, 290, 301), _grid(g, 60, 2, 290, 301)),
        ),
        # In half precision, 3,960,001 and 3,960,000 have one square root; in float32, they have two.
        Case("squared distances of 3,960,001 and 3,960,000", lambda _: _far_apart()),
        Case("rows of y that are all equal", lambda g: (_grid(g, 5, 3), _grid(g, 1, 3).repeat(128, 1))),
    ),
    reference=_in_chunks,
    count_sizes=(64, 1024),
    race_size=192,
    story=prose(
        """
        An assistant looks up passages: each question and each stored passage is a vector, and every question needs its
        nearest passage. The vectors are quantized, so their values are integers. The service shares its machine with
        others and may use **one megabyte**. With more than 512 questions and as many passages, even a float32
        matrix of all distances exceeds this budget. Write `nearest(x, y)`.
        """
    ),
    rules=prose(
        """
        - `x` has shape (questions, width), and `y` has shape (passages, width). Both hold integers from −300 to 300
          in one dtype, float32 or float64; only the number of questions can be 0. The result has one int64 per question:
          the index of the row of `y` at the smallest Euclidean distance, and the first one if several are equally near.
          The squared lengths of all rows and the squared distances are at most 4,000,000: float32 can distinguish them,
          and their square roots.
        - The largest count uses 1,024 questions and 1,024 passages of 16 values: their full distance matrix would take
          4 MB.
        - A loop over chunks is fine; a loop over rows is not.
        """
    ),
    limits=(at_most(1000, "ops"), at_most(_BUDGET, "peak bytes"), at_most(0, "syncs")),
    target=10.0,
    cost=lambda size: Cost(reads=4 * 2 * _WIDTH * size, writes=8 * size, flops=2 * _WIDTH * size * size, launches=1),
    ways={"chunked cdist": _in_chunks, "chunked differences": _by_differences},
    hints=items(
        """
        - The nearest row of one question doesn't depend on the other questions. How many questions need to be in memory
          at once?
        - Take some questions at a time, for example 64: a (64, 1024) distance matrix takes a quarter of the megabyte.
          `argmin` reduces each of its rows to one index, and then the matrix can be freed.
        - `for part in x.split(64): indices.append(torch.cdist(part, y).argmin(1))`, and one `torch.cat` at the end.
          Choose the chunk size from `len(y)`. `x.split` also works for an `x` without rows.
        """
    ),
    mistakes=(
        Mistake(
            "These are the farthest rows: use `argmin`, or check the sign.",
            lambda x, y: torch.cdist(x, y).argmax(1),
        ),
        Mistake("These are distances: return the index of the nearest row.", lambda x, y: torch.cdist(x, y).amin(1)),
        Mistake(
            "This is the nearest row of `x` for each row of `y`: swap the roles.",
            lambda x, y: nearest_slow(y, x),
        ),
        Mistake("If several rows are equally near, this returns the last one: return the first.", _last_of_equals),
        Mistake(
            "These are indices within a chunk of `y`: add the chunk's start.",
            lambda x, y: nearest_slow(x, y) % max(1, len(y) // 2),
        ),
        Mistake(
            "`x @ y.T` alone is not a distance: subtract half of the squared length of each row of `y`.",
            lambda x, y: (x @ y.T).argmax(1),
        ),
    ),
)
