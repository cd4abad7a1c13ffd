"""Practice: one graph for pieces of every length, traced once."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import fixed_case, random_case
from course_utils.tasks.tensorflow_inputs import normal


def loudness_slow(samples):
    """Return the root mean square of the samples, computed sample by sample."""
    total = 0.0
    for sample in samples:
        total += sample * sample
    return tf.sqrt(total / len(samples))


def _piece(size, generator):
    """Return a piece of random length; lengths rarely repeat, so an answer traced per length must trace again.

    A piece is longer than every piece of half the size, so that work that grows with the input shows in the counts.
    """
    return (normal(generator, 10 * size + int(generator.integers(10 * size))),)


TASK = Task(
    id="loudness",
    title="One graph for every length",
    points=0,
    level=1,
    framework="tensorflow",
    slow=loudness_slow,
    reference=lambda samples: tf.sqrt(tf.reduce_mean(samples * samples)),
    inputs=_piece,
    edge_cases=(
        random_case("one sample", 1),
        fixed_case("silence", [0.0] * 9),
        Case("samples of about 1e-12", lambda g: (normal(g, 9, scale=1e-12),)),
    ),
    worst=(Case("10,004 samples that get louder", lambda _: (tf.linspace(0.0, 1.0, 10_004),)),),
    sizes=(1, 3),
    count_sizes=(4, 12),
    story=prose("Write `loudness(samples)` as one graph, traced once for pieces of any length."),
    limits=(at_most(40, "ops"), at_most(1, "launches"), at_most(0, "syncs"), at_most(1, "traces")),
    mistakes=(
        Mistake("This is the mean square: take its square root.", lambda x: tf.reduce_mean(x * x)),
        Mistake("This is the root of the sum: take the mean.", lambda x: tf.sqrt(tf.reduce_sum(x * x))),
        Mistake(
            "This is the mean of the absolute values: return the root mean square.",
            lambda x: tf.reduce_mean(tf.abs(x)),
        ),
        Mistake("This is the standard deviation: don't subtract the mean.", tf.math.reduce_std),
    ),
)
