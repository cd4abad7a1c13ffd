"""Dynamic time warping of many pairs at once: a table in which every cell needs three others.

The lesson's wavefront needs one previous diagonal; this one needs two, and it has a batch axis.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Inputs, Mistake, Task
from course_utils.tasks.torch_cases import random_case
from course_utils.tasks.torch_inputs import noncontiguous, normal

# Long enough to distinguish twenty operations per front from two per cell.
COUNT_SIZES, COUNT_LENGTHS = (4, 7), (32, 40)
RACE_SIZE, RACE_LENGTHS = 8, (8, 10)


def dtw_slow(a, b):
    """Return for each pair of series the least sum of distances along a path through both, from start to end."""
    result = torch.empty(len(a), dtype=a.dtype, device=a.device)
    for k in range(len(a)):
        least = torch.full((a.shape[1] + 1, b.shape[1] + 1), torch.inf, dtype=a.dtype, device=a.device)
        least[0, 0] = 0
        for i in range(a.shape[1]):
            for j in range(b.shape[1]):
                before = min(least[i, j], least[i, j + 1], least[i + 1, j])
                least[i + 1, j + 1] = abs(a[k, i] - b[k, j]) + before
        result[k] = least[-1, -1]
    return result


def _inputs(size, generator) -> Inputs:
    lengths = size + 1, 1 + int(generator.integers(4))
    if size in COUNT_SIZES:
        lengths = COUNT_LENGTHS
    if size == RACE_SIZE:
        lengths = RACE_LENGTHS
    return tuple(normal(generator, size, length) for length in lengths)


def cell_by_cell(
    a, b, step=lambda distance, both, down, right: distance + torch.minimum(torch.minimum(both, down), right)
):
    """Process all pairs together, one cell of their tables at a time."""
    unreachable = torch.full((len(a),), torch.inf, dtype=a.dtype, device=a.device)
    above = [unreachable] * (b.shape[1] + 1)
    for i in range(a.shape[1]):
        row = [unreachable]
        for j in range(b.shape[1]):
            distance = (a[:, i] - b[:, j]).abs()
            paths = (above[j], above[j + 1], row[j]) if i + j else (torch.zeros_like(unreachable),) * 3
            row.append(step(distance, *paths))
        above = row
    return above[-1].clone()


def wavefront(a, b):
    """Process all pairs and all cells of a diagonal together; a front holds one cell per position in a."""
    n, m = a.shape[1], b.shape[1]
    distances = (a[:, :, None] - b[:, None, :]).abs()
    slanted = F.pad(distances, (0, n), value=torch.inf).flatten(1)[:, : n * (n + m - 1)].unflatten(1, (n, n + m - 1))
    fronts = slanted.unbind(2)
    before_last = F.pad(torch.full_like(fronts[0], torch.inf), (1, 0), value=torch.inf)
    before = before_last.clone()
    before[:, 1] = fronts[0][:, 0]
    for front in fronts[1:]:
        best = torch.minimum(torch.minimum(before[:, 1:], before[:, :-1]), before_last[:, :-1])
        before_last, before = before, F.pad(front + best, (1, 0), value=torch.inf)
    return before[:, -1].clone()


def _without(place):
    """Return the algorithm without one of the three predecessors of a cell."""

    def step(distance, *paths):
        others = [path for number, path in enumerate(paths) if number != place]
        return distance + torch.minimum(*others)

    return lambda a, b: cell_by_cell(a, b, step)


def _squared(distance, both, down, right):
    return distance**2 + torch.minimum(torch.minimum(both, down), right)


def _one_step_each(a, b):
    """Compare position by position, without warping."""
    shorter = min(a.shape[1], b.shape[1])
    return (a[:, :shorter] - b[:, :shorter]).abs().sum(1)


def _step_at(position, length):
    return (torch.arange(length) >= position).float()[None]


def _with_peaks(a, b):
    """Return two pairs with a huge value: in the first, the path aligns it with an equal value; in the second, there is
    none.

    All values are multiples of 1/64, so that all sums are exact in float64, but not in float32.
    """
    a, b = ((64 * each).round() / 64 for each in (a, b))
    a[:, 4] = b[0, 5] = 1e6
    return a, b


def _with_half_speed(x):
    return x, x.repeat_interleave(2, dim=1)


TASK = Task(
    id="dtw",
    title="Dynamic time warping",
    points=4,
    level=2,
    slow=dtw_slow,
    reference=wavefront,
    inputs=_inputs,
    sizes=(1, 2, 3, 5, 9),
    edge_cases=(
        random_case("no pairs", (0, 3), (0, 4)),
        random_case("4,200 series of one value each", (4200, 1), (4200, 1)),
        random_case("one value against 300", (2, 1), (2, 300)),
        random_case("300 values against one", (2, 300), (2, 1)),
        Case("a series and itself at half the speed", lambda g: _with_half_speed(normal(g, 2, 3))),
        Case("a series of values near 1e30 and its reverse", lambda g: (x := normal(g, 2, 4, scale=1e30), x.flip(1))),
        Case(
            "float64 values of about 1e100",
            lambda g: tuple(normal(g, 2, length, scale=1e100, dtype=torch.float64) for length in (4, 3)),
        ),
        Case("noncontiguous series", lambda g: (noncontiguous(normal(g, 2, 4)), normal(g, 3, 2).T)),
    ),
    worst=(
        Case("a step that comes 40 positions later in b", lambda _: (_step_at(2, 48), _step_at(42, 48))),
        Case("distances of 1,000,000 among small ones", lambda g: _with_peaks(normal(g, 2, 9), normal(g, 2, 12))),
        random_case("a series of 80 values and one of 3", (1, 80), (1, 3)),
        Case("values of about a billionth", lambda g: (normal(g, 2, 4, scale=1e-9), normal(g, 2, 3, scale=1e-9))),
        Case("series that are all equal, so that all paths tie", lambda _: (torch.ones(2, 9), torch.ones(2, 12))),
    ),
    tolerance=1e-5,
    of_each_value=True,
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        A watch recognizes gestures by their acceleration. People rarely make a gesture twice at the same pace, so two
        recordings are compared with *dynamic time warping*. A path leads from both starts to both ends, and each of its
        steps advances in `a`, in `b`, or in both. At each cell the path adds the distance |a[i] − b[j]|, and the
        smallest sum is the result. Write `dtw(a, b)`, which compares each series `a[k]` with series `b[k]`. Which
        cells (i, j) can you compute at the same time?
        """
    ),
    rules=prose(
        """
        - `a` has shape (pairs, n) and `b` has shape (pairs, m); n and m are at least 1. Both have the same dtype,
          float32 or float64, and finite values. The result has one value per pair, in the same dtype.
        - The number of tensor operations may grow with n + m, but not with n · m or the number of pairs. The counts use
          series of 32 and 40 values.
        """
    ),
    limits=(at_most(1400, "ops"), at_most(0, "syncs")),
    target=8.0,
    cost=lambda size: Cost(reads=4 * size * sum(RACE_LENGTHS), writes=4 * size, launches=2 * sum(RACE_LENGTHS)),
    ways={"cell by cell": cell_by_cell, "wavefront": wavefront},
    hints=items(
        """
        - A cell depends on its left neighbor, the cell above, and the cell above to the left. Cells (i, j) with the
          same i + j are independent of each other. Which two diagonals does such a cell read?
        - Compute all distances at once: `(a[:, :, None] - b[:, None, :]).abs()`. Then slant them as in the lesson, so
          that each diagonal is a slice, with infinity at positions without a cell. The batch is one more axis in
          front.
        - Keep the last two fronts, `two_before` and `before`, of shape (pairs, n + 1), with an infinity before the first
          position. The next front is the distances plus the minimum of `before[:, 1:]`, `before[:, :-1]` and
          `two_before[:, :-1]`. The first front holds the first distance, and infinity elsewhere; the result is the last
          position of the last front.
        """
    ),
    mistakes=(
        Mistake("A step that advances in both series is missing: take the minimum of three cells.", _without(0)),
        Mistake("A step that advances only in `a` is missing: take the minimum of three cells.", _without(1)),
        Mistake("A step that advances only in `b` is missing: take the minimum of three cells.", _without(2)),
        Mistake(
            "The distances are squared: use the absolute differences.",
            lambda a, b: cell_by_cell(a, b, _squared),
        ),
        Mistake("This compares position by position: let a step also advance in one series only.", _one_step_each),
        Mistake("This is the mean over the pairs: return one value per pair.", lambda a, b: wavefront(a, b).mean()),
    ),
    sources=("S0.1",),
)
