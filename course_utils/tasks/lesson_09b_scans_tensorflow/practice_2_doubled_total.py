"""Practice of doubling: the running sum, without decay."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.tensorflow_cases import random_case
from course_utils.tasks.tensorflow_inputs import normal


def doubled_total_slow(x):
    """Row t is the sum of rows 0 to t."""
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
    inputs=lambda size, generator: (normal(generator, size, 2),),
    edge_cases=(random_case("one row", 1, 3),),
    worst="The random inputs have up to 64 rows, and a running sum treats all rows alike.",
    limits=(at_most(80, "ops"),),  # Six rounds for 64 rows.
    may_alias=True,
    mistakes=(
        Mistake("This is the first round only: each row plus the previous one.", _one_round),
        Mistake("The current row is missing: row t includes row t.", lambda x: doubled_total_slow(x) - x),
    ),
)
