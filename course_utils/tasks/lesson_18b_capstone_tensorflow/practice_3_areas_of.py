"""Practice: the areas of all instances of a batch, a group-by with one row per image."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task


def areas_of_slow(labels, slots):
    """Return how many pixels of each image have the labels 0, 1, …, slots - 1, as int32 of shape (images, slots)."""
    rows = []
    for image in labels:
        rows.append([int(tf.reduce_sum(tf.cast(image == k, tf.int32))) for k in range(slots)])
    return tf.constant(rows, tf.int32, shape=[len(labels), slots])


def _labels(generator, images, height, width, slots):
    return tf.constant(generator.integers(0, slots, (images, height, width)), tf.int32), slots


def _together(labels, slots):
    """Return one count for the whole batch, repeated."""
    return tf.repeat(tf.math.bincount(tf.reshape(labels, [1, -1]), minlength=slots, axis=-1), labels.shape[0], 0)


TASK = Task(
    id="areas_of",
    title="The areas of all instances",
    points=0,
    level=1,
    framework="tensorflow",
    slow=areas_of_slow,
    reference=lambda labels, slots: tf.reduce_sum(tf.one_hot(labels, slots, dtype=tf.int32), [1, 2]),
    inputs=lambda size, generator: _labels(generator, 3 + 3 * size // 4, size, size + 1, 2 + 3 * size // 4),
    edge_cases=(
        Case("labels that don't occur", lambda _: (tf.constant([[[0, 3]], [[3, 3]]]), 6)),
        Case("66,049 pixels of one label", lambda _: (tf.ones([1, 257, 257], tf.int32), 2)),
        Case("no images", lambda _: (tf.zeros([0, 3, 4], tf.int32), 2)),
        Case("background only", lambda _: (tf.zeros([2, 3, 3], tf.int32), 1)),
        Case("as many images as slots", lambda g: _labels(g, 4, 2, 3, 4)),
    ),
    worst=(
        Case("a label of its own for each pixel", lambda _: (tf.reshape(tf.range(4200) % 2100, [2, 42, 50]), 2100)),
        Case("300 images of two pixels", lambda g: _labels(g, 300, 1, 2, 3)),
    ),
    limits=(at_most(40, "ops"), at_most(2, "syncs")),
    mistakes=(
        Mistake("The pixels of all images are counted together: count them per image.", _together),
        Mistake(
            "The column of the background is missing: column 0 counts the pixels with label 0.",
            lambda labels, slots: areas_of_slow(labels, slots)[:, 1:],
        ),
    ),
)
