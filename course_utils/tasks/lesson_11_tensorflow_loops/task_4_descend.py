"""A graph that pays off: ten steps that start as one operation and are traced once.

The number of operations that Python may start is limited, so this task requires a graph.
"""

from __future__ import annotations

from math import inf, nan

import tensorflow as tf

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import (
    float64,
    infinity_and_nan,
    random_case,
    single_number,
    vector,
    without_rows,
)
from course_utils.tasks.tensorflow_inputs import normal

_COUNT_SIZES = 2, 8


def descend_slow(x, rate):
    """Return x after ten steps downhill, each rate times the slope x + sin(2·x); the graph contains the rate."""

    @tf.function
    def ten_steps(x):
        for _ in range(10):
            x = x - rate * (x + tf.sin(2.0 * x))
        return x

    return ten_steps(x)


def _descend_inputs(size, generator):
    rate = float(generator.uniform(0.03, 0.1))
    # At the larger counted size the rate is a tensor, so its conversion to a Python number counts as a synchronization.
    return normal(generator, size, 3), tf.constant(rate) if size == _COUNT_SIZES[1] else rate


def _downhill(x, rate, steps=10, slope=lambda x: x + tf.sin(2.0 * x)):
    for _ in range(steps):
        x = x - rate * slope(x)
    return x


def _slope_of_x(x):
    return x + tf.sin(x)


_graph = tf.function(_downhill, reduce_retracing=True)


def _one_function(x, rate):
    return _graph(x, tf.convert_to_tensor(rate, x.dtype))


TASK = Task(
    id="descend",
    title="A graph that pays off",
    points=3,
    level=1,
    framework="tensorflow",
    slow=descend_slow,
    reference=_downhill,
    inputs=_descend_inputs,
    edge_cases=(
        without_rows(3, rest=(0.05,)),
        vector(4, rest=(0.05,)),
        single_number(rest=(0.05,)),
        random_case("three dimensions", 2, 3, 2, rest=(0.05,)),
        random_case("5,000 values", 5000, rest=(0.05,)),
        random_case("the integer rate 1", 4, rest=(1,)),
        random_case("the integer rate 0", 4, rest=(0,)),
        random_case("a negative rate", 4, rest=(-0.05,)),
        Case("a rate that is a tensor", lambda generator: (normal(generator, 4), tf.constant(0.05))),
        float64(4, rest=(1.1,)),
        Case(
            "float64 values and a rate that is a tensor",
            lambda generator: (normal(generator, 4, dtype=tf.float64), tf.constant(0.1, tf.float64)),
        ),
        infinity_and_nan([inf, -inf, nan, 1.0], rest=(0.05,)),
    ),
    # Near a minimum the slope is almost 0, and a step is still a step.
    worst=(Case("values near the minimum", lambda _: (tf.constant([3e-3, -1e-4, 2e-6]), 0.05)),),
    sizes=(1, 3),  # The slow loop traces a graph in each call, so each size takes time.
    count_sizes=_COUNT_SIZES,
    race_size=64,
    story=prose(
        """
        A search for the minimum of a bumpy landscape takes ten steps downhill, and its `rate` decreases from call to
        call. The code below runs the steps in a `tf.function` and is slower than eager code. Write `descend(x, rate)`.
        """
    ),
    rules=prose(
        """
        - `x` is a float32 or float64 tensor of any shape. `rate` is a Python number, or a scalar tensor with the dtype of
          `x`. The result has the shape and dtype of `x`.
        - The check counts traces in four calls, each with a new rate.
        - Use a graph: without one, Python starts fifty operations in each call.
        """
    ),
    limits=(at_most(200, "ops"), at_most(8, "launches"), at_most(0, "syncs"), at_most(1, "traces")),
    target=20.0,
    cost=lambda size: Cost(reads=4 * 3 * size, writes=4 * 3 * size),
    ways={"Python loop": _downhill, "one tf.function": _one_function},
    hints=items(
        """
        - Why is the graph traced again? A graph contains every Python value as a constant. Which of the two arguments
          becomes one here?
        - A value that changes from call to call must enter the graph as a tensor. And the `tf.function` itself must be
          created once, outside `descend`: a new function has no traces yet.
        - Give `ten_steps` both arguments, `x` and `rate`, and move it out of `descend`. `descend` calls it with
          `tf.convert_to_tensor(rate, x.dtype)`. (`tf.cast` isn't enough: it converts a float to float32 first.)
        """
    ),
    mistakes=(
        Mistake("This is one step: take ten, one after the other.", lambda x, rate: _downhill(x, rate, steps=1)),
        Mistake("One step too few was taken: take ten.", lambda x, rate: _downhill(x, rate, steps=9)),
        Mistake("One step too many was taken: take ten.", lambda x, rate: _downhill(x, rate, steps=11)),
        Mistake("The sign is wrong: a step downhill subtracts.", lambda x, rate: _downhill(x, -rate)),
        Mistake(
            "The slope here is x + sin(x): use x + sin(2·x).", lambda x, rate: _downhill(x, rate, slope=_slope_of_x)
        ),
        Mistake("The rate is missing: multiply the slope by it.", lambda x, rate: _downhill(x, 1.0)),
        Mistake(
            "The rate was converted to float32: `tf.convert_to_tensor(rate, x.dtype)` keeps all digits.",
            lambda x, rate: _downhill(x, tf.cast(tf.cast(rate, tf.float32), x.dtype)),
        ),
    ),
    sources=("S3.1",),
)
