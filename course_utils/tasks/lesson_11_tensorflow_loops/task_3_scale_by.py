"""A factor that changes in each call: a graph needs it as a tensor, and a single product needs no graph.

The check counts traces. A single product has the same operations with and without a graph, so both pass.
"""

from __future__ import annotations

from math import inf, nan

import tensorflow as tf

from course_utils.frameworks.tensor_interface import NUMBERS
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import (
    fixed_case,
    infinity_and_nan,
    random_case,
    single_number,
    without_rows,
)
from course_utils.tasks.tensorflow_inputs import normal

_COUNT_SIZES = 2, 8


def scale_by_slow(x, factor):
    """Return each value of x times factor, computed by a graph that contains the factor as a constant."""

    @tf.function
    def scaled(values):
        return values * factor

    return scaled(x)


def _scale_inputs(size, generator):
    factor = float(generator.uniform(2.0, 5.0))
    # At the larger counted size the factor is a tensor, so its conversion to a Python number counts as a
    # synchronization.
    return normal(generator, size, 3), tf.constant(factor) if size == _COUNT_SIZES[1] else factor


def _elementwise(x, factor):
    return x * factor


_graph = tf.function(_elementwise, reduce_retracing=True)


def _one_function(x, factor):
    return _graph(x, tf.convert_to_tensor(factor, x.dtype))


TASK = Task(
    id="scale_by",
    title="A factor that changes in each call",
    points=2,
    level=1,
    framework="tensorflow",
    slow=scale_by_slow,
    inputs=_scale_inputs,
    dtypes={"x": NUMBERS},
    edge_cases=(
        without_rows(3, rest=(1.5,)),
        fixed_case("a factor of 1 for integers", [2, -1, 0], rest=(1,)),
        single_number(rest=(1.5,)),
        fixed_case("a single integer whose product int32 cannot hold", 2**30, rest=(5,)),
        random_case("three dimensions", 2, 3, 2, rest=(1.5,)),
        random_case("5,000 values", 5000, rest=(1.5,)),
        random_case("a factor of 0", 4, rest=(0.0,)),
        fixed_case("products that int8 cannot hold", [100, -1, 0], rest=(-3,), dtype=tf.int8),
        fixed_case("a factor beyond int32", [3, -2], rest=(2**53 + 1,), dtype=tf.int64),
        Case(
            "integers and a factor that is a tensor",
            lambda _: (tf.constant([3, -2], tf.int64), tf.constant(-(2**53) - 1, tf.int64)),
        ),
        random_case("the integer factor 1 for floating-point values", 4, rest=(1,)),
        Case("a factor that is a tensor", lambda generator: (normal(generator, 4), tf.constant(-1.5))),
        Case(
            "float64 values and a factor that is a tensor",
            lambda generator: (normal(generator, 4, dtype=tf.float64), tf.constant(0.1, tf.float64)),
        ),
        fixed_case("a product that float32 cannot hold", [3e38, -3e38, 1.0], rest=(10.0,)),
        fixed_case("values of about a billionth", [1e-9, -2e-9], rest=(3.0,)),
        fixed_case("a factor of a millionth", [3.0, -7.0], rest=(1e-6,)),
        infinity_and_nan([inf, -inf, nan, 1.0], rest=(2.0,)),
        # The factor is not 0, because some versions of TensorFlow replace a product with a constant 0 by 0 in a graph.
        fixed_case("an infinite factor", [2.0, -1.0, 0.0], rest=(inf,)),
    ),
    worst="Each value depends on one value of `x` and the factor; extreme values are edge cases.",
    count_sizes=_COUNT_SIZES,
    race_size=64,
    story=prose(
        """
        A volume control multiplies a sound by a factor, and the factor changes with every touch. The code below
        computes the product in a `tf.function` and is slower than eager code. Write `scale_by(x, factor)` so that a new
        factor causes no trace. A graph is optional: what would it gain here?
        """
    ),
    rules=prose(
        """
        - `x` is a tensor of any shape, of floats or integers. `factor` is a Python number, or a scalar tensor with the dtype
          of `x`. The result has the shape and dtype of `x`. An integer product that overflows wraps around.
        - The check counts traces in four calls, each with a new factor. An answer without a graph passes too.
        """
    ),
    limits=(at_most(8, "ops"), at_most(0, "syncs"), at_most(1, "traces")),
    target=5.0,
    cost=lambda size: Cost(reads=4 * 3 * size, writes=4 * 3 * size),
    ways={"one tf.function": _one_function, "elementwise": _elementwise},
    hints=items(
        """
        - Why is the graph traced again? A graph contains every Python value as a constant. Which of the two arguments
          becomes one here?
        - A value that changes from call to call must enter the graph as a tensor. And the `tf.function` itself must be
          created once, outside `scale_by`: a new function has no traces yet.
        - Call the graph with `tf.convert_to_tensor(factor, x.dtype)`. (`tf.cast` isn't enough: it converts a float
          to float32 first. And for a single product, ask yourself whether you need a graph at all.)
        """
    ),
    mistakes=(
        Mistake("This is a sum: return the product.", lambda x, factor: x + factor),
        Mistake("The values are divided by the factor: multiply by it.", lambda x, factor: x / factor),
        Mistake("The factor is applied twice: multiply by it once.", lambda x, factor: x * factor * factor),
        Mistake("These are the values of `x`: multiply them by the factor.", lambda x, factor: tf.identity(x)),
        Mistake(
            "The factor was converted to an integer: keep it as a float.",
            lambda x, factor: x * tf.cast(int(factor), x.dtype),
        ),
        Mistake(
            "The factor was rounded, for example to float32: `tf.convert_to_tensor(factor, x.dtype)` keeps all digits.",
            lambda x, factor: x * tf.cast(tf.cast(factor, tf.float32), x.dtype),
        ),
    ),
    sources=("S3.1",),
)
