"""The time in which the threads of this process had a processor core. Other programs on a busy machine do not lengthen it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

_SCHEDULER_FILE = Path(
    "/proc/thread-self/schedstat"
)  # nanoseconds with a core, nanoseconds ready without one, time slices
_ALL_THREADS = Path("/proc/self/task")

OTHER_THREADS = 0.01  # Other threads of the process take less than this share of a call that one thread runs.
RESOLUTION_S = 2e-5  # The process's and the thread's clocks are not read at the same moment.


class CoreTime(NamedTuple):
    """The time of one call.

    Attributes:
        core_s: seconds in which this thread had a core; if other threads of the process worked, those of all threads together.
        waited_s: seconds in which this thread waited for a file or a lock, or in which no thread worked or was ready to; None if
            the system does not report them.
        is_shared: whether other threads of the process worked.
    """

    core_s: float
    waited_s: float | None
    is_shared: bool = False


def measure_core_time(call: Callable[[], object]) -> CoreTime:
    """Call ``call`` and return the time in which this thread, or all threads that worked, had a core.

    On an idle machine, the call would take at most ``core_s + waited_s``, and less if several threads worked at the same time;
    any longer time went to other programs.
    """
    waits, delays_s = _count_waits(), _delays_s()
    delay_s, start, core_start = _read_clocks()
    process_start = time.process_time()
    call()
    core_s, seconds = time.thread_time() - core_start, time.perf_counter() - start
    process_s = time.process_time() - process_start
    if process_s - core_s > OTHER_THREADS * seconds + RESOLUTION_S:
        delays_now_s = _delays_s()
        if delays_s is None or delays_now_s is None:
            return CoreTime(process_s, None, is_shared=True)
        return CoreTime(process_s, max(0.0, seconds - process_s - (delays_now_s - delays_s)), is_shared=True)
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
        return _delay_in(_SCHEDULER_FILE)
    except (OSError, ValueError, IndexError):
        return None


def _delays_s() -> float | None:
    """Return the sum of the delays of all threads of this process; None if the system does not report them."""
    delays_s = list[float]()
    for thread in _ALL_THREADS.glob("*/schedstat"):
        try:
            delays_s.append(_delay_in(thread))
        except OSError:
            continue  # The thread has ended.
        except (ValueError, IndexError):
            return None
    return sum(delays_s) if delays_s else None


def _delay_in(file: Path) -> float:
    return 1e-9 * int(file.read_text(encoding="ascii").split()[1])
