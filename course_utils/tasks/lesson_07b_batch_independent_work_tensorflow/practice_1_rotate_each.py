"""Practice: a function of one point and one angle, run for many by vectorized_map, which takes a tuple."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def rotate_each_slow(points, angles):
    """Each point (x, y), turned around the origin by its own angle."""
    turned = []
    for point, angle in zip(points, angles):
        x, y = point[0], point[1]
        turned.append(tf.stack([x * tf.cos(angle) - y * tf.sin(angle), x * tf.sin(angle) + y * tf.cos(angle)]))
    return tf.stack(turned)


TASK = Task(
    id="rotate_each",
    title="A turn for each point",
    points=0,
    level=1,
    framework="tensorflow",
    slow=rotate_each_slow,
    inputs=lambda size, generator: (normal(generator, size, 2), normal(generator, size)),
    limits=(at_most(60, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The points are turned the other way round: x is x·cos − y·sin, y is x·sin + y·cos.",
            lambda points, angles: rotate_each_slow(points, -angles),
        ),
        Mistake(
            "Every point is turned by the first angle: hand `vectorized_map` a tuple, (points, angles).",
            lambda points, angles: rotate_each_slow(points, tf.repeat(angles[:1], len(points))),
        ),
    ),
)
