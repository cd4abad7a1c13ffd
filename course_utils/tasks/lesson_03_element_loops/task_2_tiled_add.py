"""A row that repeats: a short vector added all along a long row, by a view in which it broadcasts.

What does not fit must be refused, with words.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import (
    fixed_case,
    float64,
    integer_case,
    noncontiguous_case,
    random_case,
    transposed_case,
    without_columns,
    without_rows,
)
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose


def tiled_add_slow(a, b):
    """Add b to each row of the matrix a, again and again until the row is full."""
    rows, columns = a.shape
    m = len(b)
    if m == 0 or columns % m != 0:
        raise ValueError(f"{m} values of b do not fit evenly into {columns} columns")
    result = torch.empty_like(a)
    for i in range(rows):
        for j in range(columns):
            result[i, j] = a[i, j] + b[j % m]
    return result


def _tile_inputs(size, generator):
    return normal(generator, size, (size + 1) * size), normal(generator, size)


def _by_rows(a, b):
    result = torch.empty_like(a)
    for i in range(len(a)):
        result[i] = a[i] + b.repeat(a.shape[1] // len(b))
    return result


def _copied(a, b):
    return a + b.repeat(a.shape[1] // len(b))


def _in_blocks(a, b):
    return (a.unflatten(1, (-1, len(b))) + b).flatten(1)


TASK = Task(
    id="tiled_add",
    title="A row that repeats",
    points=2,
    level=1,
    slow=tiled_add_slow,
    inputs=_tile_inputs,
    sizes=(1, 2, 3, 5, 9),
    edge_cases=(
        without_rows(6, (3,)),
        without_columns(4, (3,)),
        random_case("b as long as a row", (3, 4), (4,)),
        random_case("b of a single value", (3, 4), (1,)),
        random_case("as many rows as b has values", (3, 6), (3,)),
        transposed_case(4, 6, (3,)),
        noncontiguous_case("every second value of longer tensors", (2, 6), (3,)),
        float64((2, 6), (3,)),
        integer_case((2, 6), (3,)),
        Case("zeros to add", lambda generator: (normal(generator, 2, 6), torch.zeros(3))),
        fixed_case("huge values, infinity and NaN", [[3e38, inf, nan, -3e38, -inf, 1.0]], [3e38, -inf, 1.0]),
    ),
    raises=(
        (random_case("b that does not fit (6 columns, 4 values)", (2, 6), (4,)), ValueError),
        (random_case("b longer than a row (3 columns, 6 values)", (2, 3), (6,)), ValueError),
        (random_case("b that leaves a rest (7 columns, 3 values)", (2, 7), (3,)), ValueError),
        (random_case("an empty b", (2, 6), (0,)), ValueError),
    ),
    count_sizes=(4, 16),
    race_size=15,
    story=prose(
        """
        Every machine in a plant reports its readings in turn, round after round, and a row of `a` is one day of them.
        Each machine has a correction of its own, and `b` holds one for each. Write `tiled_add(a, b)`, which adds the
        corrections all along every row: first, second, …, last, and from the first again.
        """
    ),
    rules=prose(
        """
        - `a` has the shape (r, k·m), `b` the shape (m,) and the dtype of `a`. The result has the shape and the dtype
        of `a`; `a` and `b` stay as they were.
        - Where `b` does not fit a whole number of times into a row, or is empty, `ValueError` with a message that
        says so.
        - A few tensor operations, however large `a` is.
        """
    ),
    limits=(at_most(12, "ops"), at_most(0, "syncs")),
    target=50.0,
    cost=lambda size: Cost(reads=4 * (size**2 * (size + 1) + size), writes=4 * size**2 * (size + 1)),
    ways={"row loop": _by_rows, "copied, then one": _copied, "blocks": _in_blocks},
    hints=items(
        """
        - Broadcasting compares shapes from the right: (r, k·m) with (m,) does not fit. Which shape of a would?
        - See each row as k pieces of m values: shape (r, k, m), and then b fits. `unflatten` or `reshape` gives that
          view.
        - First raise ValueError where columns % m is not 0 (or m is 0); then a.unflatten(1, (-1, m)) + b, and flatten
          the last two axes again. (`reshape(rows, -1, m)` cannot tell what -1 is when there are no rows.)
        """
    ),
    mistakes=(
        Mistake(
            "Each value of b is repeated before the next one comes (b0 b0 b1 b1); wanted is b0 b1 … b0 b1 …",
            lambda a, b: a + b.repeat_interleave(a.shape[1] // len(b)),
        ),
        Mistake(
            "b is added to the first values of each row only.",
            lambda a, b: torch.cat([a[:, : len(b)] + b, a[:, len(b) :]], dim=1),
        ),
        Mistake("This is b, repeated, but a is missing.", lambda a, b: b.repeat(a.shape[1] // len(b)).expand_as(a)),
        Mistake(
            "The result stands in pieces of shape (r, k, m): it must have the shape of a again.",
            lambda a, b: a.unflatten(1, (-1, len(b))) + b,
        ),
    ),
    sources=("S1.3", "S1.9"),
)
