"""Scores of padding set to minus infinity: a choice, where a mask that multiplies makes NaN."""

from __future__ import annotations

from math import inf

import tensorflow as tf

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def mask_scores_slow(scores, padding):
    """The scores, each -infinity where padding is True."""
    result = []
    for i in range(len(scores)):
        if padding[i]:
            result.append(tf.constant(-inf, scores.dtype))
        else:
            result.append(scores[i])
    return tf.stack(result)


TASK = Task(
    id="mask_scores",
    title="Scores that softmax is to pass over",
    points=0,
    level=1,
    framework="tensorflow",
    slow=mask_scores_slow,
    inputs=lambda size, generator: (normal(generator, size), normal(generator, size) > 0),
    edge_cases=(Case("float64 scores", lambda g: (normal(g, 4, dtype=tf.float64), normal(g, 4) > 0)),),
    mistakes=(
        Mistake(
            "The padding is kept, and the rest became minus infinity.",
            lambda scores, padding: tf.where(padding, scores, tf.constant(-inf, scores.dtype)),
        ),
    ),
)
