"""Dynamic time warping of many pairs at once: a table in which every cell waits for three others.

The wavefront of the lesson needs the diagonal before; this one needs the two before, and a batch beside it.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Inputs, Mistake, Task
from course_utils.tasks.torch_cases import float64, random_case
from course_utils.tasks.torch_inputs import noncontiguous, normal
from course_utils.tasks.unwrap import items, prose

COUNT_SIZES, COUNT_LENGTHS = (4, 7), (16, 20)  # long enough to tell a few operations a front from a few a cell
RACE_SIZE, RACE_LENGTHS = 8, (8, 10)


def dtw_slow(a, b):
    """For each pair of series the least sum of distances along a path through both, from their starts to their ends."""
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
    """All pairs at once, and one cell of their tables after the other."""
    nowhere = torch.full((len(a),), torch.inf, dtype=a.dtype, device=a.device)
    above = [nowhere] * (b.shape[1] + 1)
    for i in range(a.shape[1]):
        row = [nowhere]
        for j in range(b.shape[1]):
            distance = (a[:, i] - b[:, j]).abs()
            ways = (above[j], above[j + 1], row[j]) if i + j else (torch.zeros_like(nowhere),) * 3
            row.append(step(distance, *ways))
        above = row
    return above[-1].clone()


def wavefront(a, b):
    """All pairs and all cells of a diagonal at once; a front holds one cell for each place in a."""
    n, m = a.shape[1], b.shape[1]
    distances = (a[:, :, None] - b[:, None, :]).abs()
    slanted = F.pad(distances, (0, n), value=torch.inf).flatten(1)[:, : n * (n + m - 1)].unflatten(1, (n, n + m - 1))
    fronts = slanted.unbind(2)
    two_before = F.pad(torch.full_like(fronts[0], torch.inf), (1, 0), value=torch.inf)
    before = two_before.clone()
    before[:, 1] = fronts[0][:, 0]
    for front in fronts[1:]:
        best = torch.minimum(torch.minimum(before[:, 1:], before[:, :-1]), two_before[:, :-1])
        two_before, before = before, F.pad(front + best, (1, 0), value=torch.inf)
    return before[:, -1].clone()


def _without(place):
    """The path may not take one of its three ways."""

    def step(distance, *ways):
        kept = [way for number, way in enumerate(ways) if number != place]
        return distance + torch.minimum(*kept)

    return lambda a, b: cell_by_cell(a, b, step)


def _squared(distance, both, down, right):
    return distance**2 + torch.minimum(torch.minimum(both, down), right)


def _one_step_each(a, b):
    """No warping: place by place."""
    shorter = min(a.shape[1], b.shape[1])
    return (a[:, :shorter] - b[:, :shorter]).abs().sum(1)


def _slower(x):
    return x, x.repeat_interleave(2, dim=1)


TASK = Task(
    id="dtw",
    title="Gestures that run at their own pace",
    points=4,
    level=2,
    slow=dtw_slow,
    inputs=_inputs,
    sizes=(1, 2, 3, 5, 9),
    edge_cases=(
        random_case("no pairs", (0, 3), (0, 4)),
        random_case("series of one value each", (2, 1), (2, 1)),
        random_case("one value against five", (2, 1), (2, 5)),
        random_case("five values against one", (2, 5), (2, 1)),
        Case("a series and itself, played more slowly", lambda g: _slower(normal(g, 2, 3))),
        Case("a gesture that is turned round", lambda g: (x := normal(g, 2, 4), x.flip(1))),
        float64((2, 4), (2, 3)),
        Case("values with gaps between them in memory", lambda g: (noncontiguous(normal(g, 2, 4)), normal(g, 3, 2).T)),
    ),
    count_sizes=COUNT_SIZES,
    race_size=RACE_SIZE,
    story=prose(
        """
        A watch knows gestures by their acceleration. Nobody makes a gesture twice at the same pace, so two recordings are compared with
        *dynamic time warping*: a path leads from both starts to both ends, and each of its steps goes on in `a`, in `b`, or in
        both. At each place it pays the distance |a[i] − b[j]|, and the least sum counts. Write `dtw(a, b)` for a
        batch of pairs, series k of `a` with series k of `b`. Which cells of the table wait for which?
        """
    ),
    rules=prose(
        """
        - `a` has shape (pairs, n) and `b` (pairs, m), of one floating dtype, finite, with n and m at least 1. The result has one number for
        each pair, in the same dtype.
        - The tensor operations may follow n + m, and neither n · m nor the number of pairs: at most 700 for series of 16 and 20.
        - Python waits for no value.
        """
    ),
    limits=(at_most(700, "ops"), at_most(0, "syncs")),
    target=8.0,
    cost=lambda size: Cost(reads=4 * size * sum(RACE_LENGTHS), writes=4 * size, launches=2 * sum(RACE_LENGTHS)),
    ways={"cell by cell": cell_by_cell, "wavefront": wavefront},
    hints=items(
        """
        - A cell waits for its left neighbour, the one above, and the one above to the left. Cells (i, j) with the same i + j do not wait for each other.
          Which two diagonals does such a cell look at?
        - Make all distances at once: (a[:, :, None] - b[:, None, :]).abs(), then slant them, as the lesson does, so that each diagonal is a slice: infinity
          where a diagonal has no cell. The batch is one more dimension in front.
        - Keep two fronts, (pairs, n + 1) each, with an infinity before the first place. The next one is
          the distances plus the least of before[:, 1:], before[:, :-1] and two_before[:, :-1]. The first front holds the first distance, and infinity
          elsewhere; the result is the last place of the last front.
        """
    ),
    mistakes=(
        Mistake("A step that goes on in both series is missing: a cell waits for three others.", _without(0)),
        Mistake("A step that goes on in `a` alone is missing: a cell waits for three others.", _without(1)),
        Mistake("A step that goes on in `b` alone is missing: a cell waits for three others.", _without(2)),
        Mistake(
            "The distances are squared here; the given loop takes them as they are.",
            lambda a, b: cell_by_cell(a, b, _squared),
        ),
        Mistake("Nothing is warped: this compares place by place.", _one_step_each),
        Mistake(
            "This is the mean over the pairs; each pair has a number of its own.", lambda a, b: dtw_slow(a, b).mean()
        ),
    ),
    sources=("S0.1",),
)
