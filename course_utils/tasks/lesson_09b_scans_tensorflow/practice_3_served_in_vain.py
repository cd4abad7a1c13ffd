"""Practice of the queue: what an empty one has forgiven, from the walk and its lowest point."""

import tensorflow as tf

from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def served_in_vain_slow(change):
    """How many could have been served up to each step while nobody was there."""
    rows, queue, vain = [], tf.zeros_like(change[0]), tf.zeros_like(change[0])
    for row in change:
        queue = queue + row
        vain = vain + tf.maximum(-queue, 0.0)
        queue = tf.maximum(queue, 0.0)
        rows.append(vain)
    return tf.stack(rows)


def _lowest(walk):
    rows = [walk[0]]
    for row in walk[1:]:
        rows.append(tf.minimum(rows[-1], row))
    return tf.stack(rows)


TASK = Task(
    id="served_in_vain",
    title="Served in vain",
    points=0,
    level=1,
    framework="tensorflow",
    slow=served_in_vain_slow,
    inputs=lambda size, generator: (normal(generator, size, 2),),
    mistakes=(
        Mistake(
            "The walk starts at 0, so its lowest point is never above 0.",
            lambda change: -_lowest(tf.cumsum(change, axis=0)),
        ),
        Mistake(
            "The sign is turned: the lowest point is below 0, and the number served in vain is not.",
            lambda change: tf.minimum(_lowest(tf.cumsum(change, axis=0)), 0.0),
        ),
        Mistake(
            "This is the lowest change, not the lowest point of the walk: take the running sum first.",
            lambda change: -tf.minimum(_lowest(change), 0.0),
        ),
    ),
)
