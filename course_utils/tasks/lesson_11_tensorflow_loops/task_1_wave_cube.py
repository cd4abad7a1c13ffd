"""A map that isn't needed: operations work on all values at once.

Only the shape and the dtype of the input vary; nothing is traced.
"""

from __future__ import annotations

from math import inf, nan

import tensorflow as tf

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import fixed_case, float64, infinity_and_nan, random_case
from course_utils.tasks.tensorflow_inputs import normal


def wave_cube_slow(x):
    """Return the cube plus the sine of each value of x, computed by a map over the first axis."""
    return tf.map_fn(lambda value: tf.pow(value, 3) + tf.sin(value), x)


def _elementwise(x):
    return tf.pow(x, 3) + tf.sin(x)


@tf.function(reduce_retracing=True)
def _vectorized(x):
    return tf.vectorized_map(_elementwise, x)


TASK = Task(
    id="wave_cube",
    title="A map that needs no map",
    points=1,
    level=1,
    framework="tensorflow",
    slow=wave_cube_slow,
    reference=_elementwise,
    inputs=lambda size, generator: (normal(generator, size),),
    edge_cases=(
        random_case("an empty tensor", 0),
        random_case("a matrix", 2, 3),
        random_case("three dimensions", 3, 3, 3),
        random_case("four dimensions", 2, 1, 3, 2),
        random_case("5,000 values", 5000),
        float64(5),
        fixed_case("zero and one", [0.0, -0.0, 1.0]),
        Case("large angles", lambda generator: (normal(generator, 4, scale=100.0),)),
        fixed_case("magnitudes from 0.00005 to 0.005", [0.005, -0.0005, 0.00005]),
        fixed_case("values of about a billionth", [1e-9, -2e-9]),
        fixed_case("cubes that float32 cannot hold", [1e13, -1e13, 1.0]),
        infinity_and_nan([inf, -inf, nan, 1.0]),
    ),
    worst="Each value depends on one value of `x`; small, large, infinite and NaN values are edge cases.",
    count_sizes=(4, 48),
    race_size=64,
    story=prose(
        """
        A sensor's response isn't linear. Its manufacturer specifies the correction `x³ + sin(x)` for each reading, and
        the code below applies it with `map_fn`. Write `wave_cube(x)`.
        """
    ),
    rules=prose(
        """
        - `x` is a float32 or float64 tensor of any shape with at least one dimension. The result has its shape and dtype.
        - `vectorized_map` passes the check if it is inside a `tf.function` that is created once. Outside a graph, it
          traces its function in each call.
        """
    ),
    # vectorized_map in a graph of unknown shape takes 23 operations.
    limits=(at_most(32, "ops"), at_most(0, "syncs"), at_most(1, "traces")),
    target=50.0,
    cost=lambda size: Cost(reads=4 * size, writes=4 * size),
    ways={"vectorized_map": _vectorized, "elementwise": _elementwise},
    hints=items(
        """
        - What does the function inside `map_fn` need to know about the other readings? Would it work if its argument
          held all readings instead of one?
        - `tf.pow` and `tf.sin` accept a tensor of any shape and process all its values in one operation.
        - Remove `map_fn`: apply the expression inside it to the whole of `x`.
        """
    ),
    mistakes=(
        Mistake("This is 3·x + sin(x): a cube is a power, not a product.", lambda x: 3 * x + tf.sin(x)),
        Mistake("This is x² + sin(x): the cube is x³.", lambda x: x**2 + tf.sin(x)),
        Mistake("This is x³ + cos(x): add the sine.", lambda x: x**3 + tf.cos(x)),
        Mistake("This is x³ + sin(x³): take the sine of x.", lambda x: x**3 + tf.sin(x**3)),
        Mistake("This is x + sin(x)³: cube x, not the sine.", lambda x: x + tf.sin(x) ** 3),
        Mistake("The sine is missing: add it.", lambda x: x**3),
        Mistake("This is the product x³ · sin(x): return the sum.", lambda x: x**3 * tf.sin(x)),
    ),
    sources=("S3.2",),
)
