"""Practice: one tf.concat of pieces of different lengths."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def join_readings_slow(readings):
    """All readings, in order, in one vector."""
    joined = readings[0]
    for reading in readings[1:]:
        joined = tf.concat([joined, reading], axis=0)
    return tf.identity(joined)


def _readings(generator, *lengths):
    return ([normal(generator, length) for length in lengths],)


TASK = Task(
    id="join_readings",
    title="One vector from many",
    points=0,
    level=1,
    framework="tensorflow",
    slow=join_readings_slow,
    inputs=lambda size, generator: _readings(generator, *(1 + k % 3 for k in range(size + 1))),
    edge_cases=(Case("a reading without values", lambda g: _readings(g, 2, 0, 1)),),
    worst="Each value of the result is a copy of one value, whatever the number of readings.",
    limits=(at_most(2, "ops"),),
    mistakes=(
        Mistake(
            "The readings are in reverse order: the first reading comes first.",
            lambda readings: tf.concat(readings[::-1], axis=0),
        ),
        Mistake("The last reading is missing: join all readings.", lambda readings: tf.concat(readings[:-1], axis=0)),
    ),
)
