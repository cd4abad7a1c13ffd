"""NumPy's operations, on the CPU."""

from __future__ import annotations

from functools import partial

import numpy as np

from course_utils.limits.benchmark_kernels import Kernel, elements_needed, split_arrays
from course_utils.limits.cost import ADD, COPY, READ, UPDATE, WRITE


class Kernels:
    """NumPy on the CPU: it is always installed, and its matrix product differs from the frameworks'."""

    def __init__(self, device: str) -> None:
        self.measures_bandwidth = True

    def memory(self, size: int) -> dict[str, list[Kernel]]:
        (one,), (a, b), (x, y, z) = split_arrays(np.ones(elements_needed(size), np.float32), size)
        return {
            READ: [Kernel(partial(np.dot, a, b), 2 * a.nbytes), Kernel(one.sum, one.nbytes)],
            ADD: [Kernel(partial(np.add, x, y, out=z), 3 * x.nbytes)],
            COPY: [Kernel(partial(np.copyto, b, a), 2 * a.nbytes)],
            WRITE: [Kernel(partial(one.fill, 1.0), one.nbytes)],
            UPDATE: [Kernel(partial(np.negative, one, out=one), one.nbytes)],
        }

    def matmul(self, dtype: str, n: int) -> Kernel:
        a = np.random.default_rng(0).standard_normal((n, n)).astype(dtype)
        return Kernel(partial(np.matmul, a, a, out=np.empty_like(a)), 2 * n**3)

    def steps(self, count: int) -> list[Kernel]:
        # `multiply.reduce` multiplies one element after the other; `add.reduce` would add in independent groups.
        return [Kernel(partial(np.multiply.reduce, np.ones(count, np.float32)), count)]
