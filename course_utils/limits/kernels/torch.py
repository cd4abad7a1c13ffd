"""PyTorch's operations, on any of its devices."""

from __future__ import annotations

from functools import partial

import torch

from course_utils.limits.kernels import Kernel, Pool


class Kernels:
    """PyTorch, on any of its devices."""

    def __init__(self, device: str, top: int) -> None:
        self._device = device
        if device != "cpu":
            # Tensor cores take float32 inputs too; a peak without them could be beaten by changing a setting.
            torch.set_float32_matmul_precision("high")
        self._pool = Pool(partial(torch.ones, device=device), top)

    def bandwidth(self, size: int) -> list[Kernel]:
        (one,) = self._pool.arrays(size, 1)
        a, b = self._pool.arrays(size, 2)
        x, y, z = self._pool.arrays(size, 3)
        return [
            Kernel(one.zero_, one.nbytes),
            Kernel(one.sum, one.nbytes),
            Kernel(partial(torch.dot, a, b), 2 * a.nbytes),
            Kernel(partial(b.copy_, a), 2 * a.nbytes),
            Kernel(a.neg_, 2 * a.nbytes),
            Kernel(partial(torch.add, x, y, out=z), 3 * x.nbytes),
        ]

    def matmul(self, dtype: str, n: int) -> Kernel:
        a = torch.randn(n, n, device=self._device).to(getattr(torch, dtype))
        return Kernel(partial(torch.matmul, a, a, out=torch.empty_like(a)), 2 * n**3)

    def launch(self) -> list[Kernel]:
        x = torch.ones(1, device=self._device)
        return [Kernel(x.zero_, 1), Kernel(x.neg_, 1)]
