"""Practice of few shapes: a vector is filled up to a length that a compiler knows already."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def filled_up_slow(x):
    """The vector x and zeros behind it, up to the next length that 64 divides; one of such a length stays as it is."""
    values = list(x.numpy())
    while len(values) % 64:
        values.append(0.0)
    return tf.constant(values, x.dtype)


TASK = Task(
    id="filled_up",
    title="Up to the next multiple of 64",
    points=0,
    level=1,
    framework="tensorflow",
    slow=filled_up_slow,
    inputs=lambda size, generator: (normal(generator, size),),
    sizes=(1, 5, 63, 64, 65, 130),
    mistakes=(
        Mistake("A vector whose length 64 divides gets 64 zeros more.", lambda x: tf.pad(x, [[0, 64 - x.shape[0] % 64]])),
        Mistake("The zeros stand in front; they belong behind.", lambda x: tf.pad(x, [[-x.shape[0] % 64, 0]])),
    ),
)  # fmt: skip
