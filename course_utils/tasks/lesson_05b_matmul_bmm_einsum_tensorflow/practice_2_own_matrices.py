"""Practice: a product of each vector with its own matrix."""

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def own_matrices_slow(matrices, vectors):
    """Return the product of each matrix and its own vector."""
    return tf.stack([tf.linalg.matvec(matrix, vector) for matrix, vector in zip(matrices, vectors)])


TASK = Task(
    id="own_matrices",
    title="One matrix per vector",
    points=0,
    level=1,
    framework="tensorflow",
    slow=own_matrices_slow,
    reference=tf.linalg.matvec,
    # With equal sizes, a sum over the wrong index raises no error.
    inputs=lambda size, generator: (normal(generator, *[2 * size] * 3), normal(generator, 2 * size, 2 * size)),
    edge_cases=(
        Case("4,099 matrices", lambda g: (normal(g, 4099, 2, 3), normal(g, 4099, 3))),
        Case("matrices of 4,099 rows", lambda g: (normal(g, 2, 4099, 3), normal(g, 2, 3))),
        Case("matrices of 4,099 columns", lambda g: (normal(g, 2, 3, 4099), normal(g, 2, 4099))),
        Case("a single matrix of one value", lambda g: (normal(g, 1, 1, 1), normal(g, 1, 1))),
        Case("float64 values", lambda g: (normal(g, 3, 2, 4, dtype=tf.float64), normal(g, 3, 4, dtype=tf.float64))),
        Case(
            "a vector with infinity and a matrix with NaN",
            lambda g: (tf.constant([[[1.0, 2]], [[3, nan]], [[4, 5]]]), tf.constant([[inf, 1.0], [2, 0], [4, 5]])),
        ),
    ),
    worst="Each vector of the result depends on one matrix and one vector, whatever their number.",
    count_sizes=(4, 16),
    limits=(at_most(24, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The vectors are used as one matrix that all share: in `einsum`, the index n must be in both inputs and in the result.",
            lambda matrices, vectors: tf.matmul(matrices, vectors),
        ),
        Mistake(
            "The matrices are transposed: sum over their columns, the index j.",
            lambda matrices, vectors: tf.einsum("nij,ni->nj", matrices, vectors),
        ),
        Mistake(
            "Row i of each matrix was multiplied by vector i: give the vectors an axis for the rows, as in `vectors[:, None]`.",
            lambda matrices, vectors: tf.reduce_sum(matrices * vectors, axis=2),
        ),
    ),
)
