"""NumPy's operations, on the CPU."""

from __future__ import annotations

from functools import partial

import numpy as np

from course_utils.limits.kernels import Kernel, Pool


class Kernels:
    """NumPy, on the CPU: it is always there, and its matrix product is not the frameworks' one."""

    def __init__(self, device: str, top: int) -> None:
        self._pool = Pool(partial(np.ones, dtype=np.float32), top)

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
