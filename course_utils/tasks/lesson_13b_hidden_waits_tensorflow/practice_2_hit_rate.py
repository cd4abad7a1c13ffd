"""Practice: a metric that stays a tensor: the comparison runs on the device."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import integers, normal


def hit_rate_slow(scores, labels):
    """Return the share of rows of scores whose maximum is at the label's index, as a float32 scalar tensor."""
    hits = 0
    for row, label in zip(scores, labels):
        if tf.argmax(row) == label:
            hits += 1
    return tf.constant(hits / len(labels), tf.float32)


def _in_one_comparison(scores, labels):
    return tf.reduce_mean(tf.cast(tf.argmax(scores, axis=1) == labels, tf.float32))


def _scores_and_labels(size, generator):
    classes = 4 + size // 4
    scores = normal(generator, size + 1, classes)
    labels = integers(generator, 0, classes, size + 1, dtype=tf.int64)
    half = (size + 1) // 2  # About half of the rows are correct.
    return scores, tf.concat([tf.argmax(scores, axis=1)[:half], labels[half:]], axis=0)


TASK = Task(
    id="hit_rate",
    title="The hit rate",
    points=0,
    level=1,
    framework="tensorflow",
    slow=hit_rate_slow,
    reference=_in_one_comparison,
    inputs=_scores_and_labels,
    bounded=("scores",),  # Small integers would have several largest scores, and answers choose differently.
    edge_cases=(
        Case(
            "largest scores that hardly differ",
            lambda _: (
                tf.constant([[60.0, 50, 40, 60.00001], [-60, -50, -50.00001, -70], [1, 1.0001, 1.0002, 0]]),
                tf.constant([3, 1, 2], tf.int64),
            ),
        ),
        Case(
            "a largest score at index 260, and the label 4",
            lambda _: (tf.range(300.0) + tf.one_hot([260], 300, 999.0), tf.constant([4], tf.int64)),
        ),
        Case(
            "5,000 scores per row",
            lambda g: (normal(g, 2, 5000) + tf.one_hot([4500, 7], 5000, 9.0), tf.constant([4500, 4500], tf.int64)),
        ),
        Case("5,000 rows", lambda g: (normal(g, 5000, 3), integers(g, 0, 3, 5000, dtype=tf.int64))),
        Case(
            "small scores",
            lambda _: (
                tf.constant([[1e-30, 3e-30, 2e-30], [1e-30, 3e-30, 4e-30], [1e-9, 2e-9, 3e-9]]),
                tf.constant([1, 1, 1], tf.int64),
            ),
        ),
    ),
    worst=(
        Case(
            "2,049 hits in 2,052 rows",
            lambda _: (
                tf.tile(tf.range(4.0) + 9 * tf.eye(4), [513, 1]),
                tf.concat([tf.tile(tf.range(4, dtype=tf.int64), [512]), tf.constant([0, 0, 0, 0], tf.int64)], axis=0),
            ),
        ),
    ),
    story=prose(
        """
        Write `hit_rate(scores, labels)`: the share of rows whose maximum score is at the label's index, without a
        synchronization. No two scores of a row are equal.
        """
    ),
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    hints=("`tf.argmax(scores, axis=1)` finds all indices at once. `tf.cast` converts True and False to numbers.",),
    mistakes=(
        Mistake(
            "This is the number of hits: divide it by the number of rows.",
            lambda scores, labels: tf.reduce_sum(tf.cast(tf.argmax(scores, axis=1) == labels, tf.float32)),
        ),
    ),
)
