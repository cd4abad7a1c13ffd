"""The gradients of an embedding's rows: a row that was read several times gets the sum of its gradients."""

from __future__ import annotations

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import integers, normal


def row_gradients_slow(indices, values):
    """Return the distinct indices in order of first appearance, and the sum of the rows of values of each."""
    sums: dict[int, tf.Tensor] = {}
    for i in range(len(indices)):
        index = int(indices[i])
        sums[index] = sums[index] + values[i] if index in sums else values[i]
    distinct = tf.constant(list(sums), dtype=indices.dtype)
    return distinct, tf.stack(list(sums.values())) if sums else tf.zeros([0, values.shape[1]], values.dtype)


def _inputs(size, generator):
    return integers(generator, 0, size + 1, 2 * size), normal(generator, 2 * size, 3 + size // 4)


TASK = Task(
    id="row_gradients",
    title="Gradients of rows that were read twice",
    points=0,
    level=1,
    framework="tensorflow",
    slow=row_gradients_slow,
    inputs=_inputs,
    edge_cases=(
        Case("no rows", lambda _: (tf.zeros([0], tf.int32), tf.zeros([0, 3]))),
        Case("1,030 rows", lambda g: (integers(g, 0, 999, 1030), normal(g, 1030, 2))),
        Case("4,099 columns", lambda g: (tf.constant([2, 0, 2]), normal(g, 3, 4099))),
        Case("one column", lambda g: (tf.constant([2, 0, 2]), normal(g, 3, 1))),
        Case("one row, read five times", lambda g: (tf.fill([5], 9), normal(g, 5, 3))),
        Case(
            "infinity and NaN",
            lambda _: (tf.constant([4, 1, 4, 2]), tf.constant([[inf, 1.0], [2, nan], [3, 4], [5, 6]])),
        ),
        Case(
            "64-bit indices, float64 values",
            lambda g: (tf.constant([2**32 + 3, 3, 2**32 + 3], tf.int64), normal(g, 3, 2, dtype=tf.float64)),
        ),
        Case("values of about 1e-12", lambda g: (tf.constant([2, 0, 2]), normal(g, 3, 2, scale=1e-12))),
    ),
    worst="Each sum adds its own rows, whatever the other indices are.",
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "Only the first gradient of an index that appears several times remains: add all of its gradients.",
            lambda indices, values: _first_of_each(indices, values),
        ),
    ),
)


def _first_of_each(indices, values):
    distinct, labels = tf.unique(indices)
    first = tf.math.unsorted_segment_min(tf.range(tf.size(indices)), labels, tf.size(distinct))
    return distinct, tf.gather(values, first)
