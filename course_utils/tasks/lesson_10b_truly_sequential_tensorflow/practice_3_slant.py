"""Practice of wavefronts in TensorFlow: the anti-diagonals of a table as rows."""

from __future__ import annotations

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.tensorflow_cases import fixed_case, float64, random_case
from course_utils.tasks.tensorflow_inputs import normal


def slant_slow(table):
    """Return the fronts as rows: row d holds the cell (i, d - i) at position i, or infinity if there is none."""
    rows, columns = table.shape
    nothing = tf.constant(inf, table.dtype)
    return tf.stack(
        [
            tf.stack([table[i, d - i] if 0 <= d - i < columns else nothing for i in range(rows)])
            for d in range(rows + columns - 1)
        ]
    )


def _by_shifts(table, turned=False, filling=inf):
    rows = table.shape[0]
    shifted = [tf.pad(table[i], [[i, rows - 1 - i]], constant_values=filling) for i in range(rows)]
    return tf.stack(shifted, axis=0 if turned else 1)


TASK = Task(
    id="slant",
    title="Fronts as rows",
    points=0,
    level=1,
    framework="tensorflow",
    slow=slant_slow,
    inputs=lambda size, generator: (normal(generator, size + size // 2, size + size // 2 + 1),),
    sizes=(1, 2, 3, 5),
    count_sizes=(3, 16),
    edge_cases=(
        random_case("a tall table", 130, 2),
        random_case("a wide table", 2, 300),
        random_case("a single cell", 1, 1),
        random_case("one row", 1, 4),
        random_case("one column", 4, 1),
        float64(3, 2),
        fixed_case("cells near the largest float32", [[3e38, 1.0, -3e38], [2.0, 3e38, 0.0]]),
        fixed_case("cells of 0, infinity and NaN", [[-inf, 0.0, 2], [nan, 0, inf]]),
    ),
    worst="The cells are moved and not changed; the edge cases are tables of all shapes.",
    story=prose(
        """
        Write `slant(table)`: a matrix with one row per front of the table and one column per row of the table.
        """
    ),
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    hints=items(
        """
        - `tf.pad(table, [[0, 0], [0, rows]], constant_values=math.inf)` appends infinities to each row. `tf.reshape(…,
          [-1])` writes all rows in one long line; keep rows · (rows + columns − 1) values, reshape them, and apply
          `tf.transpose`.
        """
    ),
    mistakes=(
        Mistake("Rows and columns are swapped: a front is a row of the result.", lambda t: _by_shifts(t, turned=True)),
        Mistake("Positions without a cell hold 0: use infinity.", lambda table: _by_shifts(table, filling=0.0)),
    ),
)
