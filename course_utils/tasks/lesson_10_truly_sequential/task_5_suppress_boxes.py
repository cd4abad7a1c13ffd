"""A challenge: greedy box suppression, in which each decision waits for those before, and the work beside it does not.

Boxes have whole pixels and thresholds are sums of halves, so that a box on the threshold lies on it in every precision.
"""

from __future__ import annotations

import numpy as np
import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers
from course_utils.tasks.unwrap import items, prose

THRESHOLDS = 0.25, 0.5, 0.75
RACE_SIZE = 28


def suppress_boxes_slow(boxes, scores, threshold):
    """The places of the boxes that are kept, best score first, of equal scores the lower place first.

    A box goes if its intersection with one that is kept is more than threshold times their union.
    """
    kept: list[int] = []
    for i in scores.argsort(descending=True, stable=True):
        for j in kept:
            width = min(boxes[i, 2], boxes[j, 2]) - max(boxes[i, 0], boxes[j, 0])
            height = min(boxes[i, 3], boxes[j, 3]) - max(boxes[i, 1], boxes[j, 1])
            shared = width.clamp(min=0) * height.clamp(min=0)
            areas = (boxes[[i, j], 2] - boxes[[i, j], 0]) * (boxes[[i, j], 3] - boxes[[i, j], 1])
            if shared / (areas.sum() - shared) > threshold:
                break
        else:
            kept.append(int(i))
    return torch.tensor(kept, dtype=torch.int64, device=boxes.device)


def _boxes(generator, number):
    """Boxes in groups that lie near each other, as detectors report them."""
    groups = integers(generator, 0, 90, 1 + number // 6, 2)
    corner = groups[integers(generator, 0, len(groups), number)] + integers(generator, 0, 12, number, 2)
    return torch.cat([corner, corner + integers(generator, 8, 30, number, 2)], 1).float()


def _scores(generator, number):
    return torch.from_numpy(generator.permutation(number)).float() / max(number, 1)


def _inputs(size, generator):
    """Where it is raced always the same boxes, moved and in another order, so that as many are kept in each round."""
    if size != RACE_SIZE:
        return _boxes(generator, size), _scores(generator, size), THRESHOLDS[int(generator.integers(3))]
    known = np.random.default_rng(10)
    boxes, scores = _boxes(known, size), _scores(known, size)
    order = torch.from_numpy(generator.permutation(size))
    return boxes[order] + integers(generator, 0, 50, 2).repeat(2), scores[order], 0.5


def _shared(one, other):
    sides = torch.minimum(one[:, None, 2:], other[None, :, 2:]) - torch.maximum(one[:, None, :2], other[None, :, :2])
    return sides.clamp(min=0).prod(2)


def _areas(boxes):
    return (boxes[:, 2:] - boxes[:, :2]).prod(1)


def _overlaps(boxes):
    shared, areas = _shared(boxes, boxes), _areas(boxes)
    return shared / (areas[:, None] + areas - shared)


def by_rounds(boxes, scores, threshold, overlaps=_overlaps, stable=True, descending=True):
    """All pairs at once; then who is kept, again and again, until nothing changes any more."""
    order = scores.argsort(descending=descending, stable=stable)
    goes = (overlaps(boxes[order]) > threshold).triu(1)  # row: the better one, column: the one that goes
    kept, before = torch.ones_like(order, dtype=torch.bool), None
    while before is None or not torch.equal(kept, before):
        before, kept = kept, ~(goes & kept[:, None]).any(0)
    return order[kept]


def row_by_row(boxes, scores, threshold):
    """All pairs at once; then one row for each box that is kept, and a wait for each."""
    order = scores.argsort(descending=True, stable=True)
    goes = _overlaps(boxes[order]) > threshold
    alive, kept = torch.ones_like(order, dtype=torch.bool), []
    for i in range(len(order)):
        if alive[i]:
            kept.append(i)
            alive &= ~goes[i]
    return order[torch.tensor(kept, dtype=torch.int64, device=order.device)]


def in_python(boxes, scores, threshold):
    """The slow loop on Python's numbers."""
    corners = boxes.tolist()
    kept: list[int] = []
    for i in scores.argsort(descending=True, stable=True).tolist():
        left, top, right, bottom = corners[i]
        area = (right - left) * (bottom - top)
        for j in kept:
            other_left, other_top, other_right, other_bottom = corners[j]
            width = min(right, other_right) - max(left, other_left)
            height = min(bottom, other_bottom) - max(top, other_top)
            if width > 0 and height > 0:
                other = (other_right - other_left) * (other_bottom - other_top)
                if width * height / (area + other - width * height) > threshold:
                    break
        else:
            kept.append(i)
    return torch.tensor(kept, dtype=torch.int64, device=boxes.device)


def _one_round(boxes, scores, threshold):
    """Whoever overlaps with any better one goes, even with one that goes itself."""
    order = scores.argsort(descending=True, stable=True)
    return order[~(_overlaps(boxes[order]) > threshold).triu(1).any(0)]


def _at_the_threshold(boxes, scores, threshold):
    return by_rounds(boxes, scores, threshold - 1e-7)


def _over_the_smaller(boxes):
    areas = _areas(boxes)
    return _shared(boxes, boxes) / torch.minimum(areas[:, None], areas)


def _given(name, boxes, scores, threshold, dtype=torch.float32):
    return Case(name, lambda _: (torch.tensor(boxes, dtype=dtype), torch.tensor(scores, dtype=dtype), threshold))


_CHAIN = [[0, 0, 10, 4], [4, 0, 14, 4], [8, 0, 18, 4], [12, 0, 22, 4]]  # each overlaps with its neighbours

TASK = Task(
    id="suppress_boxes",
    title="One box for each thing",
    points=5,
    level=3,
    slow=suppress_boxes_slow,
    inputs=_inputs,
    edge_cases=(
        Case("no boxes", lambda g: (torch.zeros(0, 4), torch.zeros(0), 0.5)),
        _given("one box", [[1, 1, 3, 4]], [0.3], 0.5),
        _given("a chain, in which a box that goes takes nobody with it", _CHAIN, [0.9, 0.8, 0.7, 0.6], 0.25),
        _given("a chain whose second box is the best", _CHAIN, [0.6, 0.9, 0.7, 0.8], 0.25),
        _given("equal scores", [[0, 0, 4, 4], [0, 0, 4, 4], [9, 9, 12, 12], [0, 0, 4, 3]], [0.5, 0.5, 0.5, 0.5], 0.5),
        _given("an overlap just at the threshold", [[0, 0, 4, 4], [0, 0, 4, 2], [0, 0, 4, 3]], [0.9, 0.8, 0.7], 0.5),
        _given("boxes that touch", [[0, 0, 4, 4], [4, 0, 8, 4], [0, 4, 4, 8]], [0.1, 0.2, 0.3], 0.25),
        _given("boxes that pass each other in one direction only", [[0, 0, 4, 4], [9, 9, 12, 14]], [0.1, 0.2], 0.25),
        _given("a small box inside a large one", [[0, 0, 10, 10], [4, 4, 6, 6]], [0.1, 0.2], 0.25),
        _given("float64 values", _CHAIN, [0.1, 0.4, 0.3, 0.2], 0.25, torch.float64),
        Case("many equal scores", lambda g: (_boxes(g, 24), integers(g, 0, 3, 24).float(), 0.5)),
    ),
    count_sizes=(8, 24),
    race_size=RACE_SIZE,
    story=prose(
        """
        A detector reports each thing in a picture many times: boxes that lie nearly on top of each other. *Greedy suppression* keeps the box with the best
        score, drops those that overlap with it too much, goes on to the best that is left, and so on. Whether a box stays depends on whether a better one
        stayed. Write `suppress_boxes(boxes, scores, threshold)`: the places of the boxes that are kept, in the order in which the loop keeps them. Every
        right answer that is fast earns the points. Then ask what really waits for what: the overlaps, or only the decisions? The share of the limit on the
        card says how near you are. That limit counts the boxes only, read once: expect a small share, and compare with the ways beside yours.
        """
    ),
    rules=prose(
        """
        - A box is (left, top, right, bottom), of floating dtype, with left < right and top < bottom. `boxes` has shape (n, 4), `scores` n numbers, `threshold` is a Python number.
        - The overlap of two boxes is the area of their intersection divided by that of their union. Only an overlap *above* the threshold counts.
        - The result is a vector of int64: best score first, of equal scores the lower place first.
        - At most 150 tensor operations for 24 boxes. Python may wait for values as often as you think it pays.
        """
    ),
    limits=(at_most(150, "ops"),),
    target=5.0,
    cost=lambda size: Cost(reads=20 * size, writes=8),
    ways={"Python numbers": in_python, "pairs at once, row by row": row_by_row, "pairs at once, in rounds": by_rounds},
    hints=items(
        """
        - Overlaps wait for nobody: all pairs can be had at once, (n, 1, 4) beside (1, n, 4), or pair by pair in Python's numbers. Only the decisions wait.
          Begin with scores.argsort(descending=True, stable=True), so that every box waits for earlier ones only.
        - The intersection of two boxes is torch.minimum of the right lower corners less torch.maximum of the left upper ones, `clamp(min=0)`, and the product of both
          sides. Its table, compared with the threshold, says who would drop whom; `triu(1)` keeps the pairs in which the row is the better box.
        - The decisions, in rounds: suppose that all stay. Then kept = ~(goes & kept[:, None]).any(0), again and again until nothing changes. The first box is right
          at once, and every round makes more of them right for good. Few rounds are enough, because chains are short. Or take goes.tolist(), and decide in Python.
        """
    ),
    mistakes=(
        Mistake(
            "Whoever overlaps with any better box has gone, also where that one goes itself; a box that goes takes nobody with it.",
            _one_round,
        ),
        Mistake("An overlap just at the threshold counts here; only one above it does.", _at_the_threshold),
        Mistake(
            "These are the boxes in their own order; the loop's order is best score first.",
            lambda boxes, scores, threshold: suppress_boxes_slow(boxes, scores, threshold).sort().values,
        ),
        Mistake("The worst scores come first here.", lambda b, s, t: by_rounds(b, s, t, descending=False)),
        Mistake(
            "The overlap is divided by the smaller area, not by the union.",
            lambda b, s, t: by_rounds(b, s, t, _over_the_smaller),
        ),
        Mistake(
            "Of equal scores the higher place came first; a stable sort keeps the lower one first.",
            lambda b, s, t: len(s) - 1 - by_rounds(b.flip(0), s.flip(0), t),
        ),
        Mistake(
            "These are places in the sorted order, not places in `boxes`.",
            lambda boxes, scores, threshold: suppress_boxes_slow(
                boxes[(o := scores.argsort(descending=True, stable=True))], scores[o], threshold
            ),
        ),
    ),
    sources=("S0.1",),
)
