"""How loud each piece of a sound is at most: windows that move on by more than one place."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def loudest_moments_slow(sound, length, step):
    """The largest magnitude in each window of length values; each begins step places after the one before."""
    loudest = []
    for begin in range(0, len(sound) - length + 1, step):
        loudest.append(tf.reduce_max(tf.abs(sound[begin : begin + length])))
    return tf.stack(loudest)


TASK = Task(
    id="loudest_moments",
    title="How loud at most",
    points=0,
    level=1,
    framework="tensorflow",
    slow=loudest_moments_slow,
    inputs=lambda size, generator: (normal(generator, 3 * size + 5), 5, 3),
    edge_cases=(
        Case("windows side by side", lambda generator: (normal(generator, 12), 4, 4)),
        Case("one window", lambda generator: (normal(generator, 4), 4, 2)),
        Case("float64 values", lambda generator: (normal(generator, 11, dtype=tf.float64), 4, 2)),
    ),
    # `frame` works out the places of its windows by many small operations, as many for any length.
    limits=(at_most(100, "ops"),),
    mistakes=(
        Mistake(
            "The largest value is taken, not the largest magnitude: a loud sound goes below 0, too.",
            lambda sound, length, step: tf.reduce_max(tf.signal.frame(sound, length, step), axis=1),
        ),
        Mistake(
            "The windows move on by 1; wanted is step.",
            lambda sound, length, step: tf.reduce_max(tf.abs(tf.signal.frame(sound, length, 1)), axis=1),
        ),
    ),
)
