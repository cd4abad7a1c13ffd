"""Practice: a table with itself, turned by the product and not before it."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.tensorflow_cases import without_rows
from course_utils.tasks.tensorflow_inputs import integers


def shared_tags_slow(tags):
    """Entry (i, j): how many tags post i and post j share."""
    rows = []
    for one in tags:
        rows.append(tf.reduce_sum(one * tags, axis=1))
    return tf.stack(rows) if rows else tf.zeros([0, 0], tags.dtype)


TASK = Task(
    id="shared_tags",
    title="Posts that share tags",
    points=0,
    level=1,
    framework="tensorflow",
    slow=shared_tags_slow,
    inputs=lambda size, generator: (integers(generator, 0, 2, size, size + 2, dtype=tf.float32),),
    edge_cases=(without_rows(3),),
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "This compares tags: what is summed must be the tags, so it is the right table that is turned.",
            lambda tags: tf.matmul(tags, tags, transpose_a=True),
        ),
    ),
)
