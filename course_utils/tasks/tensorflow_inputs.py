"""Tensors for the inputs of TensorFlow tasks, drawn from the one NumPy generator that every framework shares.

Nothing here knows a task; what a task needs of its inputs stands in its own module.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf


def normal(generator: Any, *shape: int, dtype: tf.DType = tf.float32, scale: float = 1.0) -> tf.Tensor:
    """Normally distributed numbers of standard deviation ``scale``, shape ``shape``."""
    return tf.constant(scale * generator.standard_normal(shape), dtype)


def uniform(generator: Any, low: float, high: float, *shape: int, dtype: tf.DType = tf.float32) -> tf.Tensor:
    """Evenly distributed numbers from ``low`` up to ``high``, shape ``shape``."""
    return tf.constant(generator.uniform(low, high, shape), dtype)


def integers(generator: Any, low: int, high: int, *shape: int, dtype: tf.DType = tf.int32) -> tf.Tensor:
    """Whole numbers from ``low`` up to, but without, ``high``, shape ``shape``."""
    return tf.constant(np.asarray(generator.integers(low, high, shape)), dtype)
