"""TensorFlow's eager operations, on any of its devices."""

from __future__ import annotations

from functools import partial

import tensorflow as tf

from course_utils.limits.benchmark_kernels import Kernel
from course_utils.limits.cost import ADD, COPY, READ, WRITE


class Kernels:
    """TensorFlow in eager mode: each operation allocates its result, so nothing is updated in place."""

    def __init__(self, device: str) -> None:
        self._device = device.replace("cuda", "GPU")
        self.measures_bandwidth = device != "cpu"  # on a CPU, NumPy writes into existing memory and is always faster

    def memory(self, size: int) -> dict[str, list[Kernel]]:
        """Return raw operations, because the Python layer around some operations takes longer than their call."""
        with tf.device(self._device):
            one, half, third, other = (tf.ones(size // 4 // parts) for parts in (1, 2, 3, 3))
        first = tf.constant([0])
        return {
            READ: [Kernel(partial(tf.raw_ops.Sum, input=one, axis=first), 4 * len(one))],
            ADD: [Kernel(partial(tf.raw_ops.AddV2, x=third, y=other), 12 * len(third))],
            COPY: [Kernel(partial(tf.raw_ops.Neg, x=half), 8 * len(half))],
            WRITE: [Kernel(partial(tf.raw_ops.ZerosLike, x=one), 4 * len(one))],
        }

    def steps(self, count: int) -> list[Kernel]:
        return []

    def matmul(self, dtype: str, n: int) -> Kernel:
        with tf.device(self._device):
            a = tf.random.normal((n, n))
        if "GPU" in self._device and dtype in ("float32", "tf32"):
            # The setting decides whether tensor cores multiply float32 as TF32, which has a peak of its own.
            return Kernel(partial(_with_tf32, dtype == "tf32", a), 2 * n**3)
        a = tf.cast(a, dtype)
        return Kernel(partial(tf.linalg.matmul, a, a), 2 * n**3)


def _with_tf32(allowed: bool, a: tf.Tensor) -> tf.Tensor:
    tf.config.experimental.enable_tensor_float_32_execution(allowed)
    return tf.linalg.matmul(a, a)
