"""Practice: the mean of each block of columns, by a reshape to blocks and one reduction."""

from __future__ import annotations

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import float64, infinity_and_nan, random_case
from course_utils.tasks.tensorflow_inputs import normal


def block_means_slow(matrix, m):
    """Return the mean of each block of m neighboring columns, row by row."""
    rows, columns = matrix.shape
    means = []
    for i in range(rows):
        means.append([tf.reduce_mean(matrix[i, j : j + m]) for j in range(0, columns, m)])
    return tf.convert_to_tensor(means, matrix.dtype)


def _inputs(size, generator):
    m = 3 + size // 4
    return normal(generator, size, m * size), m


TASK = Task(
    id="block_means",
    title="The mean of each block",
    points=0,
    level=1,
    framework="tensorflow",
    slow=block_means_slow,
    inputs=_inputs,
    edge_cases=(
        random_case("one block in each row", 3, 4, rest=(4,)),
        random_case("blocks of one column", 2, 3, rest=(1,)),
        random_case("4,100 rows", 4100, 2, rest=(2,)),
        random_case("4,100 blocks", 1, 8200, rest=(2,)),
        random_case("blocks of 5,000 columns", 2, 10_000, rest=(5000,)),
        float64(2, 6, rest=(2,)),
        infinity_and_nan([[1.0, 2, inf, 3, 4, 5, nan, 6], [7, 8, 9, -inf, 1, 2, 3, 4]], rest=(2,)),
        Case("values of about 1e-12", lambda g: (normal(g, 2, 6, scale=1e-12), 3)),
    ),
    sizes=(1, 2, 5),
    reference=lambda matrix, m: tf.reduce_mean(tf.reshape(matrix, [matrix.shape[0], -1, m]), 2),
    worst="Each mean depends on one block, whatever the number of blocks.",
    limits=(at_most(12, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "Each block holds columns that are not neighbors: put the axis within a block last.",
            lambda matrix, m: tf.reduce_mean(tf.reshape(matrix, [matrix.shape[0], m, -1]), axis=1),
        ),
        Mistake(
            "The mean runs over the blocks: take it within each block.",
            lambda matrix, m: tf.reduce_mean(tf.reshape(matrix, [matrix.shape[0], -1, m]), axis=1),
        ),
    ),
)
