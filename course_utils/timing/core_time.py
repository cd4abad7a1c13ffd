"""The time in which this thread had a processor core. Other programs on a busy machine do not lengthen it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

_SCHEDULER_FILE = Path(
    "/proc/thread-self/schedstat"
)  # nanoseconds with a core, nanoseconds ready without one, time slices

OTHER_THREADS = 0.01  # Other threads of the process take less than this share of a call that one thread runs.
RESOLUTION_S = 2e-5  # The process's and the thread's clocks are not read at the same moment.


class CoreTime(NamedTuple):
    """The time of one call.

    Attributes:
        core_s: seconds in which this thread had a core.
        waited_s: seconds in which this thread waited for a file, a lock or another thread; None if the system does not report
            them, or if other threads of the process worked, because waiting for them can look like waiting for other
            programs.
    """

    core_s: float
    waited_s: float | None


def measure_core_time(call: Callable[[], object]) -> CoreTime:
    """Call ``call`` and return the time in which this thread had a core.

    On an idle machine, the call would take ``core_s + waited_s``; any longer time went to other programs.
    """
    waits, process_start = _count_waits(), time.process_time()
    delay_s, start, core_start = _read_clocks()
    call()
    core_s, seconds = time.thread_time() - core_start, time.perf_counter() - start
    if time.process_time() - process_start - core_s > OTHER_THREADS * seconds + RESOLUTION_S:
        return CoreTime(core_s, None)
    if waits is not None and waits == _count_waits():
        return CoreTime(core_s, 0.0)
    delay_now_s, end, core_end = _read_clocks()
    if delay_s is None or delay_now_s is None:
        return CoreTime(core_s, None)
    return CoreTime(core_s, max(0.0, (end - start) - (core_end - core_start) - (delay_now_s - delay_s)))


def _read_clocks() -> tuple[float | None, float, float]:
    """Return the delay, the time and the thread's time of one moment: no other program got the core while they were read."""
    delay_s = _delay_s()
    while True:
        clocks = time.perf_counter(), time.thread_time()
        delay_now_s = _delay_s()
        if delay_now_s == delay_s:
            return delay_s, *clocks
        delay_s = delay_now_s


def _count_waits() -> int | None:
    try:
        import resource

        return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
    except (ImportError, AttributeError):
        return None  # Windows and macOS do not count them by thread.


def _delay_s() -> float | None:
    """Return the seconds in which this thread was ready to run, but other programs had the cores; None if the system
    does not report them.
    """
    try:
        return 1e-9 * int(_SCHEDULER_FILE.read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
