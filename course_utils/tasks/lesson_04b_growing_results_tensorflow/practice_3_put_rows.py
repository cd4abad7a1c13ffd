"""Practice: a scatter that returns a new tensor, because TensorFlow cannot write into a tensor."""

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def put_rows_slow(table, indices, rows):
    """Return the table with rows[k] in place of its row indices[k]."""
    result = list(tf.unstack(table))
    for k in range(len(indices)):
        result[int(indices[k])] = rows[k]
    return tf.stack(result)


def _inputs(size, generator):
    indices = generator.permutation(size + 2)[:size]
    columns = 3 + size // 4
    return normal(generator, size + 2, columns), tf.constant(indices, tf.int32), normal(generator, size, columns)


def _many_rows(generator):
    indices = tf.constant(generator.permutation(5000)[:4200], tf.int32)
    return normal(generator, 5000, 2), indices, normal(generator, 4200, 2)


TASK = Task(
    id="put_rows",
    title="New rows in a table",
    points=0,
    level=1,
    framework="tensorflow",
    slow=put_rows_slow,
    inputs=_inputs,
    edge_cases=(
        Case("no new rows", lambda g: (normal(g, 2, 3), tf.zeros([0], tf.int32), tf.zeros([0, 3]))),
        Case(
            "infinity and NaN, and a new row of zeros",
            lambda g: (
                tf.constant([[inf, 1.0], [2, nan], [nan, inf], [3, 4]]),
                tf.constant([2, 0, 3]),
                tf.constant([[5.0, 6], [nan, -inf], [0, 0]]),
            ),
        ),
        Case(
            "a table of one row of 5,000 values", lambda g: (normal(g, 1, 5000), tf.constant([0]), normal(g, 1, 5000))
        ),
        Case(
            "new integers in each row of one column",
            lambda _: (
                tf.constant([[2**53 + 1], [2], [3]], tf.int64),
                tf.constant([2, 0, 1]),
                tf.constant([[5], [2**53 + 3], [4]], tf.int64),
            ),
        ),
        Case("4,200 new rows in a table of 5,000", _many_rows),
        Case(
            "a float64 table of 300 rows",
            lambda g: (
                normal(g, 300, 2, dtype=tf.float64),
                tf.constant([299, 7, 150]),
                normal(g, 3, 2, dtype=tf.float64),
            ),
        ),
    ),
    worst="Each row of the result is a copy of one row, whatever the number of rows.",
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The new rows are added to the old ones: replace the old ones.",
            lambda table, indices, rows: tf.tensor_scatter_nd_add(table, indices[:, None], rows),
        ),
        Mistake(
            "All other rows became 0: keep them.",
            lambda table, indices, rows: tf.scatter_nd(indices[:, None], rows, tf.shape(table)),
        ),
    ),
)
