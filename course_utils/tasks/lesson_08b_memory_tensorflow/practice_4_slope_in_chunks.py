"""Practice: gradient accumulation, with a tape per chunk."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal

_CHUNKS = 16


def slope_in_chunks_slow(x, weight, rows):
    """Return the gradient of the sum of tanh(x @ weight)² with respect to weight."""
    with tf.GradientTape() as tape:
        tape.watch(weight)
        loss = tf.reduce_sum(tf.tanh(tf.matmul(x, weight)) ** 2)
    return tape.gradient(loss, weight)


def _of_the_last_chunk(x, weight, rows):
    return slope_in_chunks_slow(x[-rows:], weight, rows)


TASK = Task(
    id="slope_in_chunks",
    title="A gradient, chunk by chunk",
    points=0,
    level=1,
    framework="tensorflow",
    slow=slope_in_chunks_slow,
    inputs=lambda size, generator: (normal(generator, _CHUNKS * size, 4), normal(generator, 4, 16), size),
    sizes=(1, 2, 3),
    count_sizes=(4, 16),
    edge_cases=(
        Case("a last chunk with fewer rows", lambda g: (normal(g, 7, 4), normal(g, 4, 3), 3)),
        Case("a last chunk of one row, after one of 1,025", lambda g: (normal(g, 1026, 4), normal(g, 4, 3), 1025)),
        Case("300 chunks, with a single weight", lambda g: (normal(g, 300, 1), normal(g, 1, 1), 1)),
        Case("300 columns in x and in weight", lambda g: (normal(g, 3, 300), normal(g, 300, 300, scale=0.06), 2)),
        Case("more rows in a chunk than there are", lambda g: (normal(g, 2, 4), normal(g, 4, 3), 5)),
        Case("float64 values", lambda g: (normal(g, 4, 4, dtype=tf.float64), normal(g, 4, 3, dtype=tf.float64), 2)),
        Case("values of about 1e-8", lambda g: (normal(g, 4, 4, scale=1e-8), normal(g, 4, 3), 2)),
    ),
    worst="The gradient is a sum over rows; each row adds its own term.",
    limits=(
        at_most(800, "ops"),
        at_most(
            lambda x, weight, rows: 8 * 4 * 16 * rows + 4096, "peak bytes", "eight tables of one chunk plus 4,096 bytes"
        ),
        at_most(0, "syncs"),
    ),
    mistakes=(
        Mistake("This is the gradient of the last chunk only: add the gradients of all chunks.", _of_the_last_chunk),
        Mistake(
            "This is the mean over the chunks: the loss is a sum, so add their gradients.",
            lambda x, weight, rows: slope_in_chunks_slow(x, weight, rows) / _CHUNKS,
        ),
    ),
)
