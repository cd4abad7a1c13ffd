"""Edge cases that many TensorFlow tasks share, each with its name: no rows, a vector, float64, infinity and NaN.

A builder draws one tensor of the shape that it is given; ``rest`` are the arguments that come after it. Nothing here
knows a task; a case that one task alone needs stands in its file.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from course_utils.tasks.task import Case, Inputs
from course_utils.tasks.tensorflow_inputs import normal, whole


def drawn(name: str, *shape: int, rest: Inputs = (), dtype: tf.DType = tf.float32) -> Case:
    """Normally distributed numbers."""
    return Case(name, lambda generator: (normal(generator, *shape, dtype=dtype), *rest))


def given(name: str, values: Any, rest: Inputs = (), dtype: tf.DType | None = None) -> Case:
    """A tensor of just these values; its dtype is what TensorFlow makes of them unless it is told."""
    return Case(name, lambda _: (tf.constant(values, dtype), *rest))


def no_rows(columns: int, rest: Inputs = ()) -> Case:
    """A matrix of shape (0, columns)."""
    return drawn("no rows", 0, columns, rest=rest)


def vector(length: int, rest: Inputs = ()) -> Case:
    """One dimension, where a matrix is usual."""
    return drawn("a vector", length, rest=rest)


def single_number(rest: Inputs = ()) -> Case:
    """No dimension at all."""
    return drawn("a single number without a dimension", rest=rest)


def float64(*shape: int, rest: Inputs = ()) -> Case:
    """Numbers of twice the usual precision: who works in float32 in between loses digits."""
    return drawn("float64 values", *shape, rest=rest, dtype=tf.float64)


def whole_numbers(*shape: int, rest: Inputs = ()) -> Case:
    """int32 from -9 to 9."""
    return Case("whole numbers", lambda generator: (whole(generator, -9, 10, *shape), *rest))


def infinity_and_nan(values: Any, rest: Inputs = ()) -> Case:
    """Just these values, of which some are no ordinary numbers."""
    return given("infinity and NaN", values, rest=rest)
