"""Practice: a tape records only the operations inside its block."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal

_STEPS = 12


def outer_slope_slow(x, weight):
    """Return the gradient of the mean of h · weight with respect to weight; h is x after twelve sines."""
    with tf.GradientTape() as tape:
        tape.watch([x, weight])
        h = x
        for _ in range(_STEPS):
            h = tf.sin(h)
        loss = tf.reduce_mean(h * weight)
    return tape.gradient(loss, weight)


TASK = Task(
    id="outer_slope",
    title="A tape around the end only",
    points=0,
    level=1,
    framework="tensorflow",
    slow=outer_slope_slow,
    inputs=lambda size, generator: (normal(generator, size, 4), normal(generator, 4)),
    edge_cases=(
        Case("float64 values", lambda g: (normal(g, 3, 4, dtype=tf.float64), normal(g, 4, dtype=tf.float64))),
        Case("values of about 1e-12", lambda g: (normal(g, 3, 4, scale=1e-12), normal(g, 4))),
        Case("a single column of 5,000 rows", lambda g: (normal(g, 5000, 1), normal(g, 1))),
        Case("300 columns", lambda g: (normal(g, 3, 300), normal(g, 300))),
        Case("a weight of 0", lambda g: (normal(g, 3, 2), tf.constant([0.0, 2.0]))),
    ),
    worst="Each value of the gradient is a sum over one column, whatever the values are.",
    count_sizes=(8, 256),
    limits=(
        at_most(200, "ops"),
        at_most(lambda x, weight: 6 * 4 * 4 * len(x) + 4096, "peak bytes", "six tensors like `x` plus 4,096 bytes"),
        at_most(0, "syncs"),
    ),
    mistakes=(
        Mistake(
            "This is the gradient with respect to `h`: differentiate with respect to `weight`.",
            lambda x, weight: tf.zeros_like(x) + weight / (4 * len(x)),
        ),
        Mistake(
            "This is the gradient with `x` instead of `h`: apply `tf.sin` twelve times first.",
            lambda x, weight: tf.reduce_mean(x, 0) / 4,
        ),
        Mistake(
            "The result is None: let the tape watch `weight` and record each step from `weight` to the loss, and "
            "differentiate with respect to `weight`.",
            lambda x, weight: None,
        ),
    ),
)
