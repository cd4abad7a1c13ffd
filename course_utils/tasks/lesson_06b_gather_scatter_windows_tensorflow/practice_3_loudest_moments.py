"""Practice: the peak level of each window of a sound, without a copy of the windows."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def loudest_moments_slow(sound, length, step):
    """Return the largest magnitude in each window of length values; each begins step values after the one before."""
    loudest = []
    for begin in range(0, len(sound) - length + 1, step):
        loudest.append(tf.reduce_max(tf.abs(sound[begin : begin + length])))
    return tf.stack(loudest)


TASK = Task(
    id="loudest_moments",
    title="Peak levels",
    points=0,
    level=1,
    framework="tensorflow",
    slow=loudest_moments_slow,
    inputs=lambda size, generator: (normal(generator, 3 * size + 64), 9, 2),
    edge_cases=(
        Case("adjacent windows", lambda generator: (normal(generator, 12), 4, 4)),
        Case("gaps between the windows", lambda generator: (normal(generator, 20), 3, 5)),
        Case("4,099 windows, each one value after the one before", lambda generator: (normal(generator, 4104), 6, 1)),
        Case("windows of 4,099 values", lambda generator: (normal(generator, 4106), 4099, 3)),
        Case("windows of 7 values", lambda generator: (normal(generator, 21), 7, 3)),
        Case("windows of one value", lambda generator: (normal(generator, 5), 1, 2)),
        Case("one window", lambda generator: (normal(generator, 4), 4, 2)),
        Case("float64 values", lambda generator: (normal(generator, 11, dtype=tf.float64), 4, 2)),
        Case("values of about 1e-30", lambda generator: (normal(generator, 11, scale=1e-30), 4, 2)),
        Case("values of about 1e30", lambda generator: (normal(generator, 11, scale=1e30), 4, 2)),
    ),
    limits=(
        at_most(40, "ops"),
        at_most(lambda sound, length, step: 4 * 4 * len(sound), "bytes", "four times the bytes of `sound`"),
        at_most(0, "syncs"),
    ),
    worst="Each value of the result is the magnitude of one value, whatever the length.",
    mistakes=(
        Mistake(
            "These are the largest values: take the largest magnitudes, because a loud sound also goes below 0.",
            lambda sound, length, step: tf.reduce_max(tf.signal.frame(sound, length, step), axis=1),
        ),
        Mistake(
            "The windows advance by 1: advance them by `step`.",
            lambda sound, length, step: tf.reduce_max(tf.abs(tf.signal.frame(sound, length, 1)), axis=1),
        ),
    ),
)
