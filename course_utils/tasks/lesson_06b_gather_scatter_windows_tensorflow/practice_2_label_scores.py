"""Of each row the score in a column of its own: a gather within the rows of a batch."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import integers, normal


def label_scores_slow(scores, labels):
    """Of each row of scores the one in the column that labels names."""
    picked = []
    for i in range(len(scores)):
        picked.append(scores[i, labels[i]])
    return tf.stack(picked)


def _inputs(generator, rows, columns, dtype=tf.float32):
    return normal(generator, rows, columns, dtype=dtype), integers(generator, 0, columns, rows)


TASK = Task(
    id="label_scores",
    title="The score of the true class",
    points=0,
    level=1,
    framework="tensorflow",
    slow=label_scores_slow,
    inputs=lambda size, generator: _inputs(generator, size, size + 2),
    edge_cases=(Case("float64 scores", lambda generator: _inputs(generator, 3, 5, tf.float64)),),
    limits=(at_most(8, "ops"),),
    mistakes=(
        Mistake(
            "Whole columns are picked, for every row those of all rows; batch_dims=1 goes through the rows side by side.",
            lambda scores, labels: tf.gather(scores, labels, axis=1),
        ),
    ),
)
