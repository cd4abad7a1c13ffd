"""TensorFlow's eager operations, on any of its devices."""

from __future__ import annotations

from functools import partial

import tensorflow as tf

from course_utils.limits.benchmark_kernels import Kernel
from course_utils.limits.cost import ADD, COPY, READ, WRITE


class Kernels:
    """TensorFlow, eager: each result lies in memory of its own, so that nothing is changed where it lies."""

    def __init__(self, device: str) -> None:
        self._where = device.replace("cuda", "GPU")
        self.climbs = device != "cpu"  # there NumPy writes into memory that it keeps, and is always the faster one

    def memory(self, size: int) -> dict[str, list[Kernel]]:
        """The operations themselves: what TensorFlow's Python does around some of them takes longer than to start them."""
        with tf.device(self._where):
            one, half, third, other = (tf.ones(size // 4 // parts) for parts in (1, 2, 3, 3))
        first = tf.constant([0])
        return {
            READ: [Kernel(partial(tf.raw_ops.Sum, input=one, axis=first), 4 * len(one))],
            ADD: [Kernel(partial(tf.raw_ops.AddV2, x=third, y=other), 12 * len(third))],
            COPY: [Kernel(partial(tf.raw_ops.Neg, x=half), 8 * len(half))],
            WRITE: [Kernel(partial(tf.raw_ops.ZerosLike, x=one), 4 * len(one))],
        }

    def matmul(self, dtype: str, n: int) -> Kernel:
        with tf.device(self._where):
            a = tf.random.normal((n, n))
        if "GPU" in self._where and dtype in ("float32", "tf32"):
            # Tensor cores take float32, too, and drop digits: a peak of its own, since it depends on a setting.
            return Kernel(partial(_with_tf32, dtype == "tf32", a), 2 * n**3)
        a = tf.cast(a, dtype)
        return Kernel(partial(tf.linalg.matmul, a, a), 2 * n**3)


def _with_tf32(allowed: bool, a: tf.Tensor) -> tf.Tensor:
    tf.config.experimental.enable_tensor_float_32_execution(allowed)
    return tf.linalg.matmul(a, a)
