"""Practice: the loss of one replica for losses per pixel, which adds up to the mean over the examples of the global batch."""

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import float64, random_case
from course_utils.tasks.tensorflow_inputs import normal


def replica_loss_slow(per_pixel, global_batch):
    """Return the sum of the losses of this replica's examples, divided by the number of examples of all replicas."""
    total = tf.constant(0.0, per_pixel.dtype)
    for example in per_pixel:
        total += tf.reduce_mean(example) / global_batch
    return total


TASK = Task(
    id="replica_loss",
    title="A loss that adds up over replicas",
    points=0,
    level=1,
    framework="tensorflow",
    slow=replica_loss_slow,
    inputs=lambda size, generator: (normal(generator, size, 3 + size // 4), 2 * size + 1),
    edge_cases=(
        random_case("a replica without examples", 0, 3, rest=(3,)),
        random_case("one example of one pixel", 1, 1, rest=(4,)),
        random_case("two examples of 5,000 pixels", 2, 5000, rest=(7,)),
        float64(5, 4, rest=(3_000_000_127,)),  # more examples than 32 bits can count
        # float32 rounds the number of all examples.
        Case(
            "4,100 of 2²⁴ + 1 examples",
            lambda generator: (1 + normal(generator, 4100, 2, dtype=tf.float64), 2**24 + 1),
            differentiable=False,
        ),
        Case("losses of about 1e-12", lambda generator: (normal(generator, 4, 3, scale=1e-12), 9)),
        Case("a loss that is NaN", lambda _: (tf.constant([[1.0, nan], [2.0, 3.0]]), 5)),
        Case("an infinite loss", lambda _: (tf.constant([[1.0, inf], [2.0, 3.0]]), 5)),
    ),
    gradients=True,
    worst="The losses are few, so no batch is harder to add than a random one.",
    limits=(at_most(16, "ops"),),
    mistakes=(
        Mistake(
            "This adds the losses of the pixels: take the mean of each example's pixels.",
            lambda per_pixel, global_batch: tf.reduce_sum(per_pixel) / global_batch,
        ),
        Mistake(
            "This is the mean over this replica's own examples: divide the sum of their losses by `global_batch`.",
            lambda per_pixel, global_batch: tf.reduce_mean(per_pixel),
        ),
        Mistake(
            "This is the sum of the losses: divide it by `global_batch`.",
            lambda per_pixel, global_batch: tf.reduce_sum(tf.reduce_mean(per_pixel, 1)),
        ),
    ),
)
