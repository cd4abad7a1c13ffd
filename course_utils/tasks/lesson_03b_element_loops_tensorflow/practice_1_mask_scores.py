"""Practice: set the scores of padding to minus infinity by a choice, because a product with a mask makes NaN."""

from __future__ import annotations

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import infinity_and_nan
from course_utils.tasks.tensorflow_inputs import normal


def mask_scores_slow(scores, padding):
    """Return the scores, with minus infinity for each one whose padding is True."""
    result = []
    for i in range(len(scores)):
        if padding[i]:
            result.append(tf.constant(-inf, scores.dtype))
        else:
            result.append(scores[i])
    return tf.stack(result)


TASK = Task(
    id="mask_scores",
    title="Scores that softmax ignores",
    points=0,
    level=1,
    framework="tensorflow",
    slow=mask_scores_slow,
    inputs=lambda size, generator: (normal(generator, size), normal(generator, size) > 0),
    edge_cases=(
        Case("float64 scores", lambda g: (normal(g, 4, dtype=tf.float64), normal(g, 4) > 0)),
        infinity_and_nan([inf, nan, 0, -inf, inf, nan, 1e35, -1e-35], rest=(tf.constant([True] * 4 + [False] * 4),)),
        Case("float16 scores", lambda g: (normal(g, 4, dtype=tf.float16), normal(g, 4) > 0)),
        Case("4,100 scores", lambda g: (normal(g, 4100), normal(g, 4100) > 0)),
    ),
    worst="Each value of the result depends on one value of each input, whatever the size.",
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The padding keeps its scores, and all other scores are minus infinity: invert the mask.",
            lambda scores, padding: tf.where(padding, scores, tf.constant(-inf, scores.dtype)),
        ),
        Mistake(
            "All other scores became NaN, because minus infinity times 0 is NaN: choose with `tf.where`.",
            lambda scores, padding: scores + tf.cast(padding, scores.dtype) * -inf,
        ),
    ),
)
