"""How time is read on one device, waits for the device included. It keeps no statistics."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from time import perf_counter
from typing import Protocol

from course_utils import frameworks
from course_utils.frameworks import devices
from course_utils.frameworks.events import Events


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


class EventStopwatch:
    """The device's own events around each call, with its cache flushed before it, so that every run is a cold one.

    The method is that of Triton's ``do_bench``: the flush evicts the inputs, and lies outside the pair of events.
    """

    def __init__(self, events: Events) -> None:
        self.now = perf_counter
        self._events = events

    def block(self, function: Callable, args: tuple, calls: int) -> float:
        with self._events.chosen():
            pairs = self._events.pairs(calls)
            for start, end in pairs:
                self._events.flush()
                start.record()
                function(*args)
                end.record()
            self._events.wait()
        return sum(start.elapsed_time(end) for start, end in pairs) / 1e3


def stopwatch(device: str) -> Stopwatch:
    """The most exact clock for ``device``."""
    for framework in frameworks.loaded():
        events = framework.events(device)
        if events is not None:
            return EventStopwatch(events)
    return HostStopwatch(device)
