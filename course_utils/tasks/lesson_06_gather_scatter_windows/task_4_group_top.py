"""The index of the largest value of each group: two reductions by label, the second over indices.

Short versions fail for equal values, groups of negative values and groups without values.
"""

from __future__ import annotations

from math import inf

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous, normal


def group_top_slow(values, labels, groups):
    """Return the index of each group's largest value, the first of equal values; -1 for a group without values."""
    top = torch.full((groups,), -1, dtype=torch.int64, device=values.device)
    for i in range(len(values)):
        best = top[labels[i]]
        if best < 0 or values[i] > values[best]:
            top[labels[i]] = i
    return top


def _inputs(generator, count, groups, dtype=torch.float32):
    return normal(generator, count, dtype=dtype), integers(generator, 0, groups, count), groups


def _apart(generator):
    values, labels, groups = _inputs(generator, 6, 1)
    return noncontiguous(values), noncontiguous(labels), groups


def _case(name, values, labels, groups):
    return Case(name, lambda _: (torch.tensor(values), torch.tensor(labels), groups))


def _two_steps(values, labels, groups, start=-inf, of_equals="amin"):
    """Find the largest value of each group, then the smallest index at which it occurs."""
    best = torch.full((groups,), start, dtype=values.dtype).scatter_reduce(0, labels, values, "amax")
    none = len(values) if of_equals == "amin" else -1
    indices = torch.where(values == best[labels], torch.arange(len(values)), none)
    first = torch.full((groups,), none).scatter_reduce(0, labels, indices, of_equals)
    return torch.where(first == none, -1, first)


def _within(values, labels, groups):
    """Return the indices, counted within each group."""
    top = group_top_slow(values, labels, groups)
    return torch.tensor([int((labels[: max(i, 0)] == group).sum()) if i >= 0 else -1 for group, i in enumerate(top)])


def _by_table(values, labels, groups):
    table = torch.where(labels == torch.arange(groups)[:, None], values, -inf)
    return torch.where(torch.bincount(labels, minlength=groups) > 0, table.argmax(1), -1)


def _enough(values, labels, groups):
    """Return bytes that suffice for some tensors as long as the values or the groups, but not for a table of both."""
    return 1024 + 160 * (len(values) + groups)


TASK = Task(
    id="group_top",
    title="The best of each group",
    points=3,
    level=2,
    slow=group_top_slow,
    inputs=lambda size, generator: _inputs(generator, 4 * size, size),
    sizes=(1, 2, 3, 6, 17),
    edge_cases=(
        _case("groups without values", [0.5, 0.25, 0.75], [3, 1, 3], 5),
        _case("equal values", [-0.0, 2.0, 2.0, 0.0, 0.0, 2.0], [0, 1, 1, 0, 0, 1], 2),
        _case("negative values only", [-3.0, -1.0, -2.0, -4.0], [0, 0, 1, 1], 3),
        _case("minus infinity as the only value of a group", [-inf, 1.0, -inf], [0, 1, 1], 3),
        _case("a value in two groups, and the largest of only one", [2.0, 2.0, 5.0], [0, 1, 1], 2),
        Case("4,099 groups", lambda g: (normal(g, 9), 4098 - integers(g, 0, 9, 9), 4099)),
        Case("no values", lambda _: (torch.zeros(0), torch.zeros(0, dtype=torch.int64), 3)),
        Case("one group, in every second element of longer vectors", _apart),
    ),
    worst=(
        Case(
            "float64 values that float32 cannot tell apart",
            lambda _: (1 + torch.tensor([1.0, 2.0, 3.0]).double() * 2**-52, torch.tensor([0, 0, 1]), 2),
        ),
        Case("300 equal values", lambda g: (torch.full((300,), -0.5), integers(g, 0, 5, 300), 6)),
        Case(
            "minus infinity before the lowest number",
            lambda _: (torch.tensor([-inf, torch.finfo(torch.float32).min]), torch.zeros(2).long(), 1),
        ),
        Case("only minus infinity", lambda g: (torch.full((40,), -inf), integers(g, 0, 3, 40), 4)),
        Case("values that increase within each group", lambda _: (torch.arange(300.0), torch.arange(300) % 7, 7)),
        Case(
            "33,000 values, more than int16 can count, that increase within each group",
            lambda _: (torch.arange(33_000.0), torch.arange(33_000) % 7, 7),
        ),
    ),
    count_sizes=(8, 128),
    race_size=512,
    story=prose(
        """
        A detector searches many images and writes all boxes into one list: `values` holds the confidence of each box, and
        `labels` holds the index of its image. Write `group_top(values, labels, groups)`, which returns the index of the box
        with the highest confidence in each image.
        """
    ),
    rules=prose(
        """
        - `values` has shape (n,) and dtype float32 or float64. It can hold minus infinity but neither infinity nor NaN. `labels` has shape (n,), dtype
        int64, and values from 0 to `groups` − 1. The result has shape (groups,), dtype int64, and holds indices of `values`.
        - Of equal values, the first one counts. A group without values gets −1.
        - A float32 table of values × groups exceeds the memory limit.
        """
    ),
    limits=(
        at_most(24, "ops"),
        at_most(0, "syncs"),
        at_most(_enough, "bytes", "160 bytes per value, 160 per group, and 1,024 bytes"),
    ),
    target=10.0,
    cost=lambda size: Cost(reads=4 * size * (4 + 8), writes=8 * size),
    ways={"table of values × groups": _by_table},
    hints=items(
        """
        - Answer two questions, one after the other: what is the largest value of each group, and what is its index?
        - `scatter_reduce(0, labels, values, "amax")` on a tensor of minus infinity answers the first one. Then `best[labels]` is
          the largest value of each value's own group.
        - Replace each value by its index if `values == best[labels]`, else by n. `scatter_reduce(0, labels, …, "amin")` on a
          tensor of n returns the smallest index of each group. If n remains, the group is empty.
        """
    ),
    mistakes=(
        Mistake(
            "Of equal values, the last one is chosen here: choose the first one.",
            lambda values, labels, groups: _two_steps(values, labels, groups, of_equals="amax"),
        ),
        Mistake(
            "A group of only negative values counts as empty, because its values are compared with 0, for example with an "
            "initial 0: start from minus infinity.",
            lambda values, labels, groups: _two_steps(values, labels, groups, start=0.0),
        ),
        Mistake(
            "A group without values gets 0: return −1.",
            lambda values, labels, groups: _two_steps(values, labels, groups).clamp(min=0),
        ),
        Mistake(
            "A group without values gets n, which isn't an index: return −1.",
            lambda values, labels, groups: (top := _two_steps(values, labels, groups)).where(
                top >= 0, torch.tensor(len(values))
            ),
        ),
        Mistake(
            "These are the largest values: return their indices.",
            lambda values, labels, groups: torch.full((groups,), -inf, dtype=values.dtype).scatter_reduce(
                0, labels, values, "amax"
            ),
        ),
        Mistake("The indices count within each group: return indices of `values`.", _within),
        Mistake(
            "These are the indices of the smallest values: take the largest ones.",
            lambda values, labels, groups: _two_steps(-values, labels, groups),
        ),
    ),
)
