"""A graph that pays: ten steps that start as one operation and are traced once.

Operations started from Python are limited, so that here a graph is wanted.
"""

from __future__ import annotations

from math import inf, nan

import tensorflow as tf

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
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
from course_utils.tasks.unwrap import items, prose


def descend_slow(x, rate):
    """x after ten steps downhill, each as long as rate times the slope x + sin(2·x), by a graph that knows the rate."""

    @tf.function
    def ten_steps(x):
        for _ in range(10):
            x = x - rate * (x + tf.sin(2.0 * x))
        return x

    return ten_steps(x)


def _descend_inputs(size, generator):
    return normal(generator, size, 3), float(generator.uniform(0.03, 0.1))


def _downhill(x, rate, steps=10, slope=lambda x: x + tf.sin(2.0 * x)):
    for _ in range(steps):
        x = x - rate * slope(x)
    return x


def _of_one_x(x):
    return x + tf.sin(x)


_graph = tf.function(_downhill, reduce_retracing=True)


def _in_one_graph(x, rate):
    return _graph(x, tf.convert_to_tensor(rate, x.dtype))


TASK = Task(
    id="descend",
    title="A graph that pays",
    points=3,
    level=1,
    framework="tensorflow",
    slow=descend_slow,
    inputs=_descend_inputs,
    edge_cases=(
        without_rows(3, rest=(0.05,)),
        vector(4, rest=(0.05,)),
        single_number(rest=(0.05,)),
        random_case("a rate that is the whole number 0", 4, rest=(0,)),
        random_case("a negative rate, which climbs", 4, rest=(-0.05,)),
        Case("a rate that is a tensor", lambda generator: (normal(generator, 4), tf.constant(0.05))),
        float64(4, rest=(0.1,)),
        Case(
            "float64 values and a rate that is a tensor",
            lambda generator: (normal(generator, 4, dtype=tf.float64), tf.constant(0.1, tf.float64)),
        ),
        infinity_and_nan([inf, -inf, nan, 1.0], rest=(0.05,)),
    ),
    sizes=(1, 3),  # the slow loop builds a graph in each call, so each size costs
    count_sizes=(2, 8),
    race_size=64,
    story=prose(
        """
        A search for the lowest place of a bumpy landscape takes ten steps downhill, and its `rate` becomes smaller
        from call to call. Somebody has put the steps into a `tf.function`, and it has become slower than without
        one. Write `descend(x, rate)`.
        """
    ),
    rules=prose(
        """
        - `x` is a floating-point tensor of any shape. `rate` is a Python number, or a tensor of one number with the dtype
        of `x`. The result has the shape and the dtype of `x`.
        - Four calls with four new rates are traced once.
        - A graph is wanted: at most 8 operations are started from Python in each call, and a call of a graph is one.
        Without a graph there are fifty.
        """
    ),
    limits=(at_most(200, "ops"), at_most(8, "launches"), at_most(0, "syncs"), at_most(1, "traces")),
    target=20.0,
    cost=lambda size: Cost(reads=4 * 3 * size, writes=4 * 3 * size),
    ways={"Python loop": _downhill, "graph made once": _in_one_graph},
    hints=items(
        """
        - Why is the graph built anew? A graph keeps what Python knew while it was traced. Which of the two arguments does
          it keep here?
        - Whatever is to change from call to call must come into the graph as a tensor. And the `tf.function` itself must
          be made once, outside of `descend`: a new function has no graphs yet.
        - Give `ten_steps` both arguments, `x` and `rate`, and move it out of `descend`. `descend` calls it with
          `tf.convert_to_tensor(rate, x.dtype)`. (`tf.cast` would not do: it makes a float32 number of it first.)
        """
    ),
    mistakes=(
        Mistake("This is one step; wanted are ten.", lambda x, rate: _downhill(x, rate, steps=1)),
        Mistake("One step too few.", lambda x, rate: _downhill(x, rate, steps=9)),
        Mistake("One step too many.", lambda x, rate: _downhill(x, rate, steps=11)),
        Mistake("This climbs: a step downhill subtracts.", lambda x, rate: _downhill(x, -rate)),
        Mistake(
            "The slope is x + sin(2·x), here it is x + sin(x).", lambda x, rate: _downhill(x, rate, slope=_of_one_x)
        ),
        Mistake(
            "The steps have the length of the slope itself: the rate is missing.", lambda x, rate: _downhill(x, 1.0)
        ),
        Mistake(
            "The rate became a float32 number on its way; tf.convert_to_tensor(rate, x.dtype) keeps all digits.",
            lambda x, rate: _downhill(x, tf.cast(tf.cast(rate, tf.float32), x.dtype)),
        ),
    ),
    sources=("S3.1",),
)
