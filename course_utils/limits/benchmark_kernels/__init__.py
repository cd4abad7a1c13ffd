"""The operations whose best rates become the peaks, in each framework.

Each mix of reading and writing has operations of its own, and the fastest one counts. The bytes of an operation are
counted as in ``Cost``: each byte once, whether it is read, written or updated. Nothing here measures time.

Each framework has a file here, which imports it: it is imported in the child process that measures this framework, or in a
process that uses the framework already.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

MEASURING_ORDER = ("torch", "numpy", "tensorflow")  # frameworks that reach the best rates come first
PADDING = 1040  # elements between arrays, because arrays a power of two apart evict each other from the cache


@dataclass(frozen=True)
class Kernel:
    """One call and its amount of work: bytes, flops, arithmetic steps, or 1 for an operator call."""

    run: Callable[[], Any]
    amount: float


class BenchmarkKernels(Protocol):
    """The kernels of one framework on one device.

    Attributes:
        measures_bandwidth: whether bandwidth is measured with this framework. It is not if each operation allocates its
            result while another framework can write into existing memory.
    """

    measures_bandwidth: bool

    def memory(self, size: int) -> Mapping[str, list[Kernel]]:
        """Return mix → operations with a working set of about ``size`` bytes; every size has the same operations in the
        same order.

        Each call allocates new memory, because the bandwidth depends on its address.
        """

    def matmul(self, dtype: str, n: int) -> Kernel:
        """Return the product of two (n, n) matrices; it raises the framework's error if the dtype is not supported."""

    def steps(self, count: int) -> list[Kernel]:
        """Return operations whose ``count`` arithmetic steps depend on one another; none if the framework has no such
        operation.
        """


def split_arrays(memory: Any, size: int) -> tuple[list[Any], list[Any], list[Any]]:
    """Return one, two and three arrays in ``memory``, each group with ``size`` bytes in total.

    Args:
        memory: float32 array with ``elements_needed(size)`` elements.
        size: bytes.
    """

    def parts(count: int) -> list[Any]:
        length = size // 4 // count
        return [memory[(length + PADDING) * index :][:length] for index in range(count)]

    return parts(1), parts(2), parts(3)


def elements_needed(size: int) -> int:
    """Return the number of float32 elements that ``split_arrays`` needs."""
    return size // 4 + 2 * PADDING


def kernels_of(framework: str, device: str) -> BenchmarkKernels:
    """Return the kernels of ``framework``, or of ``"numpy"``, on ``device``; imports the framework."""
    return importlib.import_module(f"{__name__}.{framework}").Kernels(device)
