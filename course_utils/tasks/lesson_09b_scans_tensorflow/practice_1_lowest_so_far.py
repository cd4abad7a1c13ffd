"""Practice of `tf.scan`: the running minimum, for which TensorFlow has no operation."""

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import float64, infinity_and_nan, random_case
from course_utils.tasks.tensorflow_inputs import normal


def lowest_so_far_slow(x):
    """Return the running minimum of each column: row t is the minimum of rows 0 to t."""
    rows = [x[0]]
    for row in x[1:]:
        rows.append(tf.minimum(rows[-1], row))
    return tf.stack(rows)


TASK = Task(
    id="lowest_so_far",
    title="The lowest so far",
    points=0,
    level=1,
    framework="tensorflow",
    slow=lowest_so_far_slow,
    inputs=lambda size, generator: (normal(generator, size, 2),),
    edge_cases=(
        float64(4, 2),
        random_case("300 columns", 3, 300),
        Case("values near 1e30", lambda g: (1e30 + normal(g, 4, 2, scale=1e29),)),
        Case("values of about 1e-12", lambda g: (normal(g, 4, 2, scale=1e-12),)),
        infinity_and_nan([[inf, nan], [inf, 2.0], [1.0, 3.0], [nan, 3.0], [-inf, 4.0]]),
    ),
    worst=(Case("the minimum in the first of 1,100 rows", lambda _: (tf.range(0.0, 1100.0)[:, None],)),),
    limits=(at_most(2, "launches"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "NaN is lost, as in a comparison and in XLA's minimum on a CPU: use `tf.minimum` without XLA.",
            lambda x: tf.scan(lambda lowest, row: tf.where(row < lowest, row, lowest), x),
        ),
        Mistake(
            "Every row holds the minimum of all rows: row t is the minimum of rows 0 to t.",
            lambda x: tf.zeros_like(x) + tf.reduce_min(x, axis=0),
        ),
        Mistake(
            "The scan started with 0, which may be lower than every row: without an initializer, it starts with row 0.",
            lambda x: tf.minimum(lowest_so_far_slow(x), 0.0),
        ),
    ),
)
