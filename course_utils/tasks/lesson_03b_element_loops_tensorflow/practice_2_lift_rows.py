"""Each row of a picture lifted by a whole number of its own: first the types, then the shapes.

A square picture takes the steps for columns without a word, so most inputs are square.
"""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import integers, normal


def lift_rows_slow(image, steps):
    """Row i of image plus steps[i], which is a whole number."""
    rows = []
    for i in range(len(image)):
        rows.append([image[i, j] + tf.cast(steps[i], image.dtype) for j in range(image.shape[1])])
    return tf.convert_to_tensor(rows, image.dtype)


TASK = Task(
    id="lift_rows",
    title="Each row lifted by a step of its own",
    points=0,
    level=1,
    framework="tensorflow",
    slow=lift_rows_slow,
    inputs=lambda size, generator: (normal(generator, size, size), integers(generator, 1, 9, size)),
    edge_cases=(
        Case("more columns than rows", lambda g: (normal(g, 2, 4), integers(g, 1, 9, 2))),
        Case("float64 values", lambda g: (normal(g, 2, 3, dtype=tf.float64), integers(g, 1, 9, 2))),
    ),
    mistakes=(
        Mistake(
            "Each column is lifted, not each row: give the steps a second axis of length 1, as in steps[:, None].",
            lambda image, steps: image + tf.cast(steps, image.dtype),
        ),
    ),
)
