"""The lock that lets one comparison at a time measure in a process, and a switch for the garbage collector."""

from __future__ import annotations

import gc
import threading

from course_utils.core.errors import CourseError

_lock = threading.Lock()
_owner: int | None = None


class ComparisonError(CourseError):
    """``compare`` was called with something that it cannot time."""


class exclusive_clock:
    """Hold the process's clock lock inside a block; setting ``cancel`` ends the wait for it."""

    def __init__(self, cancel: threading.Event | None) -> None:
        self._cancel = cancel
        self._is_held = False

    def __enter__(self) -> None:
        global _owner
        if _owner == threading.get_ident():
            raise ComparisonError("compare() was called by one of its own contenders; time one thing at a time.")
        while not self._is_held and not (self._cancel is not None and self._cancel.is_set()):
            self._is_held = _lock.acquire(timeout=0.05)
        if self._is_held:
            _owner = threading.get_ident()

    def __exit__(self, *_: object) -> None:
        global _owner
        if self._is_held:
            _owner = None
            _lock.release()


class no_garbage_collection:
    """Switch the garbage collector off inside a block; if it was off before, it stays off."""

    def __enter__(self) -> None:
        self._was_enabled = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._was_enabled:
            gc.enable()
