"""What a stopwatch needs of an accelerator. Each framework implements it; nothing here measures."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

DEFAULT_FLUSH_BYTES = 256 * 2**20
"""Bytes written to flush the caches of a device of unknown cache size: larger than any known GPU's cache."""


class Event(Protocol):
    """A point in a device's queue of work, with a time stamp."""

    def record(self) -> object:
        """Put the event at the end of the queue."""

    def synchronize(self) -> object:
        """Block until the device has reached the event."""

    def elapsed_time(self, end: Any) -> float:
        """Return the milliseconds from this event to ``end``; the device has reached both."""


class Accelerator(Protocol):
    """A device other than the CPU."""

    def device_scope(self) -> AbstractContextManager[object]:
        """Return a context in which operations run on the device."""

    def flush_caches(self) -> object:
        """Queue a write so large that no input stays in a cache; it need not block."""

    def event_pair(self) -> tuple[Event, Event] | None:
        """Return a start and an end event, to be recorded many times; None if the framework has no events."""
