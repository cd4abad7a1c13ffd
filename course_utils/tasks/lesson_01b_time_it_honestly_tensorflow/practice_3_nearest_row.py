"""Practice of late errors: an index that is clipped to the table cannot fail."""

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import integers, normal


def nearest_row_slow(table, row):
    """Return the row of table with each number in row, or its first or last row if the number is out of range."""
    rows = []
    for number in row.numpy():
        rows.append(table[min(max(number, 0), len(table) - 1)])
    return tf.stack(rows)


def _inputs(size, generator):
    rows = 4 + size // 4
    return normal(generator, rows, rows - 1), integers(generator, -5, rows + 5, size)


def _long_table():
    """Return a table of one column whose last two rows, the only ones that aren't 0, differ."""
    return tf.concat([tf.zeros([2**24, 1], tf.int8), tf.constant([[1], [2]], tf.int8)], 0)


TASK = Task(
    id="nearest_row",
    title="The nearest existing row",
    points=0,
    level=1,
    framework="tensorflow",
    slow=nearest_row_slow,
    reference=lambda table, row: tf.gather(table, tf.clip_by_value(row, 0, len(table) - 1)),
    inputs=_inputs,
    edge_cases=(
        Case("numbers that are all in range", lambda g: (normal(g, 4, 2), tf.constant([3, 0, 1]))),
        Case(
            "numbers before the first row and past the last", lambda g: (normal(g, 4, 2), tf.constant([-7, 4, 70000]))
        ),
        Case(
            "a float64 table of 5,000 rows, one with infinity and NaN",
            lambda g: (
                tf.concat([normal(g, 4999, 2, dtype=tf.float64), tf.constant([[inf, nan]], tf.float64)], 0),
                tf.constant([4999, 200, 0, -1, 40000]),
            ),
        ),
        Case("a table of one integer", lambda _: (tf.constant([[2**53 + 1]], tf.int64), tf.constant([-1, 0, 1]))),
        Case(
            "one number in range and two far out of range",
            lambda g: (normal(g, 4, 5000), tf.constant([2**31 - 1, -(2**31), 1])),
        ),
        Case("more rows than float32 can count", lambda _: (_long_table(), tf.constant([2**24 + 1, 0, 2**24 + 9]))),
        Case("4,200 numbers", lambda g: (normal(g, 4, 2), integers(g, -5, 9, 4200))),
    ),
    worst="Each row of the result depends on one number, whatever the size.",
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    hints=("`tf.clip_by_value(row, 0, len(table) - 1)` keeps each index in the table; `tf.gather` picks the rows.",),
    mistakes=(
        Mistake(
            "An index out of range wraps around: the nearest row is the first one or the last one.",
            lambda table, row: tf.gather(table, row % len(table)),
        ),
        Mistake(
            "A number past the last row gives zeros: clip it to the last index, `len(table) - 1`.",
            lambda table, row: tf.gather(
                tf.concat([table, tf.zeros_like(table[:1])], 0), tf.clip_by_value(row, 0, len(table))
            ),
        ),
    ),
)
