"""Practice of doubling: the running sum, without decay."""

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import float64, infinity_and_nan, random_case
from course_utils.tasks.tensorflow_inputs import normal


def doubled_total_slow(x):
    """Return the running sum: row t is the sum of rows 0 to t."""
    rows = [x[0]]
    for row in x[1:]:
        rows.append(rows[-1] + row)
    return tf.stack(rows)


def _one_round(x):
    return tf.concat([x[:1], x[1:] + x[:-1]], axis=0)


TASK = Task(
    id="doubled_total",
    title="The running sum, by doubling",
    points=0,
    level=1,
    framework="tensorflow",
    slow=doubled_total_slow,
    inputs=lambda size, generator: (normal(generator, size, 2 + size // 8),),
    edge_cases=(
        random_case("one row", 1, 3),
        float64(5, 2),
        Case("values of about 1e-12", lambda g: (normal(g, 5, 2, scale=1e-12),)),
        infinity_and_nan([[1.0, 2], [nan, 3], [4, 5], [6, -inf]]),
    ),
    count_sizes=(8, 128),
    worst="The random inputs have up to 160 rows, and a running sum treats all rows alike.",
    limits=(at_most(80, "ops"), at_most(0, "syncs")),  # Seven rounds for 128 rows.
    may_alias=True,
    mistakes=(
        Mistake("This is the first round only: each row plus the previous one.", _one_round),
        Mistake("The current row is missing: row t includes row t.", lambda x: doubled_total_slow(x) - x),
    ),
)
