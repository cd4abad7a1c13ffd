"""Practice of the queue: the unused service capacity, from the running sum and its minimum."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import float64, random_case
from course_utils.tasks.tensorflow_inputs import normal, uniform


def served_in_vain_slow(change):
    """Return how many more could have been served while the queue was empty, up to each step."""
    rows, queue, unused = [], tf.zeros_like(change[0]), tf.zeros_like(change[0])
    for row in change:
        queue = queue + row
        unused = unused + tf.maximum(-queue, 0.0)
        queue = tf.maximum(queue, 0.0)
        rows.append(unused)
    return tf.stack(rows)


def _running_minimum(total):
    rows = [total[0]]
    for row in total[1:]:
        rows.append(tf.minimum(rows[-1], row))
    return tf.stack(rows)


TASK = Task(
    id="served_in_vain",
    title="Unused capacity",
    points=0,
    level=1,
    framework="tensorflow",
    slow=served_in_vain_slow,
    inputs=lambda size, generator: (normal(generator, size, 2),),
    edge_cases=(
        float64(5, 2),
        random_case("300 columns", 3, 300),
        random_case("1,100 rows", 1100, 1),
        Case("values of about 1e-12", lambda g: (normal(g, 5, 2, scale=1e-12),)),
        Case(
            "a first row of -5 and 199 rows above 0",
            lambda g: (tf.concat([[[-5.0]], uniform(g, 0.0, 1.0, 199, 1)], 0),),
        ),
    ),
    worst=(Case("a queue that is never empty", lambda g: (uniform(g, 0.0, 1.0, 40, 2),)),),
    limits=(at_most(8, "launches"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The 0 before the first step is missing: the minimum so far is at most 0.",
            lambda change: -_running_minimum(tf.cumsum(change, axis=0)),
        ),
        Mistake(
            "The sign is wrong: the running minimum is negative, and the unused capacity is positive.",
            lambda change: tf.minimum(_running_minimum(tf.cumsum(change, axis=0)), 0.0),
        ),
        Mistake(
            "This is the running minimum of the changes: take the running sum first.",
            lambda change: -tf.minimum(_running_minimum(change), 0.0),
        ),
    ),
)
