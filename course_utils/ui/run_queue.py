"""Runs one race at a time in a kernel, and stops all of them on a kernel interrupt.

Runs wait in a queue for their turn, whichever thread they are in. An interrupt also stops them if the kernel is idle
and only a race's thread works.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from types import FrameType


@dataclass(eq=False)
class QueuedRun:
    """One waiting or running run of the race ``race``; setting ``cancel`` ends it between two calls."""

    race: str
    cancel: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread = field(default_factory=threading.current_thread)


_queue: list[QueuedRun] = []
_changed = threading.Condition()
_stops_on_interrupt = False


@contextmanager
def wait_for_turn(run: QueuedRun, on_wait: Callable[[str], None] = lambda race: None) -> Iterator[None]:
    """Enter the block when no other run is in its block; earlier runs of the same race are stopped first.

    A cancelled run stops waiting and enters the block with its ``cancel`` set, so that its work ends at once.

    Args:
        run: the run that waits.
        on_wait: called with the name of the race at the front, whenever that changes.
    """
    with _changed:
        for earlier in _queue:
            if earlier.race == run.race:
                earlier.cancel.set()
        _queue.append(run)
        reported = None
        while _queue[0] is not run and not run.cancel.is_set():
            if _queue[0].race != reported:
                reported = _queue[0].race
                on_wait(reported)
            _changed.wait(0.1)
    try:
        yield
    finally:
        with _changed:
            _queue.remove(run)
            _changed.notify_all()


def stop_all() -> tuple[QueuedRun, ...]:
    """Cancel every run and return those that were not cancelled before."""
    # This takes no lock, because a signal handler calls it, perhaps while its own thread holds the lock.
    stopped = tuple(run for run in tuple(_queue) if not run.cancel.is_set())
    for run in stopped:
        run.cancel.set()
    return stopped


def stop_on_interrupt() -> None:
    """From now on a kernel interrupt stops all runs, in this cell, in later cells, and while the kernel is idle.

    ipykernel admits SIGINT only while it handles a message, and sets its own handler for each message. So the handler
    is installed once in the idle state, and again at the start of every cell. Outside a kernel this does nothing.
    """
    global _stops_on_interrupt
    from IPython import get_ipython

    shell = get_ipython()
    kernel = getattr(shell, "kernel", None)
    if kernel is None or _stops_on_interrupt or threading.current_thread() is not threading.main_thread():
        return
    _stops_on_interrupt = True
    install_interrupt_handler()
    shell.events.register("pre_run_cell", lambda info: install_interrupt_handler())
    kernel.io_loop.add_callback(install_interrupt_handler)


def install_interrupt_handler() -> None:
    """From now on, SIGINT stops all runs and then calls the present handler, a message's or the idle kernel's."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, partial(_stop_runs, signal.getsignal(signal.SIGINT)))


def _stop_runs(previous_handler: Callable | int | None, number: int, frame: FrameType | None) -> None:
    stopped = stop_all()
    # A run in this thread ends by itself between two calls; a second interrupt ends a run that hangs in a call.
    if callable(previous_handler) and not any(run.thread is threading.current_thread() for run in stopped):
        previous_handler(number, frame)
