"""The operations whose best speed is taken for a peak, in each framework.

Each mix of reading and writing has operations of its own, and the fastest counts. What memory an operation touches is
counted as ``Cost`` counts it: each byte once, whether it is read, written or changed where it lies. Nothing here measures
time.

Each framework has a file here, which is loaded where that framework is measured: in a process of its own.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

MEASURING_ORDER = ("torch", "numpy", "tensorflow")  # who has most to tell measures first
PADDING = 1040  # elements between arrays: at a distance of a power of two they would fight for the same cache lines


@dataclass(frozen=True)
class Kernel:
    """One call and how much it does: bytes, floating-point operations, or 1 for a start."""

    run: Callable[[], Any]
    amount: float


class BenchmarkKernels(Protocol):
    """The kernels of one framework on one device.

    Attributes:
        climbs: whether its operations are worth a ladder: not where each makes new memory, and another works in what is there.
    """

    climbs: bool

    def memory(self, size: int) -> Mapping[str, list[Kernel]]:
        """Mix → operations that touch about ``size`` bytes, the same ones in the same order for every size.

        The memory is new with each call: how fast it is depends on where it happens to lie.
        """

    def matmul(self, dtype: str, n: int) -> Kernel:
        """The product of two (n, n) matrices; what the framework raises where the dtype is not supported."""


def split_arrays(memory: Any, size: int) -> tuple[list[Any], list[Any], list[Any]]:
    """One, two and three arrays that touch ``size`` bytes together, all of them in ``memory``: ``room(size)`` float32 numbers."""

    def parts(count: int) -> list[Any]:
        length = size // 4 // count
        return [memory[(length + PADDING) * index :][:length] for index in range(count)]

    return parts(1), parts(2), parts(3)


def elements_needed(size: int) -> int:
    """How many numbers ``split_arrays`` needs."""
    return size // 4 + 2 * PADDING


def kernels_of(framework: str, device: str) -> BenchmarkKernels:
    """The kernels of ``framework``, or of ``"numpy"``, on ``device``. It imports the framework."""
    return importlib.import_module(f"{__name__}.{framework}").Kernels(device)
