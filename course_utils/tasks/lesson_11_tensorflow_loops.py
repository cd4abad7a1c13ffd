"""The exercises of lesson 11: a map that is no map, one loop for the whole state, two graphs traced once, a search.

The slow loops are TensorFlow as people write it: mapped, looped over element by element, traced for each call.
"""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from course_utils.tasks.prose import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import normal, uniform, whole

INF = float("inf")
NAN = float("nan")
STEPS = 8


def wave_cube_slow(x):
    """The cube of each value of x plus its sine, one value after the other."""
    return tf.map_fn(lambda value: tf.pow(value, 3) + tf.sin(value), x)


def repeated_sqrt_slow(x, steps):
    """The square root of the square root of …, steps times, of each value of x: a loop of its own for each value."""

    def one_value(value):
        _, root = tf.while_loop(lambda i, root: i < steps, lambda i, root: (i + 1, tf.sqrt(root)), [0, value])
        return root

    return tf.map_fn(one_value, x)


def scale_by_slow(x, factor):
    """Each value of x times factor, by a graph that knows the factor."""

    @tf.function
    def scaled(values):
        return values * factor

    return scaled(x)


def descend_slow(x, rate):
    """x after ten steps downhill, each as long as rate times the slope x + sin(2·x), by a graph that knows the rate."""

    @tf.function
    def ten_steps(x):
        for _ in range(10):
            x = x - rate * (x + tf.sin(2.0 * x))
        return x

    return ten_steps(x)


def first_above_slow(x, threshold):
    """Where in each row of x the first value above threshold stands; -1 where there is none."""
    found = []
    for row in x:
        index = -1
        for j, value in enumerate(row):
            if value > threshold:
                index = j
                break
        found.append(index)
    return tf.constant(found, dtype=tf.int64, shape=[len(found)])


def _sqrt_inputs(size, generator, dtype=tf.float32):
    return uniform(generator, 0.0, 100.0, size, dtype=dtype), tf.constant(STEPS)


def _powers(x, steps, base):
    """x to the power base**steps."""
    return tf.pow(x, tf.constant(float(base) ** int(steps), x.dtype))


def _scale_inputs(size, generator):
    return normal(generator, size, 3), float(generator.uniform(2.0, 5.0))


def _descend_inputs(size, generator):
    return normal(generator, size, 3), float(generator.uniform(0.03, 0.1))


def _downhill(x, rate, steps=10, slope=lambda x: x + tf.sin(2.0 * x)):
    for _ in range(steps):
        x = x - rate * slope(x)
    return x


def _of_one_x(x):
    return x + tf.sin(x)


def _search_inputs(size, generator):
    return normal(generator, size, 20), 1.5


def _in_int64(indices):
    return tf.constant(np.asarray(indices), tf.int64)


def _last_above(x, threshold):
    above = x.numpy() > threshold
    return _in_int64([np.flatnonzero(row)[-1] if row.any() else -1 for row in above])


def _argmax_alone(x, threshold):
    return tf.argmax(tf.cast(x > threshold, tf.int32), axis=1)


def _where_the_largest_is(x, threshold):
    return tf.where(tf.reduce_any(x > threshold, axis=1), tf.argmax(x, axis=1), -1)


def _not_below(x, threshold):
    above = x.numpy() >= threshold
    return _in_int64([np.flatnonzero(row)[0] if row.any() else -1 for row in above])


def _columns_where_none(x, threshold):
    first = first_above_slow(x, threshold)
    return tf.where(first < 0, tf.constant(x.shape[1], tf.int64), first)


def _counted_from_one(x, threshold):
    first = first_above_slow(x, threshold)
    return tf.where(first < 0, first, first + 1)


def _values_instead(x, threshold):
    first = first_above_slow(x, threshold)
    return tf.where(first < 0, tf.constant(-1, x.dtype), tf.gather(x, tf.maximum(first, 0), axis=1, batch_dims=1))


WAVE_CUBE = Task(
    id="wave_cube",
    title="A map that needs no map",
    points=2,
    lesson="11_tensorflow_loops",
    framework="tensorflow",
    slow=wave_cube_slow,
    inputs=lambda size, generator: (normal(generator, size),),
    edge_cases=(
        Case("an empty tensor", lambda generator: (normal(generator, 0),)),
        Case("a matrix", lambda generator: (normal(generator, 2, 3),)),
        Case("three dimensions", lambda generator: (normal(generator, 2, 1, 3),)),
        Case("float64 values", lambda generator: (normal(generator, 5, dtype=tf.float64),)),
        Case("zero", lambda _: (tf.constant([0.0, -0.0, 1.0]),)),
        Case("large angles", lambda generator: (normal(generator, 4, scale=100.0),)),
        Case("values whose cube float32 cannot hold", lambda _: (tf.constant([1e13, -1e13, 1.0]),)),
        Case("infinity and NaN", lambda _: (tf.constant([INF, -INF, NAN, 1.0]),)),
    ),
    race_size=64,
    story=prose(
        """
        A sensor does not answer evenly. Its makers give the correction `x³ + sin(x)` for each reading, and somebody
        has put it into a `map_fn`. Write `wave_cube(x)`.
        """
    ),
    counts=prose(
        """
        - `x` is a floating-point tensor of any shape with at least one dimension. The result has its shape and dtype.
        - A few tensor operations, however many readings there are. A `vectorized_map` counts if it stands in a `tf.function`
        that is made once; outside of a graph it rewrites its function in each call.
        """
    ),
    max_ops=12,
    target=50.0,
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

REPEATED_SQRT = Task(
    id="repeated_sqrt",
    title="One loop for the whole state",
    points=3,
    lesson="11_tensorflow_loops",
    framework="tensorflow",
    slow=repeated_sqrt_slow,
    inputs=_sqrt_inputs,
    edge_cases=(
        Case("an empty tensor", lambda generator: (uniform(generator, 0.0, 9.0, 0), tf.constant(3))),
        Case("no steps", lambda generator: (uniform(generator, 0.0, 9.0, 4), tf.constant(0))),
        Case("one step", lambda generator: (uniform(generator, 0.0, 9.0, 4), tf.constant(1))),
        Case("steps that are a Python number", lambda generator: (uniform(generator, 0.0, 9.0, 4), 3)),
        Case("many steps", lambda generator: (uniform(generator, 0.0, 9.0, 2), tf.constant(40))),
        Case("as many steps as values", lambda generator: (uniform(generator, 0.0, 9.0, 3), tf.constant(3))),
        Case("a matrix", lambda generator: (uniform(generator, 0.0, 9.0, 2, 3), tf.constant(3))),
        Case(
            "float64 values", lambda generator: (uniform(generator, 0.0, 9.0, 5, dtype=tf.float64), tf.constant(STEPS))
        ),
        Case("zero and one", lambda _: (tf.constant([0.0, 1.0]), tf.constant(2))),
        Case("a negative value", lambda _: (tf.constant([-4.0, 16.0]), tf.constant(2))),
        Case("a negative value and no steps", lambda _: (tf.constant([-4.0, 16.0]), tf.constant(0))),
        Case("infinity and NaN", lambda _: (tf.constant([INF, NAN, 81.0]), tf.constant(2))),
    ),
    count_sizes=(8, 256),
    race_size=32,
    story=prose(
        """
        A picture is brightened by taking the square root of each value again and again. Somebody has written a
        `while_loop` for one value and mapped it over all of them, hoping that they would run side by side. Write
        `repeated_sqrt(x, steps)`.
        """
    ),
    counts=prose(
        """
        - `x` is a floating-point tensor with at least one dimension. The result has its shape and dtype.
        - `steps` is 0 or more: a Python number, or a tensor of one int32 value.
        - The number of operations may follow the steps, but not the number of values. If you use `tf.function`, calls
        with new values must not be traced anew.
        """
    ),
    max_ops=16 * STEPS,
    max_syncs=2 * STEPS,
    max_traces=2,
    target=15.0,
    hints=items(
        """
        - Which loop is the needless one: the one over the steps, or the one over the values?
        - The state of a `while_loop` may be a tensor of any size, and `tf.sqrt` takes all of it at once. So one loop
          is enough, and the map around it goes.
        - `tf.while_loop(lambda i, root: i < steps, lambda i, root: (i + 1, tf.sqrt(root)), [0, x])` gives the counter
          and the result. A loop `for _ in tf.range(steps)` in a `tf.function` becomes the same.
          (Then ask the lesson's question: is the loop needed? A root is a power.)
        """
    ),
    mistakes=(
        Mistake("One root too few.", lambda x, steps: repeated_sqrt_slow(x, steps - 1)),
        Mistake("One root too many.", lambda x, steps: repeated_sqrt_slow(x, steps + 1)),
        Mistake("This is one square root, whatever the steps are.", lambda x, steps: tf.sqrt(x)),
        Mistake(
            "This is the root of degree `steps`; each step doubles the degree.",
            lambda x, steps: tf.pow(x, 1 / tf.cast(steps, x.dtype)),
        ),
        Mistake(
            "This is the root of degree 2·steps; each step doubles the degree, so it is 2 to the power steps.",
            lambda x, steps: tf.pow(x, 1 / tf.cast(2 * steps, x.dtype)),
        ),
        Mistake("The values are squared, not rooted.", lambda x, steps: _powers(x, steps, 2)),
        Mistake("The values are halved in each step, not rooted.", lambda x, steps: x / 2.0 ** float(steps)),
    ),
    sources=("S3.3",),
)

SCALE_BY = Task(
    id="scale_by",
    title="A graph that is traced once",
    points=3,
    lesson="11_tensorflow_loops",
    framework="tensorflow",
    slow=scale_by_slow,
    inputs=_scale_inputs,
    edge_cases=(
        Case("no rows", lambda generator: (normal(generator, 0, 3), 1.5)),
        Case("a vector", lambda generator: (normal(generator, 4), 1.5)),
        Case("a single number without a dimension", lambda generator: (normal(generator), 1.5)),
        Case("a factor of 0", lambda generator: (normal(generator, 4), 0.0)),
        Case("a negative factor", lambda generator: (normal(generator, 4), -2.5)),
        Case("a whole factor for floating values", lambda generator: (normal(generator, 4), 3)),
        Case("a factor that is a tensor", lambda generator: (normal(generator, 4), tf.constant(1.5))),
        Case("float64 values", lambda generator: (normal(generator, 4, dtype=tf.float64), 0.1)),
        Case(
            "float64 values and a factor that is a tensor",
            lambda generator: (normal(generator, 4, dtype=tf.float64), tf.constant(0.1, tf.float64)),
        ),
        Case("whole numbers", lambda generator: (whole(generator, -9, 10, 5), 3)),
        Case("int64 values beyond float32", lambda _: (tf.constant([2**40 + 1, 5], tf.int64), 3)),
        Case("a product that float32 cannot hold", lambda _: (tf.constant([3e38, -3e38, 1.0]), 10.0)),
        Case("infinity and NaN", lambda _: (tf.constant([INF, -INF, NAN, 1.0]), 2.0)),
        Case("an infinite factor", lambda _: (tf.constant([2.0, -1.0]), INF)),
    ),
    race_size=64,
    story=prose(
        """
        A volume control multiplies a sound by a factor, and the factor changes with every touch. Somebody has put the
        product into a `tf.function`, and it has become slower than without one. Write `scale_by(x, factor)`.
        """
    ),
    counts=prose(
        """
        - `x` is a tensor of any shape and of numbers of any dtype. `factor` is a Python number, or a tensor of one number
        with the dtype of `x`. The result has the shape and the dtype of `x`.
        - Four calls with four new factors are traced once, or not at all.
        """
    ),
    max_ops=8,
    max_traces=1,
    target=5.0,
    hints=items(
        """
        - Why is the graph built anew? A graph keeps what Python knew while it was traced. Which of the two arguments does
          it keep here?
        - Whatever is to change from call to call must come into the graph as a tensor. And the `tf.function` itself must
          be made once, outside of `scale_by`: a new function has no graphs yet.
        - Before the graph is called: `tf.convert_to_tensor(factor, x.dtype)`. (`tf.cast` would not do: it makes a float32
          number of it first. And for a single product, ask yourself whether a graph is needed at all.)
        """
    ),
    mistakes=(
        Mistake("This is a sum; wanted is the product.", lambda x, factor: x + factor),
        Mistake("The values are divided by the factor.", lambda x, factor: x / factor),
        Mistake("The factor is applied twice.", lambda x, factor: x * factor * factor),
        Mistake("These are the values themselves: the factor is missing.", lambda x, factor: tf.identity(x)),
        Mistake("The factor became a whole number on its way.", lambda x, factor: x * tf.cast(int(factor), x.dtype)),
        Mistake(
            "The factor became a float32 number on its way; tf.convert_to_tensor(factor, x.dtype) keeps all digits.",
            lambda x, factor: x * tf.cast(tf.cast(factor, tf.float32), x.dtype),
        ),
    ),
    sources=("S3.1",),
)

DESCEND = Task(
    id="descend",
    title="A graph that pays",
    points=3,
    lesson="11_tensorflow_loops",
    framework="tensorflow",
    slow=descend_slow,
    inputs=_descend_inputs,
    edge_cases=(
        Case("no rows", lambda generator: (normal(generator, 0, 3), 0.05)),
        Case("a vector", lambda generator: (normal(generator, 4), 0.05)),
        Case("a single number without a dimension", lambda generator: (normal(generator), 0.05)),
        Case("a rate that is the whole number 0", lambda generator: (normal(generator, 4), 0)),
        Case("a negative rate, which climbs", lambda generator: (normal(generator, 4), -0.05)),
        Case("a rate that is a tensor", lambda generator: (normal(generator, 4), tf.constant(0.05))),
        Case("float64 values", lambda generator: (normal(generator, 4, dtype=tf.float64), 0.1)),
        Case(
            "float64 values and a rate that is a tensor",
            lambda generator: (normal(generator, 4, dtype=tf.float64), tf.constant(0.1, tf.float64)),
        ),
        Case("infinity and NaN", lambda _: (tf.constant([INF, -INF, NAN, 1.0]), 0.05)),
    ),
    sizes=(1, 3, 17),  # the slow loop builds a graph in each call, so each size costs
    race_size=64,
    story=prose(
        """
        A search for the lowest place of a bumpy landscape takes ten steps downhill, and its `rate` becomes smaller
        from call to call. Somebody has put the steps into a `tf.function`, and it has become slower than without
        one. Write `descend(x, rate)`.
        """
    ),
    counts=prose(
        """
        - `x` is a floating-point tensor of any shape. `rate` is a Python number, or a tensor of one number with the dtype
        of `x`. The result has the shape and the dtype of `x`.
        - Four calls with four new rates are traced once.
        - A graph is wanted: at most 8 operations are started from Python in each call, and a call of a graph is one.
        Without a graph there are fifty.
        """
    ),
    max_ops=200,
    max_launches=8,
    max_traces=1,
    target=20.0,
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

FIRST_ABOVE = Task(
    id="first_above",
    title="The first one above",
    points=4,
    lesson="11_tensorflow_loops",
    framework="tensorflow",
    slow=first_above_slow,
    inputs=_search_inputs,
    edge_cases=(
        Case("no rows", lambda generator: (normal(generator, 0, 4), 0.5)),
        Case("no columns", lambda generator: (normal(generator, 3, 0), 0.5)),
        Case("one column", lambda generator: (normal(generator, 6, 1), 0.0)),
        Case("as many rows as columns", lambda generator: (normal(generator, 4, 4), 0.5)),
        Case("rows in which nothing is above", lambda generator: (normal(generator, 3, 4), 100.0)),
        Case("rows in which everything is above", lambda generator: (normal(generator, 3, 4), -100.0)),
        Case("only the last value above", lambda _: (tf.constant([[0.0, 0.0, 2.0], [0.0, 0.0, 0.0]]), 1.0)),
        Case("values equal to the threshold", lambda _: (tf.constant([[1.0, 1.0, 2.0], [1.0, 0.0, 1.0]]), 1.0)),
        Case("a larger value behind the first one above", lambda _: (tf.constant([[0.0, 2.0, 9.0, 3.0]]), 1.0)),
        Case("a negative threshold", lambda _: (tf.constant([[-3.0, -1.0, 0.0], [-5.0, -4.0, -3.0]]), -2.0)),
        Case("float64 values", lambda generator: (normal(generator, 3, 5, dtype=tf.float64), 0.5)),
        Case("whole numbers", lambda generator: (whole(generator, -9, 10, 3, 5), 4)),
        Case(
            "float64 values that differ after the twelfth digit",
            lambda _: (tf.constant([[1.0, 1.0 + 1e-12]], tf.float64), 1.0),
        ),
        Case("whole numbers beyond float32", lambda _: (tf.constant([[2**24, 2**24 + 1]]), 2**24)),
        Case("infinity and NaN", lambda _: (tf.constant([[NAN, 2.0, INF], [-INF, NAN, NAN], [NAN, INF, 0.0]]), 1.0)),
        Case("a row longer than 128", lambda _: (tf.concat([tf.zeros([2, 300]), tf.ones([2, 2])], axis=1), 0.5)),
    ),
    race_size=32,
    story=prose(
        """
        Each row of `x` is the recording of one machine, and somebody wants to know when it first went above
        `threshold`. Write `first_above(x, threshold)`: the index of the first value above it in each row, and -1 for
        a row in which none is.
        """
    ),
    counts=prose(
        """
        - `x` is a matrix of numbers, `threshold` a number. The result is a vector of int64, one index for each row.
        - NaN is never above. A value equal to the threshold is not above.
        - A few tensor operations, however many rows and columns there are, and no `if` on a tensor's value. There may
        be no columns at all.
        """
    ),
    max_ops=20,
    target=30.0,
    hints=items(
        """
        - The loop stops early, and it seems that only a loop can. What if you ask all values at once, and look for the
          first True afterwards?
        - `tf.argmax` gives the first of several equal largest values. Of True and False as 1 and 0 that is the first
          True, as in the lesson. Two things remain: a row without any True, and a matrix without columns. What would have to
          stand behind the last column, so that `argmax` finds something in every row?
        - Add one column of ones: `tf.pad(above, [[0, 0], [0, 1]], constant_values=1)`, where `above` is `x > threshold` as
          int32. Where `argmax` finds only the added column, at `x.shape[1]`, put -1: `tf.where(first == x.shape[1], …, first)`,
          with a -1 of int64.
        """
    ),
    mistakes=(
        Mistake("A row without any value above gets 0; it should get -1.", _argmax_alone),
        Mistake("This is where the largest value stands, not the first one above.", _where_the_largest_is),
        Mistake("This is the last one above; wanted is the first.", _last_above),
        Mistake("A value equal to the threshold is not above it.", _not_below),
        Mistake("A row without any value above gets the number of columns; it should get -1.", _columns_where_none),
        Mistake("The indices begin at 1; they begin at 0.", _counted_from_one),
        Mistake(
            "This is how many values are above, not where the first one is.",
            lambda x, threshold: tf.math.count_nonzero(x > threshold, axis=1),
        ),
        Mistake(
            "These are the first values above themselves; wanted is where they stand.",
            _values_instead,
        ),
    ),
)

TASKS = (WAVE_CUBE, REPEATED_SQRT, SCALE_BY, DESCEND, FIRST_ABOVE)
