"""Practice: a chain of products that ends in a vector, multiplied from that end."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal


def last_state_slow(a, b, c, state):
    """Return the product a · b · c · state, computed one value after the other."""
    for matrix in (c, b, a):
        state = tf.stack([tf.reduce_sum(row * state) for row in matrix])
    return state


def _allowed(a, b, c, state):
    """Return the bytes of 16 vectors: less than a matrix if the vectors are long."""
    return 16 * 4 * len(state)


def _inputs(size, generator):
    return *(normal(generator, size, size, scale=size**-0.5) for _ in range(3)), normal(generator, size)


TASK = Task(
    id="last_state",
    title="Three steps of a state",
    points=0,
    level=1,
    framework="tensorflow",
    slow=last_state_slow,
    inputs=_inputs,
    edge_cases=(
        Case(
            "float64 values",
            lambda g: (*(normal(g, 4, 4, dtype=tf.float64) for _ in "abc"), normal(g, 4, dtype=tf.float64)),
        ),
        Case("states of one value", lambda g: _inputs(1, g)),
        Case("states of 600 values", lambda g: _inputs(600, g)),
        Case("a state of about 1e-12", lambda g: (*(normal(g, 3, 3) for _ in "abc"), normal(g, 3, scale=1e-12))),
    ),
    worst="The matrices are scaled, so the values neither grow nor lose digits over the steps.",
    limits=(at_most(24, "ops"), at_most(_allowed, "bytes", "the bytes of 16 vectors"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The matrices are in reverse order: `c` multiplies the state first, `a` last.",
            lambda a, b, c, state: last_state_slow(c, b, a, state),
        ),
        Mistake(
            "The matrices are transposed: multiply a matrix by a vector, not a vector by a matrix.",
            lambda a, b, c, state: last_state_slow(tf.transpose(a), tf.transpose(b), tf.transpose(c), state),
        ),
    ),
)
