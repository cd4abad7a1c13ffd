"""What the course asks of a framework about this process: seeds, threads, settings, missing memory, cancellation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass
class MemoryUse:
    """The bytes that a block of code allocates.

    Attributes:
        total: the bytes of all allocations, also of those that are freed again.
        peak: the most bytes that are allocated at one time.
        operation: the outermost operation that runs at the peak, such as ``"logsumexp"``; "" if none does.
        temporary: the bytes of the peak that are freed by the time this operation ends.
    """

    total: int = 0
    peak: int = 0
    operation: str = ""
    temporary: int = 0


class CancelScope(Protocol):
    """A context whose work can be ended from any thread, even if it runs outside of Python."""

    def __enter__(self) -> object: ...

    def __exit__(self, *error: object) -> bool | None: ...

    def cancel(self) -> None:
        """End the work in the context, which then raises an error."""

    def caused(self, error: BaseException) -> bool:
        """Return whether ``cancel`` caused ``error``."""


class RuntimeInterface(ABC):
    """A framework's global state."""

    @abstractmethod
    def seed(self, number: int) -> None:
        """Seed the global random number generators."""

    def reseed(self, number: int) -> None:
        """Let the generators draw values that depend on ``number``; the same number may give others later."""
        self.seed(number)

    @abstractmethod
    def snapshot_state(self) -> Callable[[], Mapping[str, Any]]:
        """Return a function that restores the present state of the global generators and of the settings, and returns the
        settings that had changed: ``{"torch.is_grad_enabled()": False}``.
        """

    def watch_modules(
        self, on_enter: Callable[[Any], None], on_leave: Callable[[Any], None]
    ) -> AbstractContextManager[object]:
        """Return a context in which ``on_enter`` and ``on_leave`` are called with each module as it begins and ends."""
        return nullcontext()

    def measure_memory(self) -> AbstractContextManager[MemoryUse] | None:
        """Return a context that measures allocations, also inside operations and compiled code; None if the framework
        reports none.
        """
        return None

    def without_gradients(self) -> AbstractContextManager[object] | None:
        """Return a context in which no graphs for gradients are recorded; None if the framework has no such mode."""
        return None

    def is_profiling(self) -> bool:
        """Return whether the framework's own profiler runs now."""
        return False

    def profiled_threads(self, profile: bytes) -> list[list[tuple[float, float, str]]]:
        """Return the events of each thread of a stored profile: the seconds of start and end, and the name.

        Raises:
            ValueError: ``profile`` is not a profile of this framework.
        """
        raise ValueError("This framework stores no profiles.")

    @abstractmethod
    def threads(self, count: int) -> AbstractContextManager[int]:
        """Return a context in which operations use ``count`` threads; it yields the number in force."""

    @abstractmethod
    def thread_count(self) -> int | None:
        """Return how many threads an operation uses now; None if the framework does not report it."""

    @abstractmethod
    def is_out_of_memory(self, error: BaseException) -> bool:
        """Return whether ``error`` is the framework's report of missing memory; the framework need not be loaded."""

    def write_startup_logs(self) -> None:
        """Write to stderr the log lines that the framework writes once per process and no log level silences."""

    @abstractmethod
    def cancel_scope(self) -> CancelScope | None:
        """Return a context that can end graphs; None if nothing runs outside of Python for long."""
