"""Practice: a list or a TensorArray for states that depend on one another."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def halving_history_slow(x, steps):
    """The states of x after 1, 2, …, steps halvings, shape (steps, *x.shape)."""
    history = tf.zeros([0, *x.shape], x.dtype)
    for _ in range(steps):
        x = x / 2
        history = tf.concat([history, x[None]], axis=0)
    return history


TASK = Task(
    id="halving_history",
    title="Halved repeatedly",
    points=0,
    level=1,
    framework="tensorflow",
    slow=halving_history_slow,
    inputs=lambda size, generator: (normal(generator, 64), size),
    edge_cases=(Case("a matrix", lambda g: (normal(g, 2, 3), 3)),),
    worst="Halving is exact, so no number of steps loses digits.",
    limits=(
        at_most(
            lambda x, steps: (2 * steps + 2) * 4 * x.shape.num_elements(),
            "bytes",
            "twice the bytes of the result, and two states",
        ),
    ),
    mistakes=(
        Mistake("Off by one: state 0 is `x / 2`, not `x`.", lambda x, steps: 2 * halving_history_slow(x, steps)),
        Mistake("This is only the last state: return all states.", lambda x, steps: halving_history_slow(x, steps)[-1]),
    ),
)
