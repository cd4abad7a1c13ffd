"""Practice: the mean of a metric over replicas with different numbers of examples."""

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def global_mean_slow(means, counts):
    """Return the mean over all examples, from each replica's mean and number of examples."""
    total, examples = tf.constant(0.0, means.dtype), tf.constant(0.0, means.dtype)
    for mean, count in zip(means, counts):
        if count > 0:
            total += mean * tf.cast(count, means.dtype)
            examples += tf.cast(count, means.dtype)
    return total / examples


def _replicas(generator, size):
    counts = tf.constant(generator.integers(1, 9, size))
    return normal(generator, size), counts


TASK = Task(
    id="global_mean",
    title="A mean of means",
    points=0,
    level=1,
    framework="tensorflow",
    slow=global_mean_slow,
    inputs=lambda size, generator: _replicas(generator, size),
    edge_cases=(
        Case(
            "replicas without examples, whose means are NaN",
            lambda _: (tf.constant([nan, 1.5, nan, 4.0, nan]), tf.constant([0, 3, 0, 1, 0], tf.int64)),
        ),
        # float32 rounds these counts.
        Case(
            "float64 means",
            lambda g: (normal(g, 3, dtype=tf.float64), tf.constant([2**24 + 1, 2**25 + 3, 5], tf.int64)),
        ),
        Case("300 replicas", lambda g: _replicas(g, 300)),
        Case("means of about 1e-12", lambda g: (normal(g, 3, scale=1e-12), tf.constant([3, 5, 1], tf.int64))),
        Case("billions of examples", lambda g: (normal(g, 2), tf.constant([3_000_000_000, 1_000_040_000], tf.int64))),
        Case("an infinite mean", lambda _: (tf.constant([1.5, inf]), tf.constant([3, 2], tf.int64))),
    ),
    worst="The means are few, so none are harder to add than random ones.",
    limits=(at_most(60, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "All replicas count equally here: weight each mean by its count.",
            lambda means, counts: tf.reduce_mean(means),
        ),
        Mistake(
            "NaN times 0 is NaN: replace the mean of a replica without examples with 0 first.",
            lambda means, counts: (
                tf.reduce_sum(means * tf.cast(counts, means.dtype)) / tf.cast(tf.reduce_sum(counts), means.dtype)
            ),
        ),
    ),
)
