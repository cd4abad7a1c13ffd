"""Where the largest value of each group stands: two reductions by label, the second over places.

Equal values, groups of negative values and groups without a value are where the short ways go wrong.
"""

from __future__ import annotations

from math import inf

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, normal
from course_utils.tasks.unwrap import items, prose


def group_top_slow(values, labels, groups):
    """Of each group the index of its largest value, the first of equal ones; -1 where it has none."""
    top = torch.full((groups,), -1, dtype=torch.int64, device=values.device)
    for i in range(len(values)):
        best = top[labels[i]]
        if best < 0 or values[i] > values[best]:
            top[labels[i]] = i
    return top


def _inputs(generator, count, groups, dtype=torch.float32):
    return normal(generator, count, dtype=dtype), integers(generator, 0, groups, count), groups


def _case(name, values, labels, groups):
    return Case(name, lambda _: (torch.tensor(values), torch.tensor(labels), groups))


def _two_steps(values, labels, groups, start=-inf, of_equals="amin"):
    """The largest value of each group, then the least of the places where it stands."""
    best = torch.full((groups,), start, dtype=values.dtype).scatter_reduce(0, labels, values, "amax")
    none = len(values) if of_equals == "amin" else -1
    places = torch.where(values == best[labels], torch.arange(len(values)), none)
    first = torch.full((groups,), none).scatter_reduce(0, labels, places, of_equals)
    return torch.where(first == none, -1, first)


def _within(values, labels, groups):
    """Counted within the group."""
    top = group_top_slow(values, labels, groups)
    return torch.tensor([int((labels[: max(i, 0)] == group).sum()) if i >= 0 else -1 for group, i in enumerate(top)])


def _by_table(values, labels, groups):
    table = torch.where(labels == torch.arange(groups)[:, None], values, -inf)
    return torch.where(torch.bincount(labels, minlength=groups) > 0, table.argmax(1), -1)


def _enough(values, labels, groups):
    """Room for some tensors as long as the values or the groups, not for a table of both."""
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
        _case("groups without a value", [0.5, 0.25, 0.75], [3, 1, 3], 5),
        _case("equal values", [1.0, 2.0, 2.0, 1.0, 1.0, 2.0], [0, 1, 1, 0, 0, 1], 2),
        _case("negative values only", [-3.0, -1.0, -2.0, -4.0], [0, 0, 1, 1], 3),
        _case("minus infinity, alone in its group", [-inf, 1.0, -inf], [0, 1, 1], 3),
        _case("the same value in two groups, once below a larger one", [2.0, 2.0, 5.0], [0, 1, 1], 2),
        Case("no values", lambda _: (torch.zeros(0), torch.zeros(0, dtype=torch.int64), 3)),
        Case("one group", lambda generator: _inputs(generator, 6, 1)),
        Case(
            "float64 values that float32 cannot tell apart",
            lambda _: (1 + torch.tensor([1e-12, 2e-12, 3e-12], dtype=torch.float64), torch.tensor([0, 0, 1]), 2),
        ),
    ),
    count_sizes=(8, 128),
    race_size=512,
    story=prose(
        """
        A detector looks at many images and puts all the boxes that it finds into one long list: `values` holds how sure it is of each,
        and `labels` the number of the image. Write `group_top(values, labels, groups)`, which finds the surest box of each
        image.
        """
    ),
    rules=prose(
        """
        - `values`, of shape (n,), holds floating-point numbers, minus infinity perhaps, but no NaN. `labels`, of shape (n,) and int64, holds
        for each a number from 0 to `groups` - 1. The result, of shape (groups,) and int64, holds places in `values`.
        - Of equal values the first one counts. A group without a value gets -1.
        - A few tensor operations, however many values and groups there are; Python waits for no value. No table of values × groups: memory grows with their sum.
        """
    ),
    limits=(
        at_most(24, "ops"),
        at_most(0, "syncs"),
        at_most(_enough, "bytes", "160 bytes per value and per group, and 1,024 bytes"),
    ),
    target=10.0,
    cost=lambda size: Cost(reads=4 * size * (4 + 8), writes=8 * size),
    ways={"a table of values × groups": _by_table},
    hints=items(
        """
        - Two questions, one after the other: how large is the largest value of each group? And where does it stand?
        - `scatter_reduce(0, labels, values, "amax")` answers the first; begin with minus infinity everywhere. Then
          `best[labels]` tells each value the largest of its own group.
        - Where `values == best[labels]`, take the place, elsewhere n. The least of these places in each group, by
          `scatter_reduce(…, "amin")` on a tensor full of n, is the answer; n that is left means that the group is empty.
        """
    ),
    mistakes=(
        Mistake(
            "Of equal values the last one is taken; wanted is the first.",
            lambda values, labels, groups: _two_steps(values, labels, groups, of_equals="amax"),
        ),
        Mistake(
            "A group of negative values only looks empty: the 0 at the start is larger than all of them. Start from minus infinity.",
            lambda values, labels, groups: _two_steps(values, labels, groups, start=0.0),
        ),
        Mistake(
            "A group without a value gets 0, as if the first value were its own: it has to be -1.",
            lambda values, labels, groups: _two_steps(values, labels, groups).clamp(min=0),
        ),
        Mistake(
            "A group without a value gets n, which is no place: it has to be -1.",
            lambda values, labels, groups: (top := _two_steps(values, labels, groups)).where(
                top >= 0, torch.tensor(len(values))
            ),
        ),
        Mistake(
            "These are the largest values; wanted is where they stand.",
            lambda values, labels, groups: torch.full((groups,), -inf, dtype=values.dtype).scatter_reduce(
                0, labels, values, "amax"
            ),
        ),
        Mistake("The places are counted within each group; wanted are places in values.", _within),
        Mistake(
            "These are the places of the smallest values.",
            lambda values, labels, groups: _two_steps(-values, labels, groups),
        ),
    ),
)
