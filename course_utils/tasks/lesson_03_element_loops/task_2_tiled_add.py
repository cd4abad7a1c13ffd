"""A short vector added repeatedly along each row of a matrix, by a view in which it broadcasts.

A vector that does not fit raises ValueError.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.frameworks.tensor_interface import NUMBERS
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import (
    cases_at_the_ends,
    fixed_case,
    random_case,
    without_columns,
    without_rows,
)
from course_utils.tasks.torch_inputs import normal


def tiled_add_slow(a, b):
    """Return the matrix a, with b repeated until it fills a row and added to each row."""
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
    title="A repeated row",
    points=2,
    level=1,
    slow=tiled_add_slow,
    reference=_in_blocks,
    inputs=_tile_inputs,
    sizes=(1, 2, 3, 5, 9),
    dtypes={"a, b": NUMBERS},
    edge_cases=(
        without_rows(6, (3,)),
        without_columns(4, (3,)),
        random_case("b as long as a row", (3, 4), (4,)),
        random_case("b of a single value", (3, 4), (1,)),
        random_case("4,100 rows of one value", (4100, 1), (1,)),
        random_case("4,100 values of b", (1, 4100), (4100,)),
        random_case("11,000 repetitions of b", (1, 33_000), (3,)),
        random_case("as many rows as b has values", (3, 6), (3,)),
        Case("zeros to add", lambda generator: (normal(generator, 6, 6), torch.zeros(3))),
        fixed_case("huge values, infinity and NaN", [[3e38, inf, nan, -3e38, -inf, 1.0]], [3e38, -inf, 1.0]),
        Case(
            "uint8 sums above and below 255",
            lambda _: (torch.tensor([[250, 3]], dtype=torch.uint8), torch.tensor([9, 4], dtype=torch.uint8)),
        ),
        *cases_at_the_ends(
            "sums beyond both ends",
            lambda ends: ([[ends.max, ends.min]], [9, -20]),
            dtypes=("int8", "int16", "int32", "int64"),
        ),
    ),
    raises=(
        (random_case("a b that does not fit (6 columns, 4 values)", (2, 6), (4,)), ValueError),
        (random_case("an empty b and no columns", (2, 0), (0,)), ValueError),
        (random_case("a b longer than a row (3 columns, 6 values)", (2, 3), (6,)), ValueError),
        (random_case("a b that leaves a remainder (7 columns, 3 values)", (2, 7), (3,)), ValueError),
        (random_case("an empty b", (2, 6), (0,)), ValueError),
        (random_case("a b that does not fit into a matrix without rows", (0, 6), (4,)), ValueError),
    ),
    worst="Each value of the result depends on one value of each input, whatever the size.",
    count_sizes=(4, 16),
    race_size=15,
    story=prose(
        """
        The machines in a plant report one reading each, in a fixed order, again and again. A row of `a` holds the readings of
        one day. `b` holds one correction per machine. Write `tiled_add(a, b)`, which adds the corrections along each row:
        first, second, …, last, first, second, …
        """
    ),
    rules=prose(
        """
        - `a` has shape (r, k·m), `b` has shape (m,), and both have one dtype, of floats or integers, and don't change. The
        result has the shape and dtype of `a`. Integer sums wrap around, as in the loop.
        - If `b` is empty or doesn't fit into a row a whole number of times, raise `ValueError` with a message that says so.
        """
    ),
    limits=(at_most(12, "ops"), at_most(0, "syncs")),
    target=50.0,
    cost=lambda size: Cost(reads=4 * (size**2 * (size + 1) + size), writes=4 * size**2 * (size + 1)),
    ways={"loop over rows": _by_rows, "b repeated": _copied, "view in blocks": _in_blocks},
    hints=items(
        """
        - Broadcasting compares shapes from the right: (r, k·m) and (m,) don't fit. Which shape of `a` fits?
        - View each row as k blocks of m values, with shape (r, k, m): then `b` fits. `unflatten` and `reshape` return that
          view.
        - Raise `ValueError` if m is 0 or `columns % m` is not 0. Then return `(a.unflatten(1, (-1, m)) +
          b).flatten(1)`. `reshape(rows, -1, m)` fails if there are no rows, because it cannot infer the `-1`.
        """
    ),
    mistakes=(
        Mistake(
            "Each value of `b` is repeated before the next one (b0 b0 b1 b1): repeat `b` as a whole (b0 b1 b0 b1).",
            lambda a, b: a + b.repeat_interleave(a.shape[1] // len(b)),
        ),
        Mistake(
            "`b` is added to the first block of each row only: add it to every block.",
            lambda a, b: torch.cat([a[:, : len(b)] + b, a[:, len(b) :]], dim=1),
        ),
        Mistake("This is `b`, repeated: add `a`.", lambda a, b: b.repeat(a.shape[1] // len(b)).expand_as(a)),
        Mistake(
            "The result has shape (r, k, m): flatten the last two axes, so that it has the shape of `a`.",
            lambda a, b: a.unflatten(1, (-1, len(b))) + b,
        ),
    ),
    sources=("S1.3", "S1.9"),
)
