"""Practice: the large intermediate tensor isn't needed at all."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def summed_distances_slow(others, points):
    """Return for each point the sum of its squared distances from all others."""
    sums = []
    for point in points:
        sums.append(tf.reduce_sum(tf.square(others - point)))
    return tf.stack(sums)


def _a_few_times_the_inputs(others, points):
    """Return twice the bytes of ``others``, for their squares, and a little more for each point."""
    return 4 * (2 * others.shape.num_elements() + 4 * points.shape.num_elements()) + 512


TASK = Task(
    id="summed_distances",
    title="No large intermediate",
    points=0,
    level=1,
    framework="tensorflow",
    slow=summed_distances_slow,
    inputs=lambda size, generator: (normal(generator, 32, 4 + size), normal(generator, size, 4 + size)),
    edge_cases=(
        Case("float64 values", lambda g: (normal(g, 5, 3, dtype=tf.float64), normal(g, 4, 3, dtype=tf.float64))),
        Case("4,099 other points", lambda g: (normal(g, 4099, 3), normal(g, 2, 3))),
        Case("4,099 points and a single other one", lambda g: (normal(g, 1, 3), normal(g, 4099, 3))),
        Case("points of 4,099 values", lambda g: (normal(g, 3, 4099), normal(g, 2, 4099))),
        Case("values of about 1e-8", lambda g: (normal(g, 5, 3, scale=1e-8), normal(g, 4, 3, scale=1e-8))),
    ),
    worst="The expanded formula, which this practice teaches, would lose digits for points far from the origin.",
    limits=(
        at_most(60, "ops"),
        at_most(
            _a_few_times_the_inputs,
            "bytes",
            "twice the bytes of `others`, four times the bytes of `points`, and 512 bytes",
        ),
        at_most(0, "syncs"),
    ),
    mistakes=(
        Mistake(
            "p² is added only once: add it once for each of the other points.",
            lambda others, points: (
                summed_distances_slow(others, points) - (len(others) - 1) * tf.reduce_sum(tf.square(points), 1)
            ),
        ),
        Mistake(
            "The product is missing its factor of 2: (o − p)² is o² − 2·o·p + p².",
            lambda others, points: (
                summed_distances_slow(others, points) + tf.linalg.matvec(points, tf.reduce_sum(others, 0))
            ),
        ),
    ),
)
