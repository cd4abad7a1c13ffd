"""The process's one clock: held by a single comparison at a time, with the garbage collector kept out."""

from __future__ import annotations

import gc
import threading

from course_utils.core.errors import CourseError

_running = threading.Lock()
_owner: int | None = None


class ComparisonError(CourseError):
    """``compare`` was called with something that it cannot time."""


class alone:
    """Hold the process's one clock; wait for whoever holds it, and stop waiting when cancelled."""

    def __init__(self, cancel: threading.Event | None) -> None:
        self._cancel = cancel
        self._held = False

    def __enter__(self) -> None:
        global _owner
        if _owner == threading.get_ident():
            raise ComparisonError("compare() was called by one of its own contenders; time one thing at a time.")
        while not self._held and not (self._cancel is not None and self._cancel.is_set()):
            self._held = _running.acquire(timeout=0.05)
        if self._held:
            _owner = threading.get_ident()

    def __exit__(self, *_: object) -> None:
        global _owner
        if self._held:
            _owner = None
            _running.release()


class no_collection:
    """Keep the garbage collector from running inside a block; whoever turned it off before keeps it off."""

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._was_on:
            gc.enable()
