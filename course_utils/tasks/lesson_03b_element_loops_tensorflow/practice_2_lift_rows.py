"""Practice: add a separate integer to each row of an image; first match the dtypes, then the shapes.

With a square image, steps along the wrong axis raise no error, so most inputs are square.
"""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import integers, normal


def lift_rows_slow(image, steps):
    """Return the image with the integer steps[i] added to row i."""
    rows = []
    for i in range(len(image)):
        rows.append([image[i, j] + tf.cast(steps[i], image.dtype) for j in range(image.shape[1])])
    return tf.convert_to_tensor(rows, image.dtype)


TASK = Task(
    id="lift_rows",
    title="A step of its own for each row",
    points=0,
    level=1,
    framework="tensorflow",
    slow=lift_rows_slow,
    inputs=lambda size, generator: (normal(generator, size, size), integers(generator, 1, 9, size)),
    edge_cases=(
        Case("more columns than rows", lambda g: (normal(g, 2, 4), integers(g, 1, 9, 2))),
        Case("4,100 rows of one value", lambda g: (normal(g, 4100, 1), integers(g, 1, 9, 4100))),
        Case("one row of 4,100 values", lambda g: (normal(g, 1, 4100), integers(g, 1, 9, 1))),
        Case("int64 steps, one of which is 0", lambda g: (normal(g, 3, 2), tf.constant([0, 2**40, -3], tf.int64))),
        Case("float16 values", lambda g: (normal(g, 2, 3, dtype=tf.float16), integers(g, 1, 9, 2))),
        Case("float64 values", lambda g: (normal(g, 2, 3, dtype=tf.float64), integers(g, 1, 9, 2))),
        Case(
            "float64 values with negative and large steps",
            lambda g: (normal(g, 4, 3, dtype=tf.float64), tf.constant([-7, 300, 2049, 2**24 + 1])),
        ),
        Case("steps from -2,049 to 300", lambda g: (normal(g, 3, 2), tf.constant([-7, 300, -2049]))),
    ),
    sizes=(1, 2, 3, 7),
    reference=lambda image, steps: image + tf.cast(steps, image.dtype)[:, None],
    worst="Each value of the result depends on one value of each input, whatever the size.",
    limits=(at_most(24, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The steps are added to columns: give them a second axis of length 1, as in `steps[:, None]`.",
            lambda image, steps: image + tf.cast(steps, image.dtype),
        ),
    ),
)
