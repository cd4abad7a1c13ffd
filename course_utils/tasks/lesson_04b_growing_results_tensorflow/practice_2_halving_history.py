"""Practice: states that depend on one another, and whose number is unknown before the loop ends."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import float64
from course_utils.tasks.tensorflow_inputs import normal


def halving_history_slow(x, limit):
    """Return x after 1, 2, … halvings, up to the first state whose values are all below limit in magnitude."""
    history = tf.zeros([0, *x.shape], x.dtype)
    while True:
        x = x / 2
        history = tf.concat([history, x[None]], axis=0)
        if tf.reduce_max(tf.abs(x)) < limit:
            return history


def _most_bytes(x, limit):
    """Return four times the bytes of the result: each state, its magnitude, its copy in the result, and one to spare."""
    return 4 * len(halving_history_slow(x, limit)) * x.dtype.size * x.shape.num_elements() + 1024


TASK = Task(
    id="halving_history",
    title="Halved until it is small",
    points=0,
    level=1,
    framework="tensorflow",
    slow=halving_history_slow,
    inputs=lambda size, generator: (normal(generator, 64), 2.0**-size),
    edge_cases=(
        Case("a matrix whose largest magnitude reaches the limit", lambda _: (tf.constant([[4.0, 1], [3, -3]]), 0.5)),
        Case("a negative value that reaches the limit", lambda _: (tf.constant([-4.0, 3]), 0.5)),
        Case("values that are all below the limit from the start", lambda g: (normal(g, 5), 1000.0)),
        Case("large values and a limit of 2**-100", lambda g: (normal(g, 3, scale=2.0**60), 2.0**-100)),
        float64(5, rest=(0.01,)),
        Case(
            "a float64 value just below the limit after 300 halvings",
            lambda _: (tf.constant([0.25, 2**-53 - 1, 0.5], tf.float64), 2.0**-300),
        ),
        Case("5,000 values, the last of which is the largest", lambda _: (tf.concat([tf.zeros(4999), [4.0]], 0), 0.5)),
        Case("zeros", lambda _: (tf.zeros(3), 0.5)),
        Case("a single number", lambda _: (tf.constant(-3.0), 0.5)),
        Case("three dimensions", lambda g: (normal(g, 2, 1, 3), 0.1)),
        Case("large values and a large limit", lambda _: (tf.constant([5e5, 3e30]), 1e6)),
    ),
    worst="Halving is exact, so no number of steps loses digits.",
    tolerance=1e-6,
    of_each_value=True,  # The last states are far smaller than the first ones.
    limits=(at_most(_most_bytes, "bytes", "four times the bytes of the result, plus 1,024 bytes"),),
    mistakes=(
        Mistake("Off by one: state 0 is `x / 2`, not `x`.", lambda x, limit: 2 * halving_history_slow(x, limit)),
        Mistake(
            "The start is included: leave it out, so that the first row is `x / 2`.",
            lambda x, limit: tf.concat([x[None], halving_history_slow(x, limit)], 0),
        ),
        Mistake(
            "The last state is missing: the first state below the limit belongs to the result.",
            lambda x, limit: halving_history_slow(x, limit)[:-1],
        ),
        Mistake(
            "The comparison with `limit` ignores negative values: compare magnitudes.",
            lambda x, limit: halving_history_slow(x, limit)[: len(halving_history_slow(tf.nn.relu(x), limit))],
        ),
        Mistake("This is only the last state: return all states.", lambda x, limit: halving_history_slow(x, limit)[-1]),
    ),
)
