"""Practice: one graph for pieces of every length, traced once."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.tensorflow_cases import random_case
from course_utils.tasks.tensorflow_inputs import normal
from course_utils.tasks.unwrap import prose


def loudness_slow(samples):
    """The root of the mean square of samples, one after the other."""
    total = 0.0
    for sample in samples:
        total += sample * sample
    return tf.sqrt(total / len(samples))


def _piece(size, generator):
    """A piece of a length that hardly comes twice, so that who traces for each length cannot have its graph by now.

    It is longer than every piece of half the size: what grows with the input is seen to grow.
    """
    return (normal(generator, 10 * size + int(generator.integers(10 * size))),)


TASK = Task(
    id="loudness",
    title="One graph for every length",
    points=0,
    level=1,
    framework="tensorflow",
    slow=loudness_slow,
    inputs=_piece,
    edge_cases=(random_case("one sample", 1),),
    sizes=(2, 5),
    count_sizes=(4, 12),
    story=prose("Write `loudness(samples)` as one graph, traced once for pieces of any length."),
    limits=(at_most(20, "ops"), at_most(1, "launches"), at_most(0, "syncs"), at_most(1, "traces")),
    mistakes=(
        Mistake("This is the mean square; the root is missing.", lambda x: tf.reduce_mean(x * x)),
        Mistake("This is the root of the sum; wanted is the mean.", lambda x: tf.sqrt(tf.reduce_sum(x * x))),
        Mistake(
            "This is the mean of the absolute values; wanted is the root of the mean square.",
            lambda x: tf.reduce_mean(tf.abs(x)),
        ),
    ),
)
