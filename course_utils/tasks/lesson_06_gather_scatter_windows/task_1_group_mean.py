"""A mean for each label: sums and counts by group, and NaN where a group has no rows."""

from __future__ import annotations

from math import inf

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous, normal
from course_utils.tasks.unwrap import items, prose


def group_mean_slow(values, labels, groups):
    """Of each group the mean of its rows of values, shape (groups, d); NaN where it has none."""
    sums = torch.zeros(groups, values.shape[1], dtype=values.dtype, device=values.device)
    counts = torch.zeros(groups, 1, dtype=values.dtype, device=values.device)
    for i in range(len(values)):
        sums[labels[i]] += values[i]
        counts[labels[i]] += 1
    return sums / counts


_COLUMNS = 4


def _inputs(generator, rows, groups, columns=_COLUMNS, dtype=torch.float32):
    return normal(generator, rows, columns, dtype=dtype), integers(generator, 0, groups, rows), groups


def _some_without_rows(generator):
    """Groups 0, 3 and the last one have no rows."""
    return normal(generator, 6, 2), torch.tensor([4, 1, 4, 2, 4, 2]), 6


def _infinity(_):
    return torch.tensor([[1.0], [inf], [2.0], [-inf]]), torch.tensor([0, 1, 0, 2]), 3


def _counts(values, labels, groups):
    ones = torch.ones(len(labels), dtype=values.dtype, device=values.device)
    return torch.zeros(groups, dtype=values.dtype, device=values.device).index_add(0, labels, ones)[:, None]


def _sums(values, labels, groups):
    return torch.zeros(groups, values.shape[1], dtype=values.dtype, device=values.device).index_add(0, labels, values)


def _last(values, labels, groups):
    """Of each group its last row, as ``out[labels] += values`` leaves it."""
    last = torch.zeros(groups, values.shape[1], dtype=values.dtype)
    for row, label in zip(values, labels.tolist()):
        last[label] = row
    return last


def _by_index_add(values, labels, groups):
    return _sums(values, labels, groups) / _counts(values, labels, groups)


def _by_masks(values, labels, groups):
    return torch.stack([values[labels == group].mean(0) for group in range(groups)])


TASK = Task(
    id="group_mean",
    title="A mean for each label",
    points=2,
    level=1,
    slow=group_mean_slow,
    inputs=lambda size, generator: _inputs(generator, 2 * size, size + 1),
    edge_cases=(
        Case("groups without rows", _some_without_rows),
        Case("no rows at all", lambda generator: _inputs(generator, 0, 3)),
        Case("one group", lambda generator: _inputs(generator, 5, 1)),
        Case("rows of one number", lambda generator: _inputs(generator, 7, 3, columns=1)),
        Case("as many rows as groups and columns", lambda generator: _inputs(generator, 3, 3, columns=3)),
        Case("infinity in some groups", _infinity),
        Case(
            "every second column of a wider matrix", lambda g: (noncontiguous(normal(g, 6, 3)), integers(g, 0, 4, 6), 4)
        ),
        Case("float64 values", lambda generator: _inputs(generator, 8, 3, dtype=torch.float64)),
    ),
    race_size=1024,
    story=prose(
        """
        A network gives each picture a vector, and each picture has a label. The mean vector of a label is its *prototype*:
        a new picture gets the label whose prototype is nearest. Write `group_mean(values, labels, groups)`, which
        gives the mean of the rows of each label.
        """
    ),
    rules=prose(
        """
        - `values` has the shape (n, d) and holds floating-point numbers. `labels`, of shape (n,) and int64, holds for each row a number from
        0 to `groups` - 1. The result has the shape (groups, d) and the dtype of `values`, which stays as it was.
        - A group without rows becomes NaN. What stands in one group does not touch another, infinity included.
        - A few tensor operations, however many rows and groups there are.
        """
    ),
    limits=(at_most(16, "ops"),),
    target=10.0,
    cost=lambda size: Cost(
        reads=2 * size * (4 * _COLUMNS + 8),
        writes=4 * _COLUMNS * (size + 1),
    ),
    ways={"a mask for each group": _by_masks, "index_add": _by_index_add},
    hints=items(
        """
        - A mean is a sum and a count. Which of the two did the lesson add up by label already?
        - `index_add(0, labels, values)` on zeros of shape (groups, d) gives the sums. The counts are the same addition, of
          ones.
        - Counts of shape (groups, 1) divide the rows of the sums: `counts[:, None]`. And 0 / 0 is NaN by itself.
        """
    ),
    mistakes=(
        Mistake("These are the sums of the groups; the means are wanted.", _sums),
        Mistake(
            "A group without rows became 0: it has no mean, so it has to be NaN.",
            lambda values, labels, groups: _sums(values, labels, groups) / _counts(values, labels, groups).clamp(min=1),
        ),
        Mistake(
            "Of each group only the last row is left: where a label comes twice, `out[labels] += …` writes twice and adds once.",
            lambda values, labels, groups: _last(values, labels, groups) / _counts(values, labels, groups).clamp(max=1),
        ),
        Mistake(
            "Of each group only the last row is left, divided by their number: where a label comes twice, "
            "`out[labels] += …` writes twice and adds once.",
            lambda values, labels, groups: _last(values, labels, groups) / _counts(values, labels, groups),
        ),
        Mistake(
            "The zero that stood there at the start is counted as a row: include_self=False leaves it out.",
            lambda values, labels, groups: _sums(values, labels, groups) / (_counts(values, labels, groups) + 1),
        ),
        Mistake(
            "The sums are divided by the number of all rows; divide each by the number of its own.",
            lambda values, labels, groups: _sums(values, labels, groups) / len(values),
        ),
    ),
)
