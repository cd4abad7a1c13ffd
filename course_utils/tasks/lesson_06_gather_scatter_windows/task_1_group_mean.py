"""The mean of each label's rows: sums and counts by group, and NaN for a group without rows."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous, normal


def group_mean_slow(values, labels, groups):
    """Return the mean of each group's rows of values, shape (groups, d); NaN for a group without rows."""
    sums = torch.zeros(groups, values.shape[1], dtype=values.dtype, device=values.device)
    counts = torch.zeros(groups, 1, dtype=values.dtype, device=values.device)
    for i in range(len(values)):
        sums[labels[i]] += values[i]
        counts[labels[i]] += 1
    return sums / counts


def _columns(size):
    return 24 if size > 32 else 4  # A loop over 24 columns exceeds the limit on operations.


def _inputs(generator, rows, groups, columns=4, dtype=torch.float32):
    return normal(generator, rows, columns, dtype=dtype), integers(generator, 0, groups, rows), groups


def _some_without_rows(generator):
    """Return rows for groups 1, 2 and 4; groups 0, 3 and 5 have none."""
    return normal(generator, 6, 2), torch.tensor([4, 1, 4, 2, 4, 2]), 6


def _sums_of_0(_):
    """Return rows of group 0 that add up to 0, and rows of 0 for group 2; group 1 has none."""
    return torch.tensor([[1.0, -2.0], [-1.0, 2.0], [0.0, 0.0]]), torch.tensor([0, 0, 2]), 3


def _infinity_and_nan(_):
    return torch.tensor([[1.0], [inf], [2.0], [-inf], [nan]]), torch.tensor([0, 1, 0, 2, 3]), 4


def _counts(values, labels, groups):
    ones = torch.ones(len(labels), dtype=values.dtype, device=values.device)
    return torch.zeros(groups, dtype=values.dtype, device=values.device).index_add(0, labels, ones)[:, None]


def _sums(values, labels, groups):
    return torch.zeros(groups, values.shape[1], dtype=values.dtype, device=values.device).index_add(0, labels, values)


def _last(values, labels, groups):
    """Return the last row of each group, which ``out[labels] += values`` returns."""
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
    title="The mean of each label",
    points=2,
    level=1,
    slow=group_mean_slow,
    inputs=lambda size, generator: _inputs(generator, 2 * size, size + 1, _columns(size)),
    edge_cases=(
        Case("groups without rows", _some_without_rows),
        Case("no rows", lambda generator: _inputs(generator, 0, 3)),
        Case("one group", lambda generator: _inputs(generator, 5, 1)),
        Case("rows of one value", lambda generator: _inputs(generator, 7, 3, columns=1)),
        Case("as many rows as groups and columns", lambda generator: _inputs(generator, 3, 3, columns=3)),
        Case("infinity and NaN in some groups", _infinity_and_nan),
        Case("groups whose rows add up to 0, and one without rows", _sums_of_0),
        Case(
            "every second column of a wider matrix", lambda g: (noncontiguous(normal(g, 6, 3)), integers(g, 0, 4, 6), 4)
        ),
        Case("4,099 groups", lambda g: (normal(g, 9, 2), 4098 - integers(g, 0, 9, 9), 4099)),
        Case("rows of 4,099 values", lambda generator: _inputs(generator, 5, 3, columns=4099)),
        Case("float64 values", lambda generator: _inputs(generator, 8, 3, dtype=torch.float64)),
    ),
    worst=(
        Case(
            "33,000 rows in one group, more than int16 can count, then one row in another",
            lambda g: (100 + normal(g, 33_001, 2), 1 + (torch.arange(33_001) == 33_000).long(), 3),
        ),
        Case(
            "float64 values that float32 cannot hold",
            lambda g: (1e9 + 1e-3 * normal(g, 8, 2, dtype=torch.float64), integers(g, 0, 3, 8), 3),
        ),
    ),
    race_size=1024,
    story=prose(
        """
        A network returns a vector for each image, and each image has a label. The mean vector of a label is its **prototype**: a
        new image gets the label with the nearest prototype. Write `group_mean(values, labels, groups)`, which returns the mean
        of the rows of each label.
        """
    ),
    rules=prose(
        """
        - `values` has shape (n, d) and dtype float32 or float64, and it doesn't change. `labels` has shape (n,), dtype int64, and
        values from 0 to `groups` − 1. The result has shape (groups, d) and the dtype of `values`.
        - A group without rows gets NaN. Values of one group, even infinity and NaN, don't affect other groups.
        """
    ),
    limits=(at_most(16, "ops"), at_most(4, "syncs")),
    target=10.0,
    cost=lambda size: Cost(
        reads=2 * size * (4 * _columns(size) + 8),
        writes=4 * _columns(size) * (size + 1),
    ),
    ways={"one mask per group": _by_masks, "index_add": _by_index_add},
    hints=items(
        """
        - A mean is a sum divided by a count. Which of the two did the lesson compute by label?
        - `index_add(0, labels, values)` on zeros of shape (groups, d) returns the sums. Add a one per row to zeros of
          shape (groups,) in the same way to get the counts.
        - `sums / counts[:, None]` divides each row by its count. 0 / 0 is NaN, as required.
        """
    ),
    mistakes=(
        Mistake("These are the sums of the groups: divide them by the counts.", _sums),
        Mistake(
            "A group without rows became 0: it has no mean, so return NaN.",
            lambda values, labels, groups: _sums(values, labels, groups) / _counts(values, labels, groups).clamp(min=1),
        ),
        Mistake(
            "Only one row of each group counts: `out[labels] += …` keeps one. Use `index_add`.",
            lambda values, labels, groups: _last(values, labels, groups) / _counts(values, labels, groups).clamp(max=1),
        ),
        Mistake(
            "Only one row of each group counts, divided by the number of rows: `out[labels] += …` keeps one. Use `index_add`.",
            lambda values, labels, groups: _last(values, labels, groups) / _counts(values, labels, groups),
        ),
        Mistake(
            "Each sum is divided by its group's count plus 1: start the counts at 0. In a reduction to the mean, `include_self=False` leaves "
            "the initial zero out.",
            lambda values, labels, groups: _sums(values, labels, groups) / (_counts(values, labels, groups) + 1),
        ),
        Mistake(
            "The sums are divided by the number of all rows: divide each sum by its group's count.",
            lambda values, labels, groups: _sums(values, labels, groups) / len(values),
        ),
    ),
)
