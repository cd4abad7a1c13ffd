"""The operations whose best speed is taken for a peak, in each framework.

One operation alone would make a limit that another can beat: a copy pays for reading what it overwrites, a sum only reads,
an operation in place touches half the memory. So each rung of the ladder has several, and the fastest counts. What memory
an operation touches is counted as ``Cost`` counts it: bytes read plus bytes written. Nothing here measures time.

Each framework has a file here, which is loaded where that framework is measured: in a process of its own.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

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


class Pool:
    """One float32 array, cut into the arrays of every rung, so that no rung pays for fresh memory."""

    def __init__(self, ones: Callable[[int], Any], top: int) -> None:
        self._memory = ones(top // 4 + 4 * PADDING)

    def arrays(self, size: int, count: int) -> list[Any]:
        length = size // 4 // count
        return [self._memory[(length + PADDING) * i :][:length] for i in range(count)]


def kernels_of(framework: str, device: str, top: int) -> Backend:
    """The kernels of ``framework``, or of ``"numpy"``, on ``device``, for rungs of at most ``top`` bytes.

    It imports the framework.
    """
    return importlib.import_module(f"{__name__}.{framework}").Kernels(device, top)
