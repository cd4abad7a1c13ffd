"""Practice of few shapes: a vector is padded to a length that a compiler has already compiled."""

from __future__ import annotations

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.tensorflow_cases import fixed_case, float64, infinity_and_nan, random_case
from course_utils.tasks.tensorflow_inputs import normal


def filled_up_slow(x):
    """Return the vector x, padded with zeros until its length is a multiple of 64."""
    values = list(x.numpy())
    while len(values) % 64:
        values.append(0.0)
    return tf.constant(values, x.dtype)


TASK = Task(
    id="filled_up",
    title="Pad to a multiple of 64",
    points=0,
    level=1,
    framework="tensorflow",
    slow=filled_up_slow,
    inputs=lambda size, generator: (normal(generator, size),),
    edge_cases=(
        fixed_case("an empty vector", [], dtype=tf.float32),
        random_case("5,000 values", 5000),
        float64(5),
        infinity_and_nan([inf, 1.0, nan]),
    ),
    worst="The random inputs have lengths just below, at and above a multiple of 64.",
    sizes=(1, 5, 63, 64, 65, 130),
    limits=(at_most(48, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "A vector whose length is a multiple of 64 gets 64 zeros: leave it unchanged.",
            lambda x: tf.pad(x, [[0, 64 - x.shape[0] % 64]]),
        ),
        Mistake("The zeros come first: append them at the end.", lambda x: tf.pad(x, [[-x.shape[0] % 64, 0]])),
    ),
)
