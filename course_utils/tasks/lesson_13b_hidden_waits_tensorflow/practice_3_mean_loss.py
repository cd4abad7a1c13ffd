"""Practice: a log that stores tensors and joins them at the end, without synchronization."""

from __future__ import annotations

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import uniform


def mean_loss_slow(losses):
    """Return the mean of all losses, as a scalar tensor."""
    total = 0.0
    for loss in losses:
        total += float(loss)
    return tf.constant(total / len(losses), losses[0].dtype)


TASK = Task(
    id="mean_loss",
    title="The mean of a log",
    points=0,
    level=1,
    framework="tensorflow",
    slow=mean_loss_slow,
    inputs=lambda size, generator: (tf.unstack(uniform(generator, 0.1, 3.0, size)),),
    edge_cases=(
        Case("float64 losses", lambda g: (tf.unstack(uniform(g, 0.1, 3.0, 6, dtype=tf.float64)),)),
        Case("losses of about 1e-12", lambda g: (tf.unstack(uniform(g, 1e-12, 3e-12, 4)),)),
        Case("2,100 losses below 0", lambda g: (tf.unstack(uniform(g, -3.0, -0.1, 2100)),)),
        Case("a loss that is NaN", lambda _: (tf.unstack(tf.constant([1.0, nan, 2.0])),)),
        Case("a loss that is infinite", lambda _: (tf.unstack(tf.constant([1.0, inf, 2.0])),)),
    ),
    worst="A mean of losses of one sign doesn't cancel.",
    story=prose(
        "Write `mean_loss(losses)`: the mean of a list of losses as a scalar tensor, without a synchronization."
    ),
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    hints=("`tf.stack` makes one tensor from the list; one `tf.reduce_mean` returns its mean.",),
    mistakes=(
        Mistake("This is the sum: divide it by the number of losses.", lambda losses: tf.reduce_sum(tf.stack(losses))),
    ),
)
