"""Practice: column sums of half-precision readings, accumulated in a wider dtype and rounded once."""

from __future__ import annotations

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import uniform


def wide_sum_slow(readings):
    """Return the sum of each column, accumulated in a wider dtype and rounded once, to the dtype of readings."""
    total = tf.zeros(readings.shape[1:], tf.float64)
    for row in readings:
        total += tf.cast(row, tf.float64)
    return tf.cast(total, readings.dtype)


def _readings(generator, rows, columns, dtype=tf.float16):
    return (uniform(generator, 0.1, 0.9, rows, columns, dtype=dtype),)


def _equal_rows(value, dtype):
    """Return 600 equal rows, whose partial sums in ``dtype`` are soon rounded, unless the value is the smallest one."""
    return lambda _: (tf.fill([600, 3], tf.constant(value, dtype)),)


def _nearly_cancelling(generator):
    """Return whole numbers with sums of a few units, while float16 rounds most sums of some of the rows by as much."""
    rows = tf.round(uniform(generator, -900.0, 900.0, 200, 40))
    last = -tf.cast(tf.cast(tf.reduce_sum(rows, axis=0), tf.float16), tf.float32)
    return (tf.cast(tf.concat([rows, last[None]], axis=0), tf.float16),)


TASK = Task(
    id="wide_sum",
    title="Sums with a wide accumulator",
    points=0,
    level=1,
    framework="tensorflow",
    slow=wide_sum_slow,
    reference=lambda readings: tf.cast(tf.reduce_sum(tf.cast(readings, tf.float64), axis=0), readings.dtype),
    inputs=lambda size, generator: _readings(generator, size + 1, 3 + size // 4),
    tolerance=2.0**-22,  # two roundings of the result's dtype; a right answer has an error of half a rounding
    of_each_value=True,
    edge_cases=(
        Case("bfloat16 readings", lambda g: _readings(g, 5, 3, tf.bfloat16)),
        Case("a single row", lambda g: _readings(g, 1, 4)),
        Case("5,000 rows", lambda g: _readings(g, 5000, 2)),
        Case("5,000 columns", lambda g: _readings(g, 2, 5000)),
        Case("no rows", lambda g: _readings(g, 0, 2)),
        Case("partial sums that cancel", lambda _: (tf.constant([[100.3]] * 10 + [[-99.7]] * 10, tf.float16),)),
        Case(
            "partial sums above the largest float16",
            lambda _: (tf.constant([[6e4]] * 4 + [[-6e4]] * 4 + [[1.0]], tf.float16),),
        ),
        Case("a sum above the largest float16", lambda _: (tf.fill([4, 2], tf.constant(6e4, tf.float16)),)),
        Case("large and tiny bfloat16", lambda _: (tf.constant([[1e30, 1e-20], [2e30, 3e-20]], tf.bfloat16),)),
        Case("infinity and NaN", lambda _: (tf.constant([[inf, 1, nan], [1, 2, 3]], tf.float16),)),
    ),
    worst=(
        Case("600 rows of float16", _equal_rows(7.1, tf.float16)),
        Case("600 rows of bfloat16", _equal_rows(0.7, tf.bfloat16)),
        Case("600 rows of the smallest float16", _equal_rows(2.0**-24, tf.float16)),
        Case("201 rows that nearly cancel", _nearly_cancelling),
    ),
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The sum is accumulated in the dtype of `readings`: cast the readings before you add.",
            lambda readings: tf.cumsum(readings)[-1] if len(readings) else tf.reduce_sum(readings, axis=0),
        ),
        Mistake(
            "The result is in the wide dtype: cast it back to `readings.dtype`.",
            lambda readings: tf.reduce_sum(tf.cast(readings, tf.float32), axis=0),
        ),
        Mistake(
            "These are the sums of the rows: add along axis 0.",
            lambda readings: tf.cast(tf.reduce_sum(tf.cast(readings, tf.float32), axis=1), readings.dtype),
        ),
    ),
)
