"""Raises an exception in a running thread from another one, to end code that does not end by itself.

A long call into a framework cannot be interrupted: the exception arrives when that call returns to Python.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

RETRY_S = 0.05


@contextmanager
def raise_when(is_due: Callable[[], bool], error: type[BaseException]) -> Iterator[None]:
    """Raise ``error`` in the block once ``is_due()`` is true, and again every ``RETRY_S`` seconds until the block ends.

    One exception is not enough, because a bare ``except:`` in a loop swallows it.
    """
    thread = ctypes.c_ulong(threading.get_ident())
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
    done, lock = threading.Event(), threading.Lock()
    raised = False

    def watch() -> None:
        nonlocal raised
        while not done.wait(RETRY_S):
            with lock:
                if not done.is_set() and is_due():
                    raised = True
                    raise_in(thread, ctypes.py_object(error))

    threading.Thread(target=watch, name="unloop-watch", daemon=True).start()
    try:
        yield
    except Exception as other:
        # An interrupted framework may turn the exception into an error of its own.
        if raised:
            raise error from other
        raise
    finally:
        with lock:
            done.set()
        if raised:
            _flush_pending(thread)


class _Flush(BaseException):
    """Replaces a sent exception that may not have arrived yet."""


def _flush_pending(thread: ctypes.c_ulong) -> None:
    """Replace the exception that may still be pending in this thread, and receive the new one.

    ``PyThreadState_SetAsyncExc`` can also withdraw an exception, but then the interpreter keeps checking for one: each
    later step takes longer, and under a trace function Python 3.11 accepts no further exception.
    """
    try:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(_Flush))
        while True:
            pass  # it arrives in one of the first iterations
    except _Flush:
        pass
