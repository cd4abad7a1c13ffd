"""Practice: the nearest code of each row, a few rows at a time."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import integers

_CHUNKS = 8


def nearest_codes_slow(x, codes, rows):
    """For each row of x, the index of the nearest row of codes; the first one among equals."""
    indices = []
    for row in x:
        indices.append(tf.argmin(tf.reduce_sum((codes - row) ** 2, 1)))
    return tf.stack(indices)


def _inputs(size, generator):
    return _values(generator, _CHUNKS * size), _values(generator, 3 * size), size


def _values(generator, rows):
    return tf.cast(integers(generator, -9, 10, rows, 4), tf.float32)


TASK = Task(
    id="nearest_codes",
    title="The nearest code, in chunks",
    points=0,
    level=1,
    framework="tensorflow",
    slow=nearest_codes_slow,
    inputs=_inputs,
    worst=(Case("codes that are all equal", lambda g: (_values(g, 8), tf.zeros([30, 4]), 2)),),
    sizes=(1, 2, 3),
    count_sizes=(4, 32),
    limits=(
        at_most(200, "ops"),
        at_most(
            lambda x, codes, rows: 4 * 2 * 4 * rows * len(codes) + 16 * len(x) + 16 * len(codes) + 4096,
            "peak bytes",
            "two tables of all differences of one chunk, 16 bytes per row and per code, and 4,096 bytes",
        ),
        at_most(0, "syncs"),
    ),
    mistakes=(
        Mistake(
            "These are the farthest codes: use `tf.argmin`.",
            lambda x, codes, rows: tf.argmax(tf.reduce_sum((x[:, None] - codes) ** 2, 2), 1),
        ),
        Mistake(
            "This is the nearest row for each code: return the nearest code for each row.",
            lambda x, codes, rows: nearest_codes_slow(codes, x, rows),
        ),
    ),
)
