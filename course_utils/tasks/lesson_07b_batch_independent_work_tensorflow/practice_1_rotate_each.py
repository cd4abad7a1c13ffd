"""Practice: a function of one point and one angle, mapped over many by `vectorized_map`, which takes a tuple."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def rotate_each_slow(points, angles):
    """Return each point (x, y), rotated around the origin by its own angle."""
    rotated = []
    for point, angle in zip(points, angles):
        x, y = point[0], point[1]
        rotated.append(tf.stack([x * tf.cos(angle) - y * tf.sin(angle), x * tf.sin(angle) + y * tf.cos(angle)]))
    return tf.stack(rotated)


TASK = Task(
    id="rotate_each",
    title="A rotation for each point",
    points=0,
    level=1,
    framework="tensorflow",
    slow=rotate_each_slow,
    inputs=lambda size, generator: (normal(generator, 2 * size, 2), normal(generator, 2 * size)),
    edge_cases=(
        Case("float64 values", lambda g: (normal(g, 4, 2, dtype=tf.float64), normal(g, 4, dtype=tf.float64))),
        Case("a single point", lambda g: (normal(g, 1, 2), normal(g, 1))),
        Case("points far from the origin", lambda g: (normal(g, 4, 2, scale=1e30), normal(g, 4))),
        Case("angles of about 1e-5", lambda g: (normal(g, 4, 2), normal(g, 4, scale=1e-5))),
        Case("points of about 1e-30", lambda g: (normal(g, 4, 2, scale=1e-30), normal(g, 4))),
        Case("1,030 points", lambda g: (normal(g, 1030, 2), normal(g, 1030))),
    ),
    worst="Each point is rotated on its own.",
    # The lesson's solution in a graph for any length takes 58 operations.
    limits=(at_most(80, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The points are rotated the other way: x becomes x·cos − y·sin, and y becomes x·sin + y·cos.",
            lambda points, angles: rotate_each_slow(points, -angles),
        ),
        Mistake(
            "Every point is rotated by the first angle: pass a tuple to `vectorized_map`, `(points, angles)`.",
            lambda points, angles: rotate_each_slow(points, tf.repeat(angles[:1], len(points))),
        ),
    ),
)
