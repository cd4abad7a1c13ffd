"""Edge cases that many TensorFlow tasks share, each with its name: no rows, a vector, float64, infinity and NaN.

A function draws one tensor of the given shape; ``rest`` are the arguments after it. A case that only one task needs is
in the file of that task.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from course_utils.tasks.task import Case, Inputs
from course_utils.tasks.tensorflow_inputs import normal


def random_case(name: str, *shape: int, rest: Inputs = (), dtype: tf.DType = tf.float32) -> Case:
    """Return a case with normally distributed values."""
    return Case(name, lambda generator: (normal(generator, *shape, dtype=dtype), *rest))


def fixed_case(name: str, values: Any, rest: Inputs = (), dtype: tf.DType | None = None) -> Case:
    """Return a case with a tensor of exactly these values, in the dtype that TensorFlow infers unless ``dtype`` is given."""
    return Case(name, lambda _: (tf.constant(values, dtype), *rest))


def without_rows(columns: int, rest: Inputs = ()) -> Case:
    """Return a case with a matrix of shape (0, columns)."""
    return random_case("no rows", 0, columns, rest=rest)


def vector(length: int, rest: Inputs = ()) -> Case:
    """Return a case with a tensor of one dimension, for tasks that usually get a matrix."""
    return random_case("a vector", length, rest=rest)


def single_number(rest: Inputs = ()) -> Case:
    """Return a case with a tensor of one value, without a dimension."""
    return random_case("a single number without a dimension", rest=rest)


def float64(*shape: int, rest: Inputs = ()) -> Case:
    """Return a case with values in double precision: an answer that computes in float32 in between loses digits."""
    return random_case("float64 values", *shape, rest=rest, dtype=tf.float64)


def infinity_and_nan(values: Any, rest: Inputs = ()) -> Case:
    """Return a case with a tensor of exactly these values, some of which are infinity or NaN."""
    return fixed_case("infinity and NaN", values, rest=rest)
