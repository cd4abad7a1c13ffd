"""Tensors for the inputs of TensorFlow tasks, drawn from the one NumPy generator that every framework shares.

What only one task needs is in the file of that task.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf


def normal(generator: Any, *shape: int, dtype: tf.DType = tf.float32, scale: float = 1.0) -> tf.Tensor:
    """Return normally distributed values with mean 0 and standard deviation ``scale``, of shape ``shape``."""
    return tf.constant(scale * generator.standard_normal(shape), dtype)


def uniform(generator: Any, low: float, high: float, *shape: int, dtype: tf.DType = tf.float32) -> tf.Tensor:
    """Return uniformly distributed values from ``low`` to ``high``, of shape ``shape``."""
    return tf.constant(generator.uniform(low, high, shape), dtype)


def integers(generator: Any, low: int, high: int, *shape: int, dtype: tf.DType = tf.int32) -> tf.Tensor:
    """Return uniformly distributed integers from ``low`` to ``high - 1``, of shape ``shape``."""
    return tf.constant(np.asarray(generator.integers(low, high, shape)), dtype)
