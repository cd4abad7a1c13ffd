"""What the course asks of a framework about its devices."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from course_utils.frameworks.accelerator_interface import Accelerator


class DeviceInterface(ABC):
    """A framework's devices, by the names that torch gives them: ``"cpu"``, ``"cuda:0"``, ``"mps"``."""

    @abstractmethod
    def accelerators(self) -> list[str]:
        """Return the names of its devices besides the CPU; ``run_test_kernel`` shows whether they work."""

    @abstractmethod
    def device_of(self, tensor: Any) -> str:
        """Return the name of a tensor's device, ``"cpu"`` or one of ``accelerators()``."""

    @abstractmethod
    def run_test_kernel(self, device: str) -> None:
        """Run one small kernel on an accelerator and wait for it.

        Raises:
            Exception: the framework's own, if the device does not work.
        """

    @abstractmethod
    def describe(self, device: str) -> str | None:
        """Return the product name of an accelerator; None for any other device."""

    @abstractmethod
    def synchronizers(self, device: str) -> list[Callable[[], Any]]:
        """Return the functions that block until ``device`` is idle; none if calls return when their work is done."""

    @abstractmethod
    def device_scope(self, device: str) -> AbstractContextManager[object]:
        """Return a context in which operations run on ``device`` if the framework places operations automatically."""

    @abstractmethod
    def full_precision(self) -> AbstractContextManager[object]:
        """Return a context in which float32 is computed as float32 and not in a shorter format such as TF32."""

    @abstractmethod
    def accelerator(self, device: str) -> Accelerator | None:
        """Return what a stopwatch needs of one of ``accelerators()``; None for any other device.

        Raises:
            Exception: the framework's own, if the device lacks the memory to flush its caches.
        """
