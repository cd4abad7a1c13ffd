"""TensorFlow's eager operations, on any of its devices."""

from __future__ import annotations

from functools import partial

import tensorflow as tf

from course_utils.limits.kernels import Kernel


class Kernels:
    """TensorFlow, eager. Only a variable can be written in place."""

    def __init__(self, device: str, top: int) -> None:
        self._where = device.replace("cuda", "GPU")

    def bandwidth(self, size: int) -> list[Kernel]:
        with tf.device(self._where):
            one, half, third = (tf.ones(size // 4 // parts) for parts in (1, 2, 3))
            total = tf.Variable(third)
        return [
            Kernel(partial(tf.reduce_sum, one), 4 * len(one)),
            Kernel(partial(tf.negative, half), 8 * len(half)),
            Kernel(partial(total.assign_add, third, read_value=False), 12 * len(third)),
        ]

    def matmul(self, dtype: str, n: int) -> Kernel:
        with tf.device(self._where):
            a = tf.cast(tf.random.normal((n, n)), dtype)
        return Kernel(partial(tf.linalg.matmul, a, a), 2 * n**3)

    def launch(self) -> list[Kernel]:
        with tf.device(self._where):
            x = tf.ones(1)
        return [Kernel(partial(tf.negative, x), 1)]
