"""The time in which this thread had a processor core. Other programs on a busy machine do not lengthen it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple


class CoreTime(NamedTuple):
    """The time of one call.

    Attributes:
        core_s: seconds in which this thread had a core.
        waits: how often this thread waited, for a file, a lock or another thread; None if the system does not count it.
    """

    core_s: float
    waits: int | None


def measure_core_time(call: Callable[[], object]) -> CoreTime:
    """Call ``call`` and return the time in which this thread had a core.

    If the call waited, its time is more than ``core_s``, also on an idle machine.
    """
    waits, start = _count_waits(), time.thread_time()
    call()
    core_s, waits_now = time.thread_time() - start, _count_waits()
    return CoreTime(core_s, None if waits is None or waits_now is None else waits_now - waits)


def _count_waits() -> int | None:
    try:
        import resource

        return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
    except (ImportError, AttributeError):
        return None  # Windows and macOS do not count them by thread.
