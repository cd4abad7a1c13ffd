"""Practice: one tf.concat of pieces of different lengths, and a label for each value, as in a ragged batch."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def join_readings_slow(readings):
    """Return all readings, in order, in one vector, and the index of each reading's sensor."""
    joined, sensors = readings[0], tf.zeros([len(readings[0])], tf.int32)
    for sensor, reading in enumerate(readings[1:], start=1):
        joined = tf.concat([joined, reading], axis=0)
        sensors = tf.concat([sensors, tf.fill([len(reading)], sensor)], axis=0)
    return tf.identity(joined), sensors


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
    edge_cases=(
        Case("a sensor without readings", lambda g: _readings(g, 2, 0, 1)),
        Case("one sensor", lambda g: _readings(g, 3)),
        Case("600 sensors", lambda g: _readings(g, *[1] * 600)),
        Case("5,000 readings of one sensor", lambda g: _readings(g, 1, 5000)),
        Case("empty readings at both ends", lambda g: _readings(g, 0, 2, 1, 0)),
        Case("sensors without readings", lambda g: _readings(g, 0, 0)),
        Case("a single sensor without readings", lambda g: _readings(g, 0)),
        Case("two sensors with the very same readings", lambda g: ([normal(g, 2)] * 2,)),
        Case(
            "a large integer and small ones",
            lambda _: ([tf.constant([2**53 + 1], tf.int64), tf.constant([3, 4], tf.int64)],),
        ),
        Case("float64 readings", lambda g: ([normal(g, length, dtype=tf.float64) for length in (2, 3)],)),
    ),
    worst="Each value of the result is a copy of one value, whatever the number of readings.",
    limits=(at_most(64, "ops"), at_most(4, "syncs")),
    mistakes=(
        Mistake(
            "Each value has its position within its sensor: return the index of the sensor.",
            lambda readings: (
                tf.concat(readings, axis=0),
                tf.concat([tf.range(len(reading)) for reading in readings], axis=0),
            ),
        ),
        Mistake(
            "The sensors are counted from 1: the first sensor has index 0.",
            lambda readings: (join_readings_slow(readings)[0], join_readings_slow(readings)[1] + 1),
        ),
    ),
)
