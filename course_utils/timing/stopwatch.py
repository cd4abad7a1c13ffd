"""How time is read on one device, waits for the device included. It keeps no statistics."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from time import perf_counter
from typing import Protocol

from course_utils.frameworks import devices


class Stopwatch(Protocol):
    """How time is read on one device."""

    def now(self) -> float:
        """Seconds of host time."""

    def block(self, function: Callable, args: tuple, calls: int) -> float:
        """Seconds that ``calls`` calls take together, each device wait included."""


class HostStopwatch:
    """The host's clock, with a wait for the device at both ends of a block."""

    def __init__(self, device: str) -> None:
        self.now = perf_counter
        self._waiters = devices.waiters(device)

    def block(self, function: Callable, args: tuple, calls: int) -> float:
        for wait in self._waiters:
            wait()
        start = self.now()
        for _ in repeat(None, calls):
            function(*args)
        for wait in self._waiters:
            wait()
        return self.now() - start


class CudaStopwatch:
    """CUDA events around each call, with the L2 cache flushed before it, so that every run is a cold one.

    The method is that of Triton's ``do_bench``: zeroing a buffer of twice the cache's size evicts the inputs, and the
    zeroing lies outside the pair of events.
    """

    def __init__(self, device: str) -> None:
        import torch

        self.now = perf_counter
        self._torch, self._device = torch, device
        cache_bytes = torch.cuda.get_device_properties(device).L2_cache_size
        self._flush = torch.empty(2 * cache_bytes, dtype=torch.int8, device=device).zero_

    def block(self, function: Callable, args: tuple, calls: int) -> float:
        cuda = self._torch.cuda
        with cuda.device(self._device):
            pairs = [(cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)) for _ in range(calls)]
            for start, end in pairs:
                self._flush()
                start.record()
                function(*args)
                end.record()
            cuda.synchronize(self._device)
        return sum(start.elapsed_time(end) for start, end in pairs) / 1e3


def stopwatch(device: str) -> Stopwatch:
    """The most exact clock for ``device``."""
    if device.startswith("cuda") and "torch" in devices.loaded():
        return CudaStopwatch(device)
    return HostStopwatch(device)
