"""A measure that is a tensor: equal or not is decided where the numbers lie."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.tensorflow_inputs import integers, normal
from course_utils.tasks.unwrap import prose


def hit_rate_slow(scores, labels):
    """The share of rows of scores whose largest value stands where labels says, a float32 tensor of one number."""
    hits = 0
    for row, label in zip(scores, labels):
        if tf.argmax(row) == label:
            hits += 1
    return tf.constant(hits / len(labels), tf.float32)


def _scored(size, generator):
    scores, labels = normal(generator, size + 1, 4), integers(generator, 0, 4, size + 1, dtype=tf.int64)
    half = (size + 1) // 2  # right in about half of the rows
    return scores, tf.concat([tf.argmax(scores, axis=1)[:half], labels[half:]], axis=0)


TASK = Task(
    id="hit_rate",
    title="The share of hits",
    points=0,
    level=1,
    framework="tensorflow",
    slow=hit_rate_slow,
    inputs=_scored,
    story=prose(
        "Write `hit_rate(scores, labels)`: the share of rows whose largest score stands at the label, without a wait."
    ),
    limits=(at_most(6, "ops"), at_most(0, "syncs")),
    hints=("tf.argmax(scores, axis=1) finds all places at once. tf.cast makes numbers of true and false.",),
    mistakes=(
        Mistake(
            "This is the number of hits; divide it by the number of rows.",
            lambda scores, labels: tf.reduce_sum(tf.cast(tf.argmax(scores, axis=1) == labels, tf.float32)),
        ),
    ),
)
