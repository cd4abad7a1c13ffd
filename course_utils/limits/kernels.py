"""The operations whose best speed is taken for a peak, in each framework.

One operation alone would make a limit that another can beat: a copy pays for reading what it overwrites, a sum only reads,
an operation in place touches half the memory. So each rung of the ladder has several, and the fastest counts. What memory
an operation touches is counted as ``Cost`` counts it: bytes read plus bytes written. Nothing here measures time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np

PADDING = 1040  # elements between arrays: at a distance of a power of two they would fight for the same cache lines


@dataclass(frozen=True)
class Kernel:
    """One call and how much it does: bytes, floating-point operations, or 1 for a launch."""

    run: Callable[[], Any]
    amount: float


class Backend(Protocol):
    """The kernels of one framework on one device."""

    def bandwidth(self, size: int) -> list[Kernel]:
        """Operations that read plus write about ``size`` bytes."""

    def matmul(self, dtype: str, n: int) -> Kernel:
        """The product of two (n, n) matrices; what the framework raises where the dtype is not supported."""

    def launch(self) -> list[Kernel]:
        """The smallest operations."""


class _Pool:
    """One float32 array, cut into the arrays of every rung, so that no rung pays for fresh memory."""

    def __init__(self, ones: Callable[[int], Any], top: int) -> None:
        self._memory = ones(top // 4 + 4 * PADDING)

    def arrays(self, size: int, count: int) -> list[Any]:
        length = size // 4 // count
        return [self._memory[(length + PADDING) * i :][:length] for i in range(count)]


class NumpyBackend:
    """NumPy, on the CPU: it is always there, and its matrix product is not the frameworks' one."""

    def __init__(self, device: str, top: int) -> None:
        self._pool = _Pool(partial(np.ones, dtype=np.float32), top)

    def bandwidth(self, size: int) -> list[Kernel]:
        (one,) = self._pool.arrays(size, 1)
        a, b = self._pool.arrays(size, 2)
        x, y, z = self._pool.arrays(size, 3)
        return [
            Kernel(partial(one.fill, 1.0), one.nbytes),
            Kernel(one.sum, one.nbytes),
            Kernel(partial(np.dot, a, b), 2 * a.nbytes),
            Kernel(partial(np.copyto, b, a), 2 * a.nbytes),
            Kernel(partial(np.negative, a, out=a), 2 * a.nbytes),
            Kernel(partial(np.add, x, y, out=z), 3 * x.nbytes),
        ]

    def matmul(self, dtype: str, n: int) -> Kernel:
        a = np.random.default_rng(0).standard_normal((n, n)).astype(dtype)
        return Kernel(partial(np.matmul, a, a, out=np.empty_like(a)), 2 * n**3)

    def launch(self) -> list[Kernel]:
        x = np.ones(1, np.float32)
        return [Kernel(partial(np.negative, x, out=x), 1), Kernel(partial(x.fill, 1.0), 1)]


class TorchBackend:
    """PyTorch, on any of its devices."""

    def __init__(self, device: str, top: int) -> None:
        import torch

        self._torch, self._device = torch, device
        if device != "cpu":
            # Tensor cores take float32 inputs too; a peak without them could be beaten by changing a setting.
            torch.set_float32_matmul_precision("high")
        self._pool = _Pool(partial(torch.ones, device=device), top)

    def bandwidth(self, size: int) -> list[Kernel]:
        (one,) = self._pool.arrays(size, 1)
        a, b = self._pool.arrays(size, 2)
        x, y, z = self._pool.arrays(size, 3)
        return [
            Kernel(one.zero_, one.nbytes),
            Kernel(one.sum, one.nbytes),
            Kernel(partial(self._torch.dot, a, b), 2 * a.nbytes),
            Kernel(partial(b.copy_, a), 2 * a.nbytes),
            Kernel(a.neg_, 2 * a.nbytes),
            Kernel(partial(self._torch.add, x, y, out=z), 3 * x.nbytes),
        ]

    def matmul(self, dtype: str, n: int) -> Kernel:
        a = self._torch.randn(n, n, device=self._device).to(getattr(self._torch, dtype))
        return Kernel(partial(self._torch.matmul, a, a, out=self._torch.empty_like(a)), 2 * n**3)

    def launch(self) -> list[Kernel]:
        x = self._torch.ones(1, device=self._device)
        return [Kernel(x.zero_, 1), Kernel(x.neg_, 1)]


class TensorflowBackend:
    """TensorFlow, eager. Only a variable can be written in place."""

    def __init__(self, device: str, top: int) -> None:
        import tensorflow

        self._tf = tensorflow
        self._where = device.replace("cuda", "GPU")

    def bandwidth(self, size: int) -> list[Kernel]:
        tf = self._tf
        with tf.device(self._where):
            one, half, third = (tf.ones(size // 4 // parts) for parts in (1, 2, 3))
            total = tf.Variable(third)
        return [
            Kernel(partial(tf.reduce_sum, one), 4 * len(one)),
            Kernel(partial(tf.negative, half), 8 * len(half)),
            Kernel(partial(total.assign_add, third, read_value=False), 12 * len(third)),
        ]

    def matmul(self, dtype: str, n: int) -> Kernel:
        with self._tf.device(self._where):
            a = self._tf.cast(self._tf.random.normal((n, n)), dtype)
        return Kernel(partial(self._tf.linalg.matmul, a, a), 2 * n**3)

    def launch(self) -> list[Kernel]:
        with self._tf.device(self._where):
            x = self._tf.ones(1)
        return [Kernel(partial(self._tf.negative, x), 1)]


BACKENDS: dict[str, Callable[[str, int], Backend]] = {
    "numpy": NumpyBackend,
    "torch": TorchBackend,
    "tensorflow": TensorflowBackend,
}
