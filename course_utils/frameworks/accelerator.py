"""What a clock needs of an accelerator, as a framework hands it to whoever keeps time. Nothing here measures any."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

FLUSHED_BYTES = 256 * 2**20
"""What is written to flush the caches of a device that does not tell their size: more than the last cache of any we know."""


class Event(Protocol):
    """A moment in a device's own time."""

    def record(self) -> object:
        """It is when the device comes to this point of its work."""

    def synchronize(self) -> object:
        """Return when it has passed."""

    def elapsed_time(self, end: Any) -> float:
        """Milliseconds from this moment to ``end``; both have passed."""


class Accelerator(Protocol):
    """A device beside the CPU, to one who times work on it."""

    def chosen(self) -> AbstractContextManager[object]:
        """Work of the block goes to the device."""

    def flush(self) -> object:
        """Give the device a write that drives every input out of its caches; it need not wait for it."""

    def pair(self) -> tuple[Event, Event] | None:
        """A beginning and an end, to be recorded again and again; None where only the host's clock can be read."""
