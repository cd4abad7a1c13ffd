"""One race at a time in a kernel, and one way to stop them all.

Runs wait in a queue for their turn, whichever thread they are in. A kernel interrupt stops every run, also when the kernel
is idle but for a race's thread. It knows nothing of what is run.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial


@dataclass(eq=False)
class Run:
    """One run of the race `race`, waiting or racing; setting `cancel` ends it between two calls."""

    race: str
    cancel: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread = field(default_factory=threading.current_thread)


_queue: list[Run] = []
_changed = threading.Condition()
_heeding = False


@contextmanager
def turn(run: Run, on_wait: Callable[[str], None] = lambda race: None) -> Iterator[None]:
    """Hold the track for `run` inside the block; earlier runs of the same race are stopped, others are waited for.

    `on_wait` is told the name of the race in front whenever that changes. A cancelled run stops waiting and enters the
    block with its `cancel` set, so that whatever runs there ends at once.
    """
    with _changed:
        for earlier in _queue:
            if earlier.race == run.race:
                earlier.cancel.set()
        _queue.append(run)
        told = None
        while _queue[0] is not run and not run.cancel.is_set():
            if _queue[0].race != told:
                told = _queue[0].race
                on_wait(told)
            _changed.wait(0.1)
    try:
        yield
    finally:
        with _changed:
            _queue.remove(run)
            _changed.notify_all()


def stop_all() -> tuple[Run, ...]:
    """Cancel every run, waiting or racing; returns those that were not cancelled before."""
    # A signal handler calls this, perhaps while its own thread holds the lock: so it takes none.
    stopped = tuple(run for run in tuple(_queue) if not run.cancel.is_set())
    for run in stopped:
        run.cancel.set()
    return stopped


def heed_interrupts() -> None:
    """From now on a kernel interrupt stops all runs, in this cell, in later ones, and while the kernel is idle.

    ipykernel lets SIGINT through only while a message is being handled, and sets its own handler anew for each: hence one
    link into the idle state, and one at the start of every cell. Elsewhere than in a kernel this does nothing.
    """
    global _heeding
    from IPython import get_ipython

    shell = get_ipython()
    kernel = getattr(shell, "kernel", None)
    if kernel is None or _heeding or threading.current_thread() is not threading.main_thread():
        return
    _heeding = True
    take_interrupts()
    shell.events.register("pre_run_cell", lambda info: take_interrupts())
    kernel.io_loop.add_callback(take_interrupts)


def take_interrupts() -> None:
    """Put ourselves in front of whatever handles SIGINT now: in the message that the kernel is handling, or while it idles."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, partial(_interrupted, signal.getsignal(signal.SIGINT)))


def _interrupted(before, number, frame) -> None:
    stopped = stop_all()
    # A run in this very thread ends by itself, between two calls; a second interrupt is for one that hangs in a call.
    if callable(before) and not any(run.thread is threading.current_thread() for run in stopped):
        before(number, frame)
