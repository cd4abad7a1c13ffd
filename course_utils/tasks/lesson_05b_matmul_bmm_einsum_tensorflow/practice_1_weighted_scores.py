"""Practice: a weighted dot product of all pairs, without the tables that the formula suggests."""

from math import inf

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def weighted_scores_slow(queries, keys, weights):
    """Return the table whose entry (i, j) is the sum over d of queries[i, d] * weights[d] * keys[j, d]."""
    rows = []
    for query in queries:
        rows.append(tf.reduce_sum(query * weights * keys, axis=1))
    return tf.stack(rows) if rows else tf.zeros([0, len(keys)], queries.dtype)


def _result_and_inputs(queries, keys, weights):
    """Return the bytes of two results and of three copies of the tables, and 256 more; a value per pair and feature takes more."""
    return 4 * (2 * len(queries) * len(keys) + 3 * (len(queries) + len(keys)) * len(weights) + 64)


TASK = Task(
    id="weighted_scores",
    title="Scores with a weight per feature",
    points=0,
    level=1,
    framework="tensorflow",
    slow=weighted_scores_slow,
    # The features outnumber the keys, so that a forgotten transpose raises an error.
    inputs=lambda size, generator: (
        normal(generator, size, 2 * size + 1),
        normal(generator, size + 1, 2 * size + 1),
        normal(generator, 2 * size + 1),
    ),
    edge_cases=(
        Case("no queries", lambda g: (normal(g, 0, 3), normal(g, 4, 3), normal(g, 3))),
        Case(
            "float64 values", lambda g: tuple(normal(g, *shape, dtype=tf.float64) for shape in ((3, 4), (2, 4), (4,)))
        ),
        Case("no keys", lambda g: (normal(g, 2, 3), normal(g, 0, 3), normal(g, 3))),
        Case("4,099 queries", lambda g: (normal(g, 4099, 3), normal(g, 2, 3), normal(g, 3))),
        Case("4,099 keys", lambda g: (normal(g, 2, 3), normal(g, 4099, 3), normal(g, 3))),
        Case("4,099 features", lambda g: (normal(g, 2, 4099), normal(g, 3, 4099), normal(g, 4099))),
        Case("weights of about 1e-12", lambda g: (normal(g, 3, 4), normal(g, 2, 4), normal(g, 4, scale=1e-12))),
        Case(
            "infinity, also with a weight of 0",
            lambda g: (
                tf.constant([[inf, 1.0], [2, 3], [4, -inf]]),
                tf.constant([[1.0, 2], [3, 4]]),
                tf.constant([0.0, 5]),
            ),
        ),
    ),
    worst="Each value of the result depends on one row of each table, whatever the number of rows.",
    limits=(
        at_most(20, "ops"),
        at_most(0, "syncs"),
        at_most(
            _result_and_inputs,
            "bytes",
            "twice the bytes of the result, three times the bytes of `queries` and of `keys`, and 256 bytes",
        ),
    ),
    count_sizes=(8, 32),
    mistakes=(
        Mistake(
            "The weights are missing: multiply queries or keys by them.",
            lambda queries, keys, weights: tf.matmul(queries, keys, transpose_b=True),
        ),
        Mistake(
            "Each weight is squared: multiply queries or keys by it, not both.",
            lambda queries, keys, weights: weighted_scores_slow(queries, keys, weights * weights),
        ),
    ),
)
