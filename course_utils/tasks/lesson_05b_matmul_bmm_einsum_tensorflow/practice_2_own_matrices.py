"""Practice: a matrix of its own for each vector, where a vector has no columns to multiply."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def own_matrices_slow(matrices, vectors):
    """Each matrix times its own vector."""
    return tf.stack([tf.linalg.matvec(matrix, vector) for matrix, vector in zip(matrices, vectors)])


TASK = Task(
    id="own_matrices",
    title="Each vector by its own matrix",
    points=0,
    level=1,
    framework="tensorflow",
    slow=own_matrices_slow,
    # Square ones, as many as they have rows: what is summed over the wrong letter raises nothing then.
    inputs=lambda size, generator: (normal(generator, size, size, size), normal(generator, size, size)),
    count_sizes=(4, 16),
    limits=(at_most(24, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The vectors were taken for one matrix, which all share: n must stand in both inputs and in the result.",
            lambda matrices, vectors: tf.matmul(matrices, vectors),
        ),
        Mistake(
            "The matrices are turned here: j, the column, is what is summed.",
            lambda matrices, vectors: tf.einsum("nij,ni->nj", matrices, vectors),
        ),
    ),
)
