"""Practice: the loss of one replica, which adds up to the mean of the global batch."""

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import float64, infinity_and_nan
from course_utils.tasks.tensorflow_inputs import normal


def replica_loss_slow(per_example, global_batch):
    """Return the sum of this replica's losses, divided by the number of examples of all replicas."""
    total = tf.constant(0.0, per_example.dtype)
    for loss in per_example:
        total += loss / global_batch
    return total


TASK = Task(
    id="replica_loss",
    title="A loss that adds up over replicas",
    points=0,
    level=1,
    framework="tensorflow",
    slow=replica_loss_slow,
    inputs=lambda size, generator: (normal(generator, size), 2 * size + 1),
    edge_cases=(
        Case("a replica without examples", lambda generator: (normal(generator, 0), 3)),
        float64(5, rest=(3_000_000_127,)),  # more examples than 32 bits can count
        # float32 rounds the number of all examples.
        Case(
            "4,100 of 2²⁴ + 1 examples",
            lambda generator: (1 + normal(generator, 4100, dtype=tf.float64), 2**24 + 1),
            differentiable=False,
        ),
        Case("losses of about 1e-12", lambda generator: (normal(generator, 4, scale=1e-12), 9)),
        infinity_and_nan([1.0, nan, 2.0], rest=(5,)),
        infinity_and_nan([1.0, inf, 2.0], rest=(5,)),
    ),
    gradients=True,
    worst="The losses are few, so no batch is harder to add than a random one.",
    limits=(at_most(16, "ops"),),
    mistakes=(
        Mistake(
            "This is the mean over this replica's own examples: divide the sum by `global_batch`.",
            lambda per_example, global_batch: tf.reduce_mean(per_example),
        ),
        Mistake(
            "This is the sum of the losses: divide it by `global_batch`.",
            lambda per_example, global_batch: tf.reduce_sum(per_example),
        ),
    ),
)
