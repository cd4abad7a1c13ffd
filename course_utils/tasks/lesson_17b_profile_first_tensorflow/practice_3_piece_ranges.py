"""Practice: small operations on pieces of a tensor become few operations on a tensor with one more axis."""

from __future__ import annotations

from math import inf

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def piece_ranges_slow(windows, width):
    """Return the largest value minus the smallest one of each piece of `width` values of each window."""
    ranges = []
    for start in range(0, windows.shape[1], width):
        piece = windows[:, start : start + width]
        ranges.append(tf.reduce_max(piece, axis=1) - tf.reduce_min(piece, axis=1))
    return tf.stack(ranges, axis=1)


def _by_reshape(windows, width, largest=tf.reduce_max, smallest=tf.reduce_min):
    pieces = tf.reshape(windows, [windows.shape[0], windows.shape[1] // width, width])
    return largest(pieces, axis=2) - smallest(pieces, axis=2)


def _inputs(size, generator):
    width = 4 + size // 2
    return normal(generator, width - 1, width * size), width


TASK = Task(
    id="piece_ranges",
    title="The range of each piece",
    points=0,
    level=1,
    framework="tensorflow",
    slow=piece_ranges_slow,
    reference=_by_reshape,
    inputs=_inputs,
    edge_cases=(
        Case("a single piece", lambda g: (normal(g, 2, 6), 6)),
        Case("pieces of one value", lambda g: (normal(g, 2, 5), 1)),
        Case("as many windows as pieces", lambda g: (normal(g, 3, 9), 3)),
        Case("values of about 1e-12", lambda g: (normal(g, 2, 8, scale=1e-12), 2)),
        Case(
            "infinite values, small ones, and values of about 1e30",
            lambda _: (tf.constant([[inf, 1.0, 2, 3], [4, 5, -inf, 6], [1e30, 2e30, -2e30, -1e30]]), 2),
        ),
        Case("float64 values", lambda g: (normal(g, 2, 8, dtype=tf.float64), 2)),
    ),
    worst="Each piece has its own range, whatever the other pieces are.",
    limits=(at_most(40, "ops"), at_most(0, "syncs")),
    hints=("`tf.reshape` gives the windows a third axis: window, piece, value. Both reductions run along this axis.",),
    mistakes=(
        Mistake(
            "The sign is wrong: subtract the smallest value from the largest one.",
            lambda windows, width: -_by_reshape(windows, width),
        ),
        Mistake(
            "These are the largest values: subtract the smallest ones.",
            lambda windows, width: tf.reduce_max(tf.reshape(windows, [windows.shape[0], -1, width]), axis=2),
        ),
    ),
)
