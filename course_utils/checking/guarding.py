"""Runs a learner's function so that it can do no harm: stopped when it never returns, refused memory without end, its
prints held back, everybody's random numbers put back. It does not judge what the function returns.
"""

from __future__ import annotations

import io
import logging
import random
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from time import perf_counter
from types import FrameType
from typing import Any

from course_utils import devices, memory
from course_utils.interrupting import AGAIN_S, raised_when

MEMORY_ALLOWED = 2 * 2**30
"""Bytes that an answer may take on top of what the kernel holds: no exercise needs a tenth of it."""

LINES_SHOWN, CHARACTERS_SHOWN = 12, 1000
"""How much of a learner's own prints is shown."""


class Stopped(BaseException):
    """The time is up. Not an Exception, so that a learner's ``except Exception`` lets it pass."""


class Prints(io.TextIOBase):
    """Takes what is printed and keeps the beginning."""

    def __init__(self) -> None:
        super().__init__()
        self._kept = ""
        self._dropped = False

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        room = CHARACTERS_SHOWN - len(self._kept)
        self._kept += text[:room]
        self._dropped = self._dropped or len(text) > room
        return len(text)

    @property
    def text(self) -> str:
        """What to show: the beginning, and a sentence where there was more."""
        lines = self._kept.splitlines()
        cut = self._dropped or len(lines) > LINES_SHOWN
        return "\n".join(lines[:LINES_SHOWN] + ["(It printed more; the rest is cut.)"] * cut)


@contextmanager
def guarded(seconds: float, prints: Prints | None = None) -> Iterator[None]:
    """Guard the block; raises ``Stopped`` inside it after ``seconds``.

    One long call into a framework cannot be interrupted: it is stopped when it comes back to Python.
    """
    sink = Prints() if prints is None else prints
    with ExitStack() as guards:
        guards.enter_context(settings_kept())
        guards.enter_context(memory.limited(MEMORY_ALLOWED))
        guards.enter_context(redirect_stdout(sink))
        guards.enter_context(redirect_stderr(sink))
        guards.enter_context(time_limit(seconds))
        yield


@contextmanager
def settings_kept() -> Iterator[None]:
    """Put back the state of every random generator, and torch's defaults, as they were before the block."""
    python = random.getstate()
    numpy = sys.modules["numpy"].random.get_state() if "numpy" in sys.modules else None
    frameworks = [_STATES[name]() for name in devices.loaded()]
    try:
        yield
    finally:
        random.setstate(python)
        if numpy is not None:
            sys.modules["numpy"].random.set_state(numpy)
        for put_back in frameworks:
            put_back()


@contextmanager
def remarks_dropped() -> Iterator[None]:
    """Keep off the page what TensorFlow remarks on functions that are traced often: slow loops and answers alike are.

    Its logger holds on to the stderr that it met at import, so redirecting stderr does not reach it.
    """
    logger = logging.getLogger("tensorflow")
    drop = lambda record: False
    logger.addFilter(drop)
    try:
        yield
    finally:
        logger.removeFilter(drop)


def time_limit(seconds: float) -> Any:
    """A context that raises ``Stopped`` in the running thread after ``seconds``."""
    main = threading.current_thread() is threading.main_thread()
    return _alarm(seconds) if main and hasattr(signal, "setitimer") else _watchdog(seconds)


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    armed, rang = True, False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal rang
        if armed:
            rang = True
            raise Stopped

    before = signal.signal(signal.SIGALRM, stop)
    # Again and again: a bare `except:` in a loop swallows the first one.
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


def _watchdog(seconds: float) -> Any:
    """For Windows and for threads, where no signal arrives."""
    end = perf_counter() + seconds
    return raised_when(lambda: perf_counter() >= end, Stopped)


def _torch_state() -> Any:
    torch = sys.modules["torch"]
    cpu, dtype, gradients = torch.get_rng_state(), torch.get_default_dtype(), torch.is_grad_enabled()
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else None
    threads = torch.get_num_threads()

    def put_back() -> None:
        torch.set_rng_state(cpu)
        torch.set_default_dtype(dtype)
        torch.set_grad_enabled(gradients)
        if torch.get_num_threads() != threads:
            torch.set_num_threads(threads)
        if cuda is not None:
            torch.cuda.set_rng_state_all(cuda)

    return put_back


def _tensorflow_state() -> Any:
    from tensorflow.python.eager import context
    from tensorflow.python.ops import stateful_random_ops

    eager = context.context()
    seed, numbers = eager._seed, eager._rng.getstate() if hasattr(eager, "_rng") and eager._rng else None
    generator = stateful_random_ops.global_generator
    state = None if generator is None else generator.state.numpy()

    def put_back() -> None:
        eager._seed = seed
        if numbers is not None:
            eager._rng.setstate(numbers)
        stateful_random_ops.global_generator = generator
        if generator is not None:
            generator.state.assign(state)

    return put_back


_STATES = {"torch": _torch_state, "tensorflow": _tensorflow_state}
