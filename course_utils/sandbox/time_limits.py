"""Ends code that does not end by itself, in Python or in a TensorFlow graph, after a number of seconds of work.

A long call into a framework cannot be interrupted: it is stopped when it returns to Python.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from time import perf_counter, process_time
from types import FrameType
from typing import Any

from course_utils import frameworks
from course_utils.sandbox.raise_in_thread import RETRY_S, raise_when

# A loop with a bare `except:` swallows the exception that ends it, unless the exception arrives between two tries:
#
#     while True:              # an alarm here ends the loop
#         try:
#             step()           # an alarm here is swallowed by the line below
#         except: pass         # an alarm here ends the loop
#
# No code outside can see which line runs, so each swallowed alarm sets the next one at a random moment within this
# range. Dozens of tries fit in a tenth of a second; nested loops and profiled code end within a second. A trace
# function would be surer, but Python removes it at the first error that it raises, so an outer bare `except:` would run
# forever. `sys.monitoring` needs Python 3.12.
_RANDOM_DELAY_S = 2e-6, 50e-6
_random_delay_s = random.Random().uniform  # its own generator, so that the learner's random numbers don't change
_WAITING_SHARE = 0.1
_PRESSURE_FILE = Path("/proc/pressure/cpu")  # Linux's pressure stall information
_LONGEST_PRESSURE = 512
_IMPORTER = "<frozen importlib._bootstrap>"  # the file of Python's own frames in an import
_LONGEST_IMPORTS_S = 60.0


class TimeLimitReached(BaseException):
    """The time is up. It is not an Exception, so a learner's ``except Exception`` does not catch it."""


class WorkTimer:
    """Measures how long code has worked since the timer was made, independently of other load on the machine.

    It adds the seconds that the process computed and the seconds in which no program waited for a core; the sum is
    limited to between a tenth of the wall time and the wall time. So answers are judged alike on a machine that thirty
    people share, and code that sleeps forever, or waits for a compiler that runs in another process, is stopped too.

    Args:
        computed_s: returns the seconds that a process has computed so far; unless given, this process counts.
    """

    def __init__(self, computed_s: Callable[[], float] | None = None) -> None:
        self._computed_s = computed_s or process_time
        self._wall, self._computed, self._crowded = perf_counter(), self._computed_s(), _crowded_s()

    @property
    def waited_s(self) -> float:
        """Return the seconds by the clock that did not count, because other programs had the processor."""
        return max(0.0, perf_counter() - self._wall - self.seconds)

    @property
    def seconds(self) -> float:
        wall, computed = perf_counter() - self._wall, self._computed_s() - self._computed
        crowded = _crowded_s()
        if crowded is None or self._crowded is None:
            return wall if computed < _WAITING_SHARE * wall else min(computed, wall)
        return min(wall, max(computed, wall - (crowded - self._crowded), _WAITING_SHARE * wall))


def _crowded_s() -> float | None:
    """Return the seconds in which a program waited for a core, since the system started; None if the system does not
    report them.
    """
    try:
        some = os.pread(_pressure_descriptor(os.getpid()), _LONGEST_PRESSURE, 0).partition(b"\n")[0]
        return 1e-6 * int(some.rpartition(b"total=")[2])
    except (OSError, ValueError, AttributeError):  # Windows has no pread
        return None


@cache
def _pressure_descriptor(process: int) -> int:
    """Return an open descriptor in this process; a check reads the file hundreds of times."""
    return os.open(_PRESSURE_FILE, os.O_RDONLY)


@contextmanager
def cancel_graphs_after(seconds: float) -> Iterator[None]:
    """Cancel the graphs that run in the block after ``seconds`` of work, and raise ``TimeLimitReached``.

    A loop in a graph runs outside Python, where no exception reaches it. Don't use it while operations are counted:
    TensorFlow does not report the operations of a graph that can be cancelled.
    """
    contexts = (framework.cancel_scope() for framework in frameworks.loaded())
    cancellables = [context for context in contexts if context is not None]
    if not cancellables:
        yield
        return
    done, timer = threading.Event(), WorkTimer()

    def watch() -> None:
        while not done.wait(RETRY_S):
            if timer.seconds >= seconds:
                for each in cancellables:
                    each.cancel()
                return

    threading.Thread(target=watch, name="unloop-graphs", daemon=True).start()
    try:
        with ExitStack() as stack:
            for each in cancellables:
                stack.enter_context(each)
            yield
    except Exception as error:
        if any(each.caused(error) for each in cancellables):
            raise TimeLimitReached from error
        raise
    finally:
        done.set()


def time_limit(seconds: float) -> Any:
    """Return a context manager that raises ``TimeLimitReached`` in the block after ``seconds`` of work.

    An import is not cut short, because half a package would remain in the process: the block gets its seconds again when
    the import ends.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    return _signal_limit(seconds) if in_main_thread and hasattr(signal, "setitimer") else _thread_limit(seconds)


@contextmanager
def _signal_limit(seconds: float) -> Iterator[None]:
    armed, raised, timer = True, False, WorkTimer()
    imports = _Imports(timer)

    def on_alarm(number: int, frame: FrameType | None) -> None:
        nonlocal raised, timer
        if not armed or _is_creating_error(frame):
            return
        if not raised and imports.are_running(frame):
            timer = WorkTimer()
        if _is_cleaning_up(frame) if raised else timer.seconds < seconds:
            return
        if raised:
            # The loop swallowed the last alarm: try again at a random moment, see `_RANDOM_DELAY_S`.
            signal.setitimer(signal.ITIMER_REAL, _random_delay_s(*_RANDOM_DELAY_S), RETRY_S)
        raised = True
        raise TimeLimitReached

    before = signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, seconds, RETRY_S)
    try:
        yield
    except Exception as error:
        # An interrupted framework may turn the exception into an error of its own.
        if raised:
            raise TimeLimitReached from error
        raise
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _Imports:
    """The imports that begin after this object is made; after ``_LONGEST_IMPORTS_S`` of the timer they no longer count as
    running."""

    def __init__(self, timer: WorkTimer) -> None:
        self._timer, self._earlier = timer, _importer_frames(sys._getframe())

    def are_running(self, frame: FrameType | None) -> bool:
        return _importer_frames(frame) > self._earlier and self._timer.seconds < _LONGEST_IMPORTS_S


def _importer_frames(frame: FrameType | None) -> int:
    count = 0
    while frame is not None:
        count += frame.f_code.co_filename == _IMPORTER
        frame = frame.f_back
    return count


def _is_creating_error(frame: FrameType | None) -> bool:
    """Return whether an exception is being constructed, such as TensorFlow's for missing memory: its message says more
    than that the time is up.
    """
    return frame is not None and isinstance(frame.f_locals.get("self"), BaseException)


def _is_cleaning_up(frame: FrameType | None) -> bool:
    """Return whether the course's own code or the exit of a ``with`` block runs: an exception must not interrupt their
    clean-up.
    """
    if frame is not None and frame.f_globals.get("__name__", "").startswith("course_utils."):
        return True
    while frame is not None:
        if frame.f_code.co_name == "__exit__" and frame.f_code.co_filename == contextlib.__file__:
            return True
        frame = frame.f_back
    return False


def _thread_limit(seconds: float) -> Any:
    """Return the limit for Windows and for other threads, where no signal arrives."""
    timer, is_over, thread = WorkTimer(), False, threading.get_ident()
    imports = _Imports(timer)

    def is_due() -> bool:
        nonlocal is_over, timer
        if not is_over and imports.are_running(sys._current_frames().get(thread)):
            timer = WorkTimer()
        is_over = is_over or timer.seconds >= seconds
        return is_over

    return raise_when(is_due, TimeLimitReached)
