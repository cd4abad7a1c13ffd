"""One loop for the whole state: a ``while_loop`` over the steps, no loop over the values.

The number of operations may follow the steps, so the limits do too.
"""

from __future__ import annotations

from math import inf, nan

import tensorflow as tf

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import uniform

STEPS = 8


def repeated_sqrt_slow(x, steps):
    """Return each value of x after steps square roots, with a loop of its own for each entry of the first axis."""

    def one_value(value):
        _, root = tf.while_loop(lambda i, root: i < steps, lambda i, root: (i + 1, tf.sqrt(root)), [0, value])
        return root

    return tf.map_fn(one_value, x)


def _sqrt_inputs(size, generator, dtype=tf.float32):
    return uniform(generator, 0.0, 100.0, size, dtype=dtype), tf.constant(STEPS)


def _powers(x, steps, base):
    """Return x to the power base**steps."""
    return tf.pow(x, tf.constant(float(base) ** int(steps), x.dtype))


def _python_loop(x, steps):
    for _ in range(int(steps)):
        x = tf.sqrt(x)
    return x


def _one_while_loop(x, steps):
    return tf.while_loop(lambda i, root: i < steps, lambda i, root: (i + 1, tf.sqrt(root)), [0, x])[1]


TASK = Task(
    id="repeated_sqrt",
    title="One loop for the whole state",
    points=2,
    level=1,
    framework="tensorflow",
    slow=repeated_sqrt_slow,
    reference=_python_loop,
    inputs=_sqrt_inputs,
    edge_cases=(
        Case("an empty tensor", lambda generator: (uniform(generator, 0.0, 9.0, 0), tf.constant(3))),
        Case("no steps", lambda generator: (uniform(generator, 0.0, 9.0, 4), tf.constant(0))),
        Case("one step", lambda generator: (uniform(generator, 0.0, 9.0, 4), tf.constant(1))),
        Case("steps that are a Python number", lambda generator: (uniform(generator, 0.0, 9.0, 4), 3)),
        Case("no steps, a Python number", lambda generator: (uniform(generator, 0.0, 9.0, 4), 0)),
        Case("100 steps, a Python number", lambda generator: (uniform(generator, 2.0, 9.0, 4, dtype=tf.float64), 100)),
        Case("many steps", lambda generator: (uniform(generator, 0.0, 9.0, 2), tf.constant(40))),
        Case("as many steps as values", lambda generator: (uniform(generator, 0.0, 9.0, 3), tf.constant(3))),
        Case("a matrix", lambda generator: (uniform(generator, 0.0, 9.0, 3, 3), tf.constant(3))),
        Case("three dimensions", lambda generator: (uniform(generator, 0.0, 9.0, 1, 2, 3), tf.constant(3))),
        Case("5,000 values", lambda generator: (uniform(generator, 0.0, 9.0, 5000), tf.constant(3))),
        Case(
            "float64 values", lambda generator: (uniform(generator, 0.0, 9.0, 5, dtype=tf.float64), tf.constant(STEPS))
        ),
        Case("zero and one", lambda _: (tf.constant([0.0, 1.0]), tf.constant(2))),
        Case("a negative value", lambda _: (tf.constant([-4.0, 16.0]), tf.constant(2))),
        Case("a negative value and no steps", lambda _: (tf.constant([-4.0, 16.0]), tf.constant(0))),
        Case("infinity and NaN", lambda _: (tf.constant([inf, nan, 81.0]), tf.constant(2))),
    ),
    worst=(
        Case(
            "100 steps, after which finite positive values are nearly 1",
            lambda _: (tf.constant([0.0, 1e-6, 9.0, 3e38, -1.0, inf]), tf.constant(100)),
        ),
        # float32 values stop changing after about 30 steps, so an answer that stops there is wrong only in float64.
        Case("40 steps of float64 values", lambda _: (tf.constant([1e-9, 0.3, 9.0], tf.float64), tf.constant(40))),
    ),
    count_sizes=(4, 1600),
    race_size=32,
    story=prose(
        """
        An image editor brightens a picture by applying the square root to each value several times. The code below
        maps a `while_loop` over the first axis, in the hope that the loops run in parallel. Write
        `repeated_sqrt(x, steps)`.
        """
    ),
    rules=prose(
        """
        - `x` is a float32 or float64 tensor with at least one dimension and without −∞. The result has its shape and dtype.
        - `steps` is from 0 to 100: a Python number, or a tensor of one int32 value.
        - The number of operations may grow with the steps, but not with the number of values. The counts use 8 steps.
        """
    ),
    limits=(at_most(16 * STEPS, "ops"), at_most(2 * STEPS, "syncs"), at_most(2, "traces")),
    target=15.0,
    cost=lambda size: Cost(reads=4 * size, writes=4 * size),
    ways={
        "Python loop": _python_loop,
        "while_loop": _one_while_loop,
        "while_loop in tf.function": tf.function(_one_while_loop),
    },
    hints=items(
        """
        - Which loop isn't needed: the loop over the steps or the loop over the values?
        - The state of a `while_loop` may be a tensor of any size, and `tf.sqrt` processes all of it at once. So one
          loop is enough, without a map around it.
        - `tf.while_loop(lambda i, root: i < steps, lambda i, root: (i + 1, tf.sqrt(root)), [0, x])` returns the counter
          and the result. A loop `for _ in tf.range(steps)` in a `tf.function` is equivalent. (Then ask the lesson's
          question: is the loop needed? A root is a power.)
        """
    ),
    mistakes=(
        Mistake("One root too few was taken: take `steps` roots.", lambda x, steps: _python_loop(x, steps - 1)),
        Mistake("One root too many was taken: take `steps` roots.", lambda x, steps: _python_loop(x, steps + 1)),
        Mistake("This is one square root: take `steps`, one after the other.", lambda x, steps: tf.sqrt(x)),
        Mistake(
            "This is the root of degree `steps`: each step doubles the degree.",
            lambda x, steps: tf.pow(x, 1 / tf.cast(steps, x.dtype)),
        ),
        Mistake(
            "This is the root of degree 2·steps: each step doubles the degree, so the degree is 2 to the power of "
            "`steps`.",
            lambda x, steps: tf.pow(x, 1 / tf.cast(2 * steps, x.dtype)),
        ),
        Mistake("The values are squared: take square roots.", lambda x, steps: _powers(x, steps, 2)),
        Mistake("Each step halves the values: take square roots.", lambda x, steps: x / 2.0 ** float(steps)),
    ),
    sources=("S3.3",),
)
