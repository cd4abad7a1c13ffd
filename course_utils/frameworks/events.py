"""A device's own clock, as a framework hands it to whoever keeps time. Nothing here measures any."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol


class Event(Protocol):
    """A moment in a device's own time."""

    def record(self) -> object:
        """It is when the device comes to this point of its work."""

    def elapsed_time(self, end: Any) -> float:
        """Milliseconds from this moment to ``end``."""


class Events(Protocol):
    """How a device reads its own clock."""

    def chosen(self) -> AbstractContextManager[object]:
        """Work of the block goes to the device."""

    def pairs(self, count: int) -> list[tuple[Event, Event]]:
        """So many beginnings and ends, to be recorded."""

    def flush(self) -> object:
        """Give the device work that drives every input out of its cache."""

    def wait(self) -> object:
        """Return when all moments have passed."""
