"""Ends what does not end by itself: a learner's loop, or a graph's, after so many seconds of work.

One long call into a framework cannot be interrupted: it is stopped when it comes back to Python.
"""

from __future__ import annotations

import contextlib
import random
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from time import perf_counter, process_time
from types import FrameType
from typing import Any

from course_utils import frameworks
from course_utils.sandbox.interrupting import AGAIN_S, raised_when

# Where a loop's bare `except:` swallows every error, only one that comes between two of its tries ends it, and from outside
# nobody can tell when that is. So moments are drawn until one fits: tries by the dozen in a tenth of a second, a second at
# most, in nested loops and beside a profiler too. Nothing surer holds on each Python that the course runs on. A trace function
# would raise at a given line, the handler's own, but Python switches it off at the first error that it raises, and of two
# nested loops the outer one swallows that: they never end. `sys.monitoring` stays on and ends them at once; it came with 3.12.
_SOON_S = 2e-6, 50e-6
_moments = random.Random().uniform  # of its own: an answer's numbers stay as they are
_WAITS = 0.1  # of the clock's time: what computes less than this share does little but wait


class Stopped(BaseException):
    """The time is up. Not an Exception, so that a learner's ``except Exception`` lets it pass."""


class Effort:
    """How long code has worked since this was made, whatever else the machine is doing.

    Seconds that the process computed, but never more than the clock's; of code that only waits, the clock's. So an answer
    has its time also where thirty people share a machine, and one that sleeps for ever is stopped as well.
    """

    def __init__(self) -> None:
        self._clock, self._computed = perf_counter(), process_time()

    @property
    def seconds(self) -> float:
        clock, computed = perf_counter() - self._clock, process_time() - self._computed
        return clock if computed < _WAITS * clock else min(computed, clock)


@contextmanager
def graphs_cancelled_after(seconds: float) -> Iterator[None]:
    """Ends the graphs of the block after ``seconds``, and raises ``Stopped``.

    A loop in a graph runs outside of Python, where nothing else reaches it. Not to be used while operations are counted:
    TensorFlow tells nobody of a graph that can be cancelled.
    """
    found = (framework.cancellable() for framework in frameworks.loaded())
    cancellables = [each for each in found if each is not None]
    if not cancellables:
        yield
        return
    done, effort = threading.Event(), Effort()

    def watch() -> None:
        while not done.wait(AGAIN_S):
            if effort.seconds >= seconds:
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
            raise Stopped from error
        raise
    finally:
        done.set()


def time_limit(seconds: float) -> Any:
    """A context that raises ``Stopped`` in the running thread after ``seconds`` of work."""
    main = threading.current_thread() is threading.main_thread()
    return _alarm(seconds) if main and hasattr(signal, "setitimer") else _watchdog(seconds)


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    armed, rang, effort = True, False, Effort()

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal rang
        if not armed or _is_making_an_error(frame) or (_is_clearing_up(frame) if rang else effort.seconds < seconds):
            return
        if rang:
            # A bare `except:` in a loop swallowed the first one. Only one that comes between the loop's tries ends it.
            signal.setitimer(signal.ITIMER_REAL, _moments(*_SOON_S), AGAIN_S)
        rang = True
        raise Stopped

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_S)
    try:
        yield
    except Exception as error:
        if rang:  # a framework's own code was interrupted, and made another error of it
            raise Stopped from error
        raise
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _is_making_an_error(frame: FrameType | None) -> bool:
    """Whether an error is on its way, as when TensorFlow asked for memory too long: it says more than that time is up."""
    return frame is not None and isinstance(frame.f_locals.get("self"), BaseException)


def _is_clearing_up(frame: FrameType | None) -> bool:
    """Whether the course's own code runs, or a ``with`` is being left: what they put back must not be cut short."""
    if frame is not None and frame.f_globals.get("__name__", "").startswith("course_utils."):
        return True
    while frame is not None:
        if frame.f_code.co_name == "__exit__" and frame.f_code.co_filename == contextlib.__file__:
            return True
        frame = frame.f_back
    return False


def _watchdog(seconds: float) -> Any:
    """For Windows and for threads, where no signal arrives."""
    effort, over = Effort(), False

    def due() -> bool:
        nonlocal over
        over = over or effort.seconds >= seconds
        return over

    return raised_when(due, Stopped)
