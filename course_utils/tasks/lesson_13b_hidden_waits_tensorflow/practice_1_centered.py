"""A function that is right for a sample and for a batch of them: only such a one can stand behind ``batch``."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.tensorflow_cases import float64, random_case, vector
from course_utils.tasks.tensorflow_inputs import normal
from course_utils.tasks.unwrap import prose


def centered_slow(x):
    """Each sample of x without its own mean; the last axis is that of a sample's values."""
    if len(x.shape) == 1:
        return x - sum(x) / len(x)
    return tf.stack([centered_slow(sample) for sample in x])


TASK = Task(
    id="centered",
    title="A function that takes a batch",
    points=0,
    level=1,
    framework="tensorflow",
    slow=centered_slow,
    inputs=lambda size, generator: (normal(generator, size, size + 2),),
    edge_cases=(
        vector(5),
        random_case("a batch of batches", 2, 3, 4),
        random_case("as many samples as values", 4, 4),
        float64(3, 5),
    ),
    story=prose("Write `centered(x)`: each sample without its own mean, whether `x` is one sample or a batch of them."),
    limits=(at_most(4, "ops"), at_most(0, "syncs")),
    hints=(
        "tf.reduce_mean takes an axis, and axis=-1 is the last one; keepdims=True keeps a place for it to broadcast.",
    ),
    mistakes=(
        Mistake("One mean was taken over the whole batch; each sample has its own.", lambda x: x - tf.reduce_mean(x)),
        Mistake("This takes the mean of each column over the batch.", lambda x: x - tf.reduce_mean(x, axis=0)),
    ),
)
