"""PyTorch's operations, on any of its devices."""

from __future__ import annotations

from functools import partial

import torch

from course_utils.limits.benchmark_kernels import Kernel, elements_needed, split_arrays
from course_utils.limits.cost import ADD, COPY, READ, UPDATE, WRITE


class Kernels:
    """PyTorch, on any of its devices."""

    def __init__(self, device: str) -> None:
        self._device = device
        self.measures_bandwidth = True

    def memory(self, size: int) -> dict[str, list[Kernel]]:
        (one,), (a, b), (x, y, z) = split_arrays(torch.ones(elements_needed(size), device=self._device), size)
        return {
            READ: [Kernel(partial(torch.dot, a, b), 2 * a.nbytes), Kernel(one.sum, one.nbytes)],
            ADD: [Kernel(partial(torch.add, x, y, out=z), 3 * x.nbytes)],
            COPY: [Kernel(partial(b.copy_, a), 2 * a.nbytes)],
            WRITE: [Kernel(one.zero_, one.nbytes)],
            UPDATE: [Kernel(one.neg_, one.nbytes)],
        }

    def steps(self, count: int) -> list[Kernel]:
        return []

    def matmul(self, dtype: str, n: int) -> Kernel:
        a = torch.randn(n, n, device=self._device)
        if self._device.startswith("cuda") and dtype in ("float32", "tf32"):
            # The setting decides whether tensor cores multiply float32 as TF32, which has a peak of its own.
            precision = "high" if dtype == "tf32" else "highest"
            return Kernel(partial(_with_precision, precision, a, torch.empty_like(a)), 2 * n**3)
        a = a.to(getattr(torch, dtype))
        return Kernel(partial(torch.matmul, a, a, out=torch.empty_like(a)), 2 * n**3)


def _with_precision(precision: str, a: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
    torch.set_float32_matmul_precision(precision)
    return torch.matmul(a, a, out=out)
