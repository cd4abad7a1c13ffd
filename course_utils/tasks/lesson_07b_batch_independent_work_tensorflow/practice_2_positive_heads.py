"""Practice: vectorization runs once if it is inside a graph that is traced once."""

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def positive_heads_slow(x, weights):
    """Return each head's projection of x, with negative values replaced by 0."""
    pieces = []
    for weight in weights:
        pieces.append(tf.nn.relu(tf.matmul(x, weight)))
    return tf.stack(pieces)


def _inputs(size, generator):
    width = 4 + 5 * size // 4
    return normal(generator, width, width), normal(generator, size, width, width)


TASK = Task(
    id="positive_heads",
    title="Vectorized once",
    points=0,
    level=1,
    framework="tensorflow",
    slow=positive_heads_slow,
    inputs=_inputs,
    edge_cases=(
        Case("float64 values", lambda g: (normal(g, 3, 4, dtype=tf.float64), normal(g, 2, 4, 2, dtype=tf.float64))),
        Case("values of about 1e-12", lambda g: (normal(g, 3, 4, scale=1e-12), normal(g, 2, 4, 2))),
        Case("4,099 rows", lambda g: (normal(g, 4099, 2), normal(g, 2, 2, 3))),
        Case("4,099 features", lambda g: (normal(g, 2, 4099), normal(g, 2, 4099, 8))),
        Case("4,099 outputs", lambda g: (normal(g, 2, 3), normal(g, 2, 3, 4099))),
        Case("1,030 heads", lambda g: (normal(g, 2, 3), normal(g, 1030, 3, 1))),
        Case("minus infinity", lambda g: (tf.constant([[-inf, 1.0, 2.0, 3.0]]), normal(g, 5, 4, 2))),
        Case("NaN, which isn't negative", lambda g: (tf.constant([[nan, 1.0, 2.0, 3.0]]), normal(g, 2, 4, 2))),
    ),
    worst="Each value is one dot product, clipped at 0.",
    limits=(at_most(1, "traces"), at_most(80, "ops"), at_most(0, "syncs")),
    mistakes=(Mistake("The result contains negative values: `tf.nn.relu` replaces them with 0.", tf.matmul),),
)
