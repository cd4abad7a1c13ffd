"""Raises an exception in a running thread from outside: the way to end code that does not end by itself.

One long call into a framework cannot be interrupted: the exception arrives when the call comes back to Python.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

AGAIN_S = 0.05


@contextmanager
def raised_when(due: Callable[[], bool], error: type[BaseException]) -> Iterator[None]:
    """Another thread puts ``error`` into this one once it is ``due``, and again and again, as long as the block lasts.

    Once is not enough, as a bare ``except:`` in a loop swallows it.
    """
    thread = ctypes.c_ulong(threading.get_ident())
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
    done, lock = threading.Event(), threading.Lock()
    raised = False

    def watch() -> None:
        nonlocal raised
        while not done.wait(AGAIN_S):
            with lock:
                if not done.is_set() and due():
                    raised = True
                    raise_in(thread, ctypes.py_object(error))

    threading.Thread(target=watch, name="unloop-watch", daemon=True).start()
    try:
        yield
    except Exception as other:
        if raised:  # a framework's own code may have been interrupted, and have made another error of it
            raise error from other
        raise
    finally:
        with lock:
            done.set()
        if raised:
            _let_arrive(thread)


class _Arrived(BaseException):
    """What takes the place of an exception that was sent and may not have arrived."""


def _let_arrive(thread: ctypes.c_ulong) -> None:
    """End with no exception on its way to this thread.

    To take it back, by sending none, leaves Python's interpreter looking for one for ever: each step takes longer from then
    on, and under a trace function Python 3.11 does not take another one at all.
    """
    try:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(_Arrived))
        while True:
            pass  # it arrives in one of the first turns
    except _Arrived:
        pass
