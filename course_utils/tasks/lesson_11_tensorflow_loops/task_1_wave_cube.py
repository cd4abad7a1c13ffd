"""A map that needs no map: operations that work on all values at once.

Only the shape and the dtype of the input vary; nothing is traced.
"""

from __future__ import annotations

from math import inf, nan

import tensorflow as tf

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import fixed_case, float64, infinity_and_nan, random_case
from course_utils.tasks.tensorflow_inputs import normal
from course_utils.tasks.unwrap import items, prose


def wave_cube_slow(x):
    """The cube of each value of x plus its sine, one value after the other."""
    return tf.map_fn(lambda value: tf.pow(value, 3) + tf.sin(value), x)


def _direct(x):
    return tf.pow(x, 3) + tf.sin(x)


@tf.function(reduce_retracing=True)
def _vectorized(x):
    return tf.vectorized_map(_direct, x)


TASK = Task(
    id="wave_cube",
    title="A map that needs no map",
    points=1,
    level=1,
    framework="tensorflow",
    slow=wave_cube_slow,
    inputs=lambda size, generator: (normal(generator, size),),
    edge_cases=(
        random_case("an empty tensor", 0),
        random_case("a matrix", 2, 3),
        random_case("three dimensions", 2, 1, 3),
        float64(5),
        fixed_case("zero", [0.0, -0.0, 1.0]),
        Case("large angles", lambda generator: (normal(generator, 4, scale=100.0),)),
        fixed_case("values whose cube float32 cannot hold", [1e13, -1e13, 1.0]),
        infinity_and_nan([inf, -inf, nan, 1.0]),
    ),
    count_sizes=(4, 16),
    race_size=64,
    story=prose(
        """
        A sensor does not answer evenly. Its makers give the correction `x³ + sin(x)` for each reading, and somebody
        has put it into a `map_fn`. Write `wave_cube(x)`.
        """
    ),
    rules=prose(
        """
        - `x` is a floating-point tensor of any shape with at least one dimension. The result has its shape and dtype.
        - A few tensor operations, however many readings there are. A `vectorized_map` counts if it stands in a `tf.function`
        that is made once; outside of a graph it rewrites its function in each call.
        """
    ),
    limits=(at_most(12, "ops"), at_most(0, "syncs"), at_most(1, "traces")),
    target=50.0,
    cost=lambda size: Cost(reads=4 * size, writes=4 * size),
    ways={"vectorized_map": _vectorized, "direct": _direct},
    hints=items(
        """
        - What does the function inside `map_fn` need to know about the other readings? And would it work if the value
          that it gets were not one number but all of them?
        - `tf.pow` and `tf.sin` take a tensor of any shape and work on all of its values in one operation.
        - Leave `map_fn` away: give the whole of `x` to the expression inside it.
        """
    ),
    mistakes=(
        Mistake("This is 3·x + sin(x): a cube is a power, not a product.", lambda x: 3 * x + tf.sin(x)),
        Mistake("This is x² + sin(x): the cube is x³.", lambda x: x**2 + tf.sin(x)),
        Mistake("This is x³ + cos(x).", lambda x: x**3 + tf.cos(x)),
        Mistake("The sine is taken of the cube; it is taken of x.", lambda x: x**3 + tf.sin(x**3)),
        Mistake("The sine is cubed and x is not: wanted is x³ + sin(x).", lambda x: x + tf.sin(x) ** 3),
        Mistake("The sine is missing.", lambda x: x**3),
        Mistake("This is the product x³ · sin(x); wanted is the sum.", lambda x: x**3 * tf.sin(x)),
    ),
    sources=("S3.2",),
)
