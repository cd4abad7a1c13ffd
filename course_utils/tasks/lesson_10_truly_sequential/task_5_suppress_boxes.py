"""A challenge: greedy box suppression, in which each decision depends on the decisions before, but the overlaps don't.

Corners are integers and thresholds are sums of powers of two, so that an overlap at the threshold is exact in every dtype.
"""

from __future__ import annotations

import numpy as np
import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import with_gaps
from course_utils.tasks.torch_inputs import integers

THRESHOLDS = 0.25, 0.5, 0.75
RACE_SIZE = 256


def suppress_boxes_slow(boxes, scores, threshold):
    """Return the indices of the boxes to keep, best score first; among equal scores the lower index first.

    A box is dropped if its intersection with a kept box is more than threshold times their union.
    """
    corners = boxes.tolist()
    keep: list[int] = []
    for i in scores.argsort(descending=True, stable=True).tolist():
        left, top, right, bottom = corners[i]
        for j in keep:
            left_j, top_j, right_j, bottom_j = corners[j]
            width = max(0.0, min(right, right_j) - max(left, left_j))
            height = max(0.0, min(bottom, bottom_j) - max(top, top_j))
            areas = (right - left) * (bottom - top) + (right_j - left_j) * (bottom_j - top_j)
            if width * height / (areas - width * height) > threshold:
                break
        else:
            keep.append(i)
    return torch.tensor(keep, dtype=torch.int64, device=boxes.device)


def _boxes(generator, number):
    """Return a crowd: most boxes have a common point, and few overlap enough to be dropped."""
    corner, size = integers(generator, 0, 40, number, 2), integers(generator, 8, 40, number, 2)
    return torch.cat([corner, corner + size], 1).float()


def _scores(generator, number):
    return torch.from_numpy(generator.permutation(number)).float() / max(number, 1) - 0.5


def _inputs(size, generator):
    """The race always has the same boxes, shifted and reordered, so that the number of kept boxes is constant."""
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
    """Compare all pairs at once, then repeat the decisions until nothing changes."""
    order = scores.argsort(descending=descending, stable=stable)
    suppresses = (overlaps(boxes[order]) > threshold).triu(1)  # row: the better box, column: the box that it would drop
    keep, before = torch.ones_like(order, dtype=torch.bool), None
    while before is None or not torch.equal(keep, before):
        before, keep = keep, ~(suppresses & keep[:, None]).any(0)
    return order[keep]


def row_by_row(boxes, scores, threshold):
    """Compare all pairs at once, then read one row per kept box, with a synchronization for each."""
    order = scores.argsort(descending=True, stable=True)
    suppresses = _overlaps(boxes[order]) > threshold
    alive, keep = torch.ones_like(order, dtype=torch.bool), []
    for i in range(len(order)):
        if alive[i]:
            keep.append(i)
            alive &= ~suppresses[i]
    return order[torch.tensor(keep, dtype=torch.int64, device=order.device)]


def early_rejection(boxes, scores, threshold):
    """Run the slow loop, except that boxes without a common point need only comparisons."""
    corners = boxes.tolist()
    keep: list[int] = []
    for i in scores.argsort(descending=True, stable=True).tolist():
        left, top, right, bottom = corners[i]
        for j in keep:
            left_j, top_j, right_j, bottom_j = corners[j]
            if left < right_j and left_j < right and top < bottom_j and top_j < bottom:
                shared = (min(right, right_j) - max(left, left_j)) * (min(bottom, bottom_j) - max(top, top_j))
                areas = (right - left) * (bottom - top) + (right_j - left_j) * (bottom_j - top_j)
                if shared / (areas - shared) > threshold:
                    break
        else:
            keep.append(i)
    return torch.tensor(keep, dtype=torch.int64, device=boxes.device)


def _one_round(boxes, scores, threshold):
    """Drop every box that overlaps a better box, even if the better box is itself dropped."""
    order = scores.argsort(descending=True, stable=True)
    return order[~(_overlaps(boxes[order]) > threshold).triu(1).any(0)]


def _at_the_threshold(boxes, scores, threshold):
    return by_rounds(boxes, scores, threshold - 1e-7)


def _over_the_smaller(boxes):
    areas = _areas(boxes)
    return _shared(boxes, boxes) / torch.minimum(areas[:, None], areas)


def _case(name, boxes, scores, threshold, dtype=torch.float32):
    return Case(name, lambda _: (torch.tensor(boxes, dtype=dtype), torch.tensor(scores, dtype=dtype), threshold))


def _chain(number):
    """Return boxes of which each overlaps its neighbors."""
    left = 4.0 * torch.arange(number)
    return torch.stack([left, torch.zeros(number), left + 10, torch.full((number,), 4.0)], 1)


def _crowd_and_one(generator, number):
    """Return boxes in one place, and at the end a box in another place, with the lowest score."""
    boxes, scores = torch.tensor([[2.0, 3, 9, 7]]).repeat(number + 1, 1), _scores(generator, number + 1)
    boxes[-1, ::2] += 20
    scores[-1] = -1
    return boxes, scores, 0.5


def _tiles_and_cover(side):
    """Return side × side boxes that don't touch, and at the end a box that covers all of them, with the lowest score."""
    corner = 2.0 * torch.cartesian_prod(torch.arange(side), torch.arange(side))
    cover = torch.tensor([[0.0, 0.0, 2.0 * side, 2.0 * side]])
    return torch.cat([torch.cat([corner, corner + 1], 1), cover]), torch.arange(side**2 + 1.0).flip(0), 0


def _near_threshold(generator, step, dtype):
    """Return pairs whose overlap is just above or just below 0.5; scores differ by ``step``."""
    left = torch.arange(0, 160, 20, dtype=dtype)
    width = torch.full_like(left, 8)
    larger = torch.stack([left, 0 * left, left + width, width], 1)
    smaller = larger.clone()
    smaller[:, 2] = left + width / 2 + step * (2 * integers(generator, 0, 2, len(left)) - 1)
    return torch.cat([larger, smaller]), 1 + step * torch.from_numpy(generator.permutation(16)).to(dtype), 0.5


def _tiny_boxes(generator):
    """Return boxes whose areas are about 2⁻⁵⁴: a small number that is added to the union changes the overlaps."""
    boxes, scores, threshold = _near_threshold(generator, 2**-8, torch.float32)
    return 2**-30 * boxes, scores, threshold


_CHAIN = [[0, 0, 10, 4], [4, 0, 14, 4], [8, 0, 18, 4], [12, 0, 22, 4]]  # each overlaps its neighbors

TASK = Task(
    id="suppress_boxes",
    title="Non-maximum suppression",
    points=5,
    level=3,
    slow=suppress_boxes_slow,
    inputs=_inputs,
    bounded=("boxes",),
    edge_cases=(
        Case("no boxes", lambda g: (torch.zeros(0, 4), torch.zeros(0), 0.5)),
        _case("one box", [[1, 1, 3, 4]], [0.3], 0.5),
        _case("a chain in which a dropped box drops no other", _CHAIN, [0.9, 0.8, 0.7, 0.6], 0.25),
        _case("a chain whose second box is the best", _CHAIN, [0.6, 0.9, 0.7, 0.8], 0.25),
        _case("equal scores", [[0, 0, 4, 4], [0, 0, 4, 4], [9, 9, 12, 12], [0, 0, 4, 3]], [0.5, 0.5, 0.5, 0.5], 0.5),
        _case(
            "scores of very different magnitudes",
            [[9, 9, 12, 12], [0, 0, 4, 4], [0, 0, 4, 3], [0, 0, 4, 4]],
            [1e20, 1e-20, 3e-20, 2e-20],
            0.5,
        ),
        _case("an overlap exactly at the threshold", [[0, 0, 4, 4], [0, 0, 4, 2], [0, 0, 4, 3]], [0.9, 0.8, 0.7], 0.5),
        _case("equal boxes and a threshold of 1", [[0, 0, 4, 4], [0, 0, 4, 4], [0, 0, 4, 3]], [0.9, 0.8, 0.7], 1),
        _case(
            "a threshold of 19/64, and an overlap between it and 0.3",
            [[0, 0, 64, 1], [0, 0, 19.125, 1], [0, 0, 18.875, 1]],
            [0.9, 0.8, 0.7],
            19 / 64,
        ),
        _case("a threshold of 0", [[0, 0, 4, 4], [3, 3, 7, 7], [4, 0, 8, 3], [9, 9, 12, 12]], [0.9, 0.8, 0.7, 0.6], 0),
        _case("boxes that touch", [[0, 0, 4, 4], [4, 0, 8, 4], [0, 4, 4, 8]], [0.1, 0.2, 0.3], 0.25),
        _case("boxes that overlap in no direction", [[0, 0, 4, 4], [9, 9, 12, 14]], [0.1, 0.2], 0.25),
        _case("a small box inside a large one", [[0, 0, 10, 10], [4, 4, 6, 6]], [0.1, 0.2], 0.25),
        _case(
            "float64 values, some of them negative",
            [[x - 11, -2, right - 11, 2] for x, _, right, _ in _CHAIN],
            [0.1, 0.4, 0.3, 0.2],
            0.25,
            torch.float64,
        ),
        with_gaps(lambda g: (_boxes(g, 24), _scores(g, 24), 0.5)),
        Case(
            "many equal scores, and a transposed matrix of boxes",
            lambda g: (_boxes(g, 24).T.contiguous().T, integers(g, 0, 3, 24).float(), 0.5),
        ),
    ),
    worst=(
        Case(
            "a chain of 300 boxes in the order of their scores",
            lambda _: (_chain(300), torch.arange(300.0).flip(0), 0.25),
        ),
        Case(
            "boxes with sides of millions, some of them left of 0",
            lambda g: (2**20 * (_boxes(g, 24) - 30), _scores(g, 24), 0.5),
        ),
        Case("1,200 boxes in one place, and the worst box in another", lambda g: _crowd_and_one(g, 1200)),
        Case("256 kept boxes that all overlap the worst box", lambda _: _tiles_and_cover(16)),
        Case(
            "24 boxes that don't overlap",
            lambda g: (_chain(24) + 20 * torch.arange(24)[:, None] * torch.tensor([1, 0, 1, 0]), _scores(g, 24), 0.5),
        ),
        Case(
            "corners with fractions, and overlaps near the threshold",
            lambda g: _near_threshold(g, 2**-8, torch.float32),
        ),
        Case("sides of 2⁻²⁷ and overlaps near the threshold", _tiny_boxes),
        Case("float64 corners and overlaps near the threshold", lambda g: _near_threshold(g, 2**-36, torch.float64)),
    ),
    count_sizes=(32, 128),
    race_size=RACE_SIZE,
    story=prose(
        """
        A detector reports each object in a picture many times, in boxes that almost coincide. *Greedy non-maximum
        suppression* keeps the box with the best score, drops the boxes that overlap it too much, continues with the
        best remaining box, and so on. Write `suppress_boxes(boxes, scores, threshold)`: the indices of the kept boxes,
        in the order in which the loop keeps them. The loop runs on Python numbers already, and it is still slow with
        hundreds of boxes. The decision about a box depends on the decisions about better boxes, so the loop looks
        sequential. Which part of its work depends on earlier decisions, and how long is the longest chain of them? The
        limit on the card counts one read of the inputs, so expect a small share, and compare your answer with the other
        versions.
        """
    ),
    rules=prose(
        """
        - A box is (left, top, right, bottom), in float32 or float64, with left < right and top < bottom. Areas are from
          1e-30 to 1e30. `boxes` has shape (n, 4), `scores` has shape (n,) and the same dtype, and `threshold` is a Python number from 0 to 1.
        - The overlap of two boxes is the area of their intersection divided by the area of their union. Only an overlap
          *above* the threshold drops a box.
        - The result is a vector of int64: best score first; among equal scores, the lower index first.
        - The number of tensor operations may grow with the longest chain of dependent decisions, but not
          with the number of boxes. Synchronizations aren't limited.
        """
    ),
    limits=(at_most(150, "ops"),),
    target=1.5,
    cost=lambda size: Cost(reads=20 * size, writes=8),
    ways={
        "Python, early rejection": early_rejection,
        "all pairs, row by row": row_by_row,
        "all pairs, rounds": by_rounds,
    },
    hints=items(
        """
        - The overlaps are independent of each other: compute all pairs at once, (n, 1, 4) with (1, n, 4). Only the
          decisions depend on each other. Start with `scores.argsort(descending=True, stable=True)`, so that every box
          depends only on earlier ones.
        - The sides of an intersection are `torch.minimum` of the lower right corners minus `torch.maximum` of the
          upper left corners, with `clamp(min=0)`; their product is its area. The table `suppresses = (overlaps >
          threshold).triu(1)` shows which box would drop which: `triu(1)` keeps the pairs in which the row is the
          better box.
        - Decide in rounds: assume that all boxes stay, so `keep` is True for each. Then repeat `keep = ~(suppresses &
          keep[:, None]).any(0)` until nothing changes. The first box is correct at once, and every round makes more
          boxes final; the number of rounds depends on the longest chain, not on the number of boxes. To get closer to
          the limit, avoid the (n, n, 2) temporaries, and write in place.
        """
    ),
    mistakes=(
        Mistake(
            "Every box that overlaps a better box was dropped, even if that better box is dropped itself: a dropped "
            "box drops no other.",
            _one_round,
        ),
        Mistake("An overlap exactly at the threshold dropped a box: only a larger one does.", _at_the_threshold),
        Mistake(
            "The indices are sorted: return them by score, best first.",
            lambda boxes, scores, threshold: suppress_boxes_slow(boxes, scores, threshold).sort().values,
        ),
        Mistake(
            "The worst scores come first: sort in descending order.",
            lambda b, s, t: by_rounds(b, s, t, descending=False),
        ),
        Mistake(
            "The intersection is divided by the smaller area: divide it by the union.",
            lambda b, s, t: by_rounds(b, s, t, _over_the_smaller),
        ),
        Mistake(
            "Among equal scores, the higher index is first: a stable descending sort keeps the lower first.",
            lambda b, s, t: len(s) - 1 - by_rounds(b.flip(0), s.flip(0), t),
        ),
        Mistake(
            "These are indices into the sorted order: return indices into `boxes`.",
            lambda boxes, scores, threshold: suppress_boxes_slow(
                boxes[(o := scores.argsort(descending=True, stable=True))], scores[o], threshold
            ),
        ),
    ),
    sources=("S0.1",),
)
