"""Practice of wavefronts: the cells of a table that can be computed together."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64
from course_utils.tasks.torch_inputs import integers, normal


def anti_diagonal_slow(table, d):
    """Return the cells of the table with row + column = d, from top to bottom."""
    rows, columns = table.shape
    return torch.stack([table[i, d - i] for i in range(rows) if 0 <= d - i < columns])


def _inputs(generator, rows, columns):
    """Return a diagonal of at least half the rows, so that its length grows with the rows."""
    return normal(generator, rows, columns), int(integers(generator, rows // 2, rows + columns // 2, 1))


def _case(name, rows, columns, d):
    return Case(name, lambda generator: (normal(generator, rows, columns), d))


TASK = Task(
    id="anti_diagonal",
    title="One anti-diagonal",
    points=0,
    level=1,
    slow=anti_diagonal_slow,
    inputs=lambda size, generator: _inputs(generator, size, size + 1),
    edge_cases=(
        _case("the first cell", 3, 3, 0),
        _case("the last cell", 3, 4, 5),
        _case("the longest diagonal of a square", 4, 4, 3),
        _case("a diagonal that begins below the first row", 4, 3, 4),
        _case("a tall table", 300, 2, 200),
        _case("a wide table", 2, 300, 200),
        _case("a single cell", 1, 1, 0),
        _case("a single column", 4, 1, 2),
        _case("a table of 300 rows", 300, 301, 450),
        float64((4, 5), rest=(4,)),
        fixed_case("infinity and NaN in other cells", [[nan, 1.0, inf], [2.0, -inf, 3.0]], rest=(1,)),
        fixed_case("infinity in the cells", [[nan, 1.0, inf], [2.0, -inf, 3.0]], rest=(2,)),
    ),
    worst="The edge cases are the diagonals of all kinds, and the values aren't changed.",
    story=prose(
        "Write `anti_diagonal(table, d)`: the cells (i, d − i) of a matrix, from top to bottom, without a loop."
    ),
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    hints=items(
        """
        - `table.flip(1).diagonal(k)` contains the cells (i, columns − 1 − i − k) of the table. For which k are
          these the cells (i, d − i)?
        """
    ),
    mistakes=(
        Mistake(
            "The cells are correct but in reverse order: return them from top to bottom.",
            lambda table, d: anti_diagonal_slow(table, d).flip(0),
        ),
        Mistake(
            "This diagonal runs down to the right: flip the columns of the table first.",
            lambda t, d: t.diagonal(d).clone(),
        ),
        Mistake(
            "The sign of k is wrong: `diagonal(k)` starts k columns to the right of the corner.",
            lambda t, d: t.flip(1).diagonal(d - t.shape[1] + 1),
        ),
    ),
)
