"""Practice of late errors: an index that is kept inside the table cannot fail at all."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import integers, normal


def nearest_row_slow(table, row):
    """For each wanted row the one of table, or the table's first or last where there is no such row."""
    found = []
    for wanted in row.numpy():
        found.append(table[min(max(wanted, 0), len(table) - 1)])
    return tf.stack(found)


TASK = Task(
    id="nearest_row",
    title="The nearest row that there is",
    points=0,
    level=1,
    framework="tensorflow",
    slow=nearest_row_slow,
    inputs=lambda size, generator: (normal(generator, 4, 3), integers(generator, -5, 9, size)),
    edge_cases=(
        Case("rows that are all there", lambda g: (normal(g, 4, 2), tf.constant([3, 0, 1]))),
        Case("rows before the first and past the last", lambda g: (normal(g, 4, 2), tf.constant([-7, 4, 5000]))),
    ),
    limits=(at_most(8, "ops"),),
    hints=("tf.clip_by_value(row, 0, last) keeps an index between the first row and the last; tf.gather picks.",),
    mistakes=(
        Mistake(
            "An index past the end begins again at the top here; the last row is the nearest.",
            lambda table, row: tf.gather(table, row % len(table)),
        ),
        Mistake(
            "There is one row too many: the last index is len(table) - 1.",
            lambda table, row: tf.gather(
                tf.concat([table, tf.zeros_like(table[:1])], 0), tf.clip_by_value(row, 0, len(table))
            ),
        ),
    ),
)
