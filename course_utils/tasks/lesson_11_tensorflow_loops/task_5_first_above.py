"""The first value above a threshold: a search that seems to need a loop with a break.

Rows without a match, NaN and a matrix without columns are the cases on which short formulas fail.
"""

from __future__ import annotations

from math import inf, nan

import numpy as np
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
    without_rows,
)
from course_utils.tasks.tensorflow_inputs import normal


def first_above_slow(x, threshold):
    """Return the index of the first value above threshold in each row of x; -1 if there is none."""
    indices = []
    for row in x:
        index = -1
        for j, value in enumerate(row):
            if value > threshold:
                index = j
                break
        indices.append(index)
    return tf.constant(indices, dtype=tf.int64, shape=[len(indices)])


def _search_inputs(size, generator):
    return normal(generator, size, 20), 1.5


def _with_40001_columns(_):
    """Return rows on which counts and indices of few bits fail: float16 cannot represent odd numbers above 2,048.

    In the first row, 39,993 columns remain from the first value above the threshold, and an 8-bit count of such values
    returns to 0 after 256 of them. In the second row, the index is 39,999, more than int16 can hold. The third row has
    none.
    """
    columns = tf.range(40_001)
    rows = tf.stack([(columns >= 8) & (columns < 8 + 256), columns == 39_999, columns < 0])
    return tf.cast(rows, tf.float32), 0.5


def _int64(indices):
    return tf.constant(np.asarray(indices), tf.int64)


def _last_above(x, threshold):
    above = x.numpy() > threshold
    return _int64([np.flatnonzero(row)[-1] if row.any() else -1 for row in above])


def _argmax_alone(x, threshold):
    return tf.argmax(tf.cast(x > threshold, tf.int32), axis=1)


def _index_of_largest(x, threshold):
    return tf.where(tf.reduce_any(x > threshold, axis=1), tf.argmax(x, axis=1), -1)


def _not_below(x, threshold):
    above = x.numpy() >= threshold
    return _int64([np.flatnonzero(row)[0] if row.any() else -1 for row in above])


def _columns_if_none(x, threshold):
    first = _by_argmax(x, threshold)
    return tf.where(first < 0, tf.constant(x.shape[1], tf.int64), first)


def _counted_from_one(x, threshold):
    first = _by_argmax(x, threshold)
    return tf.where(first < 0, first, first + 1)


def _first_values(x, threshold):
    first = _by_argmax(x, threshold)
    return tf.where(first < 0, tf.constant(-1, x.dtype), tf.gather(x, tf.maximum(first, 0), axis=1, batch_dims=1))


def _by_argmax(x, threshold):
    above = tf.pad(tf.cast(x > threshold, tf.int32), [[0, 0], [0, 1]], constant_values=1)
    first = tf.argmax(above, axis=1)
    return tf.where(first == x.shape[1], tf.constant(-1, tf.int64), first)


TASK = Task(
    id="first_above",
    title="The first value above a threshold",
    points=3,
    level=1,
    framework="tensorflow",
    slow=first_above_slow,
    reference=_by_argmax,
    inputs=_search_inputs,
    dtypes={"x": NUMBERS},
    edge_cases=(
        without_rows(4, rest=(0.5,)),
        random_case("no columns", 3, 0, rest=(0.5,)),
        random_case("one column", 6, 1, rest=(0.0,)),
        random_case("as many rows as columns", 4, 4, rest=(0.5,)),
        random_case("rows without a value above", 3, 4, rest=(100.0,)),
        random_case("rows with all values above", 3, 4, rest=(-100.0,)),
        fixed_case("only the last value above, or none", [[0.0, 0.0, 2.0], [0.0, 0.0, 0.0]], rest=(1.0,)),
        fixed_case("values equal to the threshold", [[1.0, 1.0, 2.0], [1.0, 0.0, 1.0]], rest=(1.0,)),
        fixed_case("a larger value after the first one above", [[0.0, 2.0, 9.0, 3.0]], rest=(1.0,)),
        fixed_case("a negative threshold", [[-3.0, -1.0, 0.0], [-5.0, -4.0, -3.0]], rest=(-2.0,)),
        fixed_case("a float64 value of exactly the threshold", [[0.1, 0.1 + 1e-9]], rest=(0.1,), dtype=tf.float64),
        fixed_case(
            "float64 values that differ after the twelfth digit", [[1.0, 1.0 + 1e-12]], rest=(1.0,), dtype=tf.float64
        ),
        fixed_case("integers beyond float32", [[-(2**31), 2**24, 2**24 + 1]], rest=(2**24,)),
        fixed_case("integers beyond float64", [[2**53, 2**53 + 1]], rest=(2**53,), dtype=tf.int64),
        fixed_case(
            "negative integers beyond float64", [[-(2**53) - 1, -(2**53)]], rest=(-(2**53) - 1,), dtype=tf.int64
        ),
        fixed_case("the largest int32 as the threshold", [[2**31 - 1, 0]], rest=(2**31 - 1,)),
        infinity_and_nan([[nan, 2.0, inf], [-inf, nan, nan], [nan, inf, 0.0]], rest=(1.0,)),
        fixed_case("tiny values around a threshold of 0", [[-1e-37, 0.0, 1e-37]], rest=(0.0,)),
        fixed_case("NaN and a negative threshold", [[nan, -1.0], [nan, nan]], rest=(-2.0,)),
        fixed_case("an infinite threshold", [[1.0, inf], [nan, 3e38]], rest=(inf,)),
        fixed_case("a threshold of minus infinity", [[-inf, -3e38], [-inf, nan]], rest=(-inf,)),
    ),
    worst=(Case("40,001 columns", _with_40001_columns), random_case("5,000 rows", 5000, 3, rest=(1.0,))),
    count_sizes=(4, 16),
    race_size=16,
    story=prose(
        """
        Each row of `x` is the recording of one machine, and an operator wants to know when the machine first
        exceeded `threshold`. Write `first_above(x, threshold)`: for each row, the index of the first value above the
        threshold, or −1 if there is none.
        """
    ),
    rules=prose(
        """
        - `x` is a matrix of floats or integers, and `threshold` is a number that its dtype can represent. The result
        is a vector of int64, one index for each row.
        - NaN is never above the threshold, and neither is a value equal to it. There may be no columns.
        """
    ),
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    target=20.0,
    cost=lambda rows: Cost(reads=4 * 20 * rows, writes=8 * rows),
    ways={"argmax": _by_argmax},
    hints=items(
        """
        - A search that stops early seems to need a loop. What if you compare all values at once and look for the
          first True afterward?
        - `tf.argmax` returns the first of several equal maxima. Applied to True and False as 1 and 0, it returns the
          first True, as in the lesson. Two cases remain: a row without a True, and a matrix without columns. Which
          value after the last column makes `argmax` find something in every row?
        - Append a column of ones: `first = tf.argmax(tf.pad(above, [[0, 0], [0, 1]], constant_values=1), axis=1)`,
          where `above` is `x > threshold` as int32. If `argmax` finds only the appended column, at `x.shape[1]`,
          return −1: `tf.where(first == x.shape[1], tf.constant(-1, tf.int64), first)`.
        """
    ),
    mistakes=(
        Mistake("A row without a value above the threshold gives 0: return −1.", _argmax_alone),
        Mistake(
            "This is the index of the largest value: return the index of the first value above.", _index_of_largest
        ),
        Mistake("This is the index of the last value above the threshold: return the index of the first.", _last_above),
        Mistake("A value equal to the threshold counts here: only a larger value is above it.", _not_below),
        Mistake(
            "`x` or the threshold was rounded, or a small number was added: compare them as they are, with `x > threshold`. "
            "(`tf.cast(threshold, x.dtype)` rounds a Python float to float32 first.)",
            lambda x, threshold: _by_argmax(x, tf.cast(threshold, x.dtype)),
        ),
        Mistake(
            "A row without a value above the threshold gives the number of columns: return −1.",
            _columns_if_none,
        ),
        Mistake("The indices start at 1: count them from 0.", _counted_from_one),
        Mistake(
            "This is the number of values above the threshold: return the index of the first.",
            lambda x, threshold: tf.math.count_nonzero(x > threshold, axis=1),
        ),
        Mistake(
            "These are the first values above the threshold: return their indices.",
            _first_values,
        ),
    ),
)
