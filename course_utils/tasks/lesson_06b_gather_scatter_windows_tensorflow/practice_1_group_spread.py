"""Practice: the range of each group, by two reductions by label and a difference."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def group_spread_slow(values, labels, groups):
    """Return the largest value of each group minus its smallest."""
    low = [tf.constant(float("inf"), values.dtype)] * groups
    high = [tf.constant(float("-inf"), values.dtype)] * groups
    for value, label in zip(values, labels.numpy()):
        low[label], high[label] = tf.minimum(low[label], value), tf.maximum(high[label], value)
    spreads = [high[group] - low[group] for group in range(groups)]
    return tf.stack(spreads)


def _inputs(generator, groups, dtype=tf.float32):
    """Return values in which each group occurs at least once."""
    labels = generator.permutation([*range(groups), *generator.integers(0, groups, 2 * groups)])
    return normal(generator, 3 * groups, dtype=dtype), tf.constant(labels, tf.int32), groups


TASK = Task(
    id="group_spread",
    title="From the smallest to the largest",
    points=0,
    level=1,
    framework="tensorflow",
    slow=group_spread_slow,
    inputs=lambda size, generator: _inputs(generator, size),
    sizes=(1, 2, 3, 5),
    edge_cases=(
        Case("float64 values", lambda generator: _inputs(generator, 3, tf.float64)),
        Case(
            "readings of large magnitude",
            lambda _: (tf.constant([3e30, 2e30, -2e30, -3e30]), tf.constant([0, 0, 1, 1]), 2),
        ),
        Case("readings of about 1e-12", lambda g: (normal(g, 6, scale=1e-12), tf.range(6) % 3, 3)),
        Case("520 groups", lambda g: (normal(g, 1040), tf.range(1040) % 520, 520)),
    ),
    worst="The result is a difference of two values, and equal or negative values need no special case.",
    count_sizes=(2, 12),
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "These are the largest values: subtract the smallest.",
            lambda values, labels, groups: tf.math.unsorted_segment_max(values, labels, groups),
        ),
        Mistake(
            "This is the smallest minus the largest value: subtract the smallest from the largest.",
            lambda values, labels, groups: (
                tf.math.unsorted_segment_min(values, labels, groups)
                - tf.math.unsorted_segment_max(values, labels, groups)
            ),
        ),
    ),
)
