"""Ends processes that an answer leaves behind, such as the workers of a pool that waits forever."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def end_new_processes() -> Iterator[None]:
    """Kill the processes that ``multiprocessing`` starts in the block and that still run at its end.

    Python waits for them when it ends, perhaps forever. Daemonic processes stay, because Python ends them itself, and
    a ``multiprocessing.Pool`` would replace them.
    """
    before = {*multiprocessing.active_children()}
    try:
        yield
    finally:
        for process in {*multiprocessing.active_children()} - before:
            if not process.daemon:
                process.kill()
                process.join()
