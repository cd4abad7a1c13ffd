"""Practice of wavefronts: the cells of a table that may be computed together, as one slice."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, normal
from course_utils.tasks.unwrap import prose


def anti_diagonal_slow(table, d):
    """The cells of the table whose row and column add up to d, from the top down."""
    rows, columns = table.shape
    return torch.stack([table[i, d - i] for i in range(rows) if 0 <= d - i < columns])


def _drawn(generator, rows, columns):
    return normal(generator, rows, columns), int(integers(generator, 0, rows + columns - 1, 1))


def _case(name, rows, columns, d):
    return Case(name, lambda generator: (normal(generator, rows, columns), d))


TASK = Task(
    id="anti_diagonal",
    title="Cells that do not wait for each other",
    points=0,
    level=1,
    slow=anti_diagonal_slow,
    inputs=lambda size, generator: _drawn(generator, size, size + 1),
    edge_cases=(
        _case("the first cell", 3, 3, 0),
        _case("the last cell", 3, 4, 5),
        _case("the longest diagonal of a square", 4, 4, 3),
        _case("a diagonal that begins below the first row", 4, 3, 4),
        _case("a tall table", 5, 2, 3),
    ),
    may_alias=True,
    story=prose(
        "Write `anti_diagonal(table, d)`: the cells (i, d − i) of a matrix, from the top down, without a loop."
    ),
    limits=(at_most(6, "ops"),),
    hints=(
        "table.flip(1).diagonal(k) are cells (i, columns − 1 − i − k) of the table. For which k is that (i, d − i)?",
    ),
    mistakes=(
        Mistake(
            "These are the right cells, from the bottom up.", lambda table, d: anti_diagonal_slow(table, d).flip(0)
        ),
        Mistake(
            "This diagonal leads down to the right; row and column of its cells do not add up to d.",
            lambda t, d: t.diagonal(d),
        ),
        Mistake(
            "The sign of k is turned: `diagonal(k)` begins k columns to the right of the corner.",
            lambda t, d: t.flip(1).diagonal(d - t.shape[1] + 1),
        ),
    ),
)
