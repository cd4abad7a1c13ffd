"""The first one above: a search that seems to need a loop that stops.

Rows with nothing above, NaN and a matrix without columns are where the short ways go wrong.
"""

from __future__ import annotations

from math import inf, nan

import numpy as np
import tensorflow as tf

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import (
    fixed_case,
    float64,
    infinity_and_nan,
    integer_case,
    random_case,
    without_rows,
)
from course_utils.tasks.tensorflow_inputs import normal
from course_utils.tasks.unwrap import items, prose


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


def _by_argmax(x, threshold):
    above = tf.pad(tf.cast(x > threshold, tf.int32), [[0, 0], [0, 1]], constant_values=1)
    first = tf.argmax(above, axis=1)
    return tf.where(first == x.shape[1], tf.constant(-1, tf.int64), first)


TASK = Task(
    id="first_above",
    title="The first one above",
    points=3,
    level=1,
    framework="tensorflow",
    slow=first_above_slow,
    inputs=_search_inputs,
    edge_cases=(
        without_rows(4, rest=(0.5,)),
        random_case("no columns", 3, 0, rest=(0.5,)),
        random_case("one column", 6, 1, rest=(0.0,)),
        random_case("as many rows as columns", 4, 4, rest=(0.5,)),
        random_case("rows in which nothing is above", 3, 4, rest=(100.0,)),
        random_case("rows in which everything is above", 3, 4, rest=(-100.0,)),
        fixed_case("only the last value above", [[0.0, 0.0, 2.0], [0.0, 0.0, 0.0]], rest=(1.0,)),
        fixed_case("values equal to the threshold", [[1.0, 1.0, 2.0], [1.0, 0.0, 1.0]], rest=(1.0,)),
        fixed_case("a larger value behind the first one above", [[0.0, 2.0, 9.0, 3.0]], rest=(1.0,)),
        fixed_case("a negative threshold", [[-3.0, -1.0, 0.0], [-5.0, -4.0, -3.0]], rest=(-2.0,)),
        float64(3, 5, rest=(0.5,)),
        integer_case(3, 5, rest=(4,)),
        fixed_case(
            "float64 values that differ after the twelfth digit", [[1.0, 1.0 + 1e-12]], rest=(1.0,), dtype=tf.float64
        ),
        fixed_case("whole numbers beyond float32", [[2**24, 2**24 + 1]], rest=(2**24,)),
        infinity_and_nan([[nan, 2.0, inf], [-inf, nan, nan], [nan, inf, 0.0]], rest=(1.0,)),
        Case("a row longer than 128", lambda _: (tf.concat([tf.zeros([2, 300]), tf.ones([2, 2])], axis=1), 0.5)),
    ),
    count_sizes=(4, 16),
    race_size=16,
    story=prose(
        """
        Each row of `x` is the recording of one machine, and somebody wants to know when it first went above
        `threshold`. Write `first_above(x, threshold)`: the index of the first value above it in each row, and -1 for
        a row in which none is.
        """
    ),
    rules=prose(
        """
        - `x` is a matrix of numbers, `threshold` a number. The result is a vector of int64, one index for each row.
        - NaN is never above. A value equal to the threshold is not above.
        - A few tensor operations, however many rows and columns there are, and no `if` on a tensor's value. There may
        be no columns at all.
        """
    ),
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    target=20.0,
    cost=lambda rows: Cost(reads=4 * 20 * rows, writes=8 * rows),
    ways={"argmax": _by_argmax},
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
