"""Practice of what takes the place of writing into a tensor: a scatter of rows, which makes a new one."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def put_rows_slow(table, places, rows):
    """The table, with rows[k] in the place of its row number places[k]."""
    result = list(tf.unstack(table))
    for k in range(len(places)):
        result[int(places[k])] = rows[k]
    return tf.stack(result)


def _inputs(size, generator):
    places = generator.permutation(size + 2)[:size]
    return normal(generator, size + 2, 3), tf.constant(places, tf.int32), normal(generator, size, 3)


TASK = Task(
    id="put_rows",
    title="New rows in a table",
    points=0,
    level=1,
    framework="tensorflow",
    slow=put_rows_slow,
    inputs=_inputs,
    edge_cases=(Case("no rows to put", lambda g: (normal(g, 2, 3), tf.zeros([0], tf.int32), tf.zeros([0, 3]))),),
    limits=(at_most(8, "ops"),),
    mistakes=(
        Mistake(
            "The new rows are added to the old ones; they take their place.",
            lambda table, places, rows: tf.tensor_scatter_nd_add(table, places[:, None], rows),
        ),
        Mistake(
            "The rows that are not named have become 0; they stay as they are.",
            lambda table, places, rows: tf.scatter_nd(places[:, None], rows, tf.shape(table)),
        ),
    ),
)
