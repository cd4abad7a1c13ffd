"""Practice of XLA: a chain of cheap operations as one compiled graph."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def shrunk_by_xla_slow(x):
    """Each value of the vector x moved toward 0 by 0.5; 0 if it would pass 0."""
    values = [max(abs(float(value)) - 0.5, 0.0) * (1 if value > 0 else -1) for value in x.numpy()]
    return tf.constant(values, x.dtype)


TASK = Task(
    id="shrunk_by_xla",
    title="Shrink, compiled",
    points=0,
    level=1,
    framework="tensorflow",
    slow=shrunk_by_xla_slow,
    inputs=lambda size, generator: (normal(generator, size),),
    worst="Each value depends on one value of `x`.",
    limits=(at_most(12, "ops"), at_most(1, "launches"), at_most(1, "traces")),
    mistakes=(
        Mistake("The sign is lost: a negative value moves toward 0 from below.", lambda x: tf.nn.relu(tf.abs(x) - 0.5)),
        Mistake(
            "The values within 0.5 become 0, but the others must move by 0.5 too.",
            lambda x: tf.where(tf.abs(x) > 0.5, x, 0.0),
        ),
    ),
)
