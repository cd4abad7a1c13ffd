"""Practice: each chunk is reduced to a small result that is added up, and the chunk is freed."""

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal

_CHUNKS = 16


def column_energies_slow(x, weights, rows):
    """Return for each column the sum of (x · weights)² over the rows."""
    total = tf.zeros(x.shape[1], x.dtype)
    for row, weight in zip(x, weights):
        total += (row * weight) ** 2
    return total


def _large_last_row(generator):
    x = tf.concat([normal(generator, 1025, 2), [[100.0, -100.0]]], 0)
    return x, tf.ones_like(x), 1025


TASK = Task(
    id="column_energies",
    title="Column energies, in chunks",
    points=0,
    level=1,
    framework="tensorflow",
    slow=column_energies_slow,
    inputs=lambda size, generator: (normal(generator, _CHUNKS * size, 3), normal(generator, _CHUNKS * size, 3), size),
    edge_cases=(
        Case("no rows", lambda g: (normal(g, 0, 3), normal(g, 0, 3), 2)),
        Case("a last chunk with fewer rows", lambda g: (normal(g, 7, 3), normal(g, 7, 3), 3)),
        Case("a last chunk of one row, after one of 1,025", _large_last_row),
        Case("a single column in 300 chunks", lambda g: (normal(g, 300, 1), normal(g, 300, 1), 1)),
        Case("300 columns", lambda g: (normal(g, 3, 300), normal(g, 3, 300), 2)),
        Case("more rows in a chunk than there are", lambda g: (normal(g, 2, 3), normal(g, 2, 3), 5)),
        Case("float64 values", lambda g: (normal(g, 4, 3, dtype=tf.float64), normal(g, 4, 3, dtype=tf.float64), 2)),
        Case("values of about 1e-8", lambda g: (normal(g, 4, 3, scale=1e-8), normal(g, 4, 3), 2)),
        Case(
            "infinity and NaN",
            lambda _: (tf.constant([[inf, 1.0, 2], [3, nan, 4]]), tf.constant([[1.0, 2, 3], [4, 5, 6]]), 1),
        ),
    ),
    worst="A sum of squares doesn't cancel, and its chunks may come in any order.",
    reference=lambda x, weights, rows: tf.reduce_sum((x * weights) ** 2, 0),
    sizes=(1, 2, 3),
    count_sizes=(8, 512),
    limits=(
        at_most(500, "ops"),
        at_most(lambda x, weights, rows: 5 * 4 * 3 * rows + 2048, "peak bytes", "five chunks plus 2,048 bytes"),
        at_most(0, "syncs"),
    ),
    mistakes=(
        Mistake(
            "Each row of `x` was multiplied by all rows of `weights`: cut the same rows out of both.",
            lambda x, weights, rows: tf.reduce_sum((x[:, None] * weights) ** 2, [0, 1]),
        ),
        Mistake(
            "These are the sums of the last chunk only: add each chunk's sums to the total.",
            lambda x, weights, rows: column_energies_slow(x[-rows:], weights[-rows:], rows),
        ),
        Mistake(
            "These are the sums along the rows: return one value per column.",
            lambda x, weights, rows: tf.reduce_sum((x * weights) ** 2, 1),
        ),
    ),
)
