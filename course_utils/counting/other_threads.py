"""Counts what a call runs in other threads and processes, because the other counters don't see it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from typing import Any
from unittest.mock import patch

from course_utils.counting.tally import Tally

# Frameworks start threads of their own, which don't run the learner's code.
_FRAMEWORK_PACKAGES = ("torch.", "tensorflow.", "keras.")


@contextmanager
def counting(tally: Tally) -> Iterator[None]:
    """Add to ``tally`` the Python threads and processes that this thread starts inside the block, and its submissions to
    thread pools.

    ``Thread.start`` and ``ThreadPoolExecutor.submit`` are wrapped inside the block, because a pool's threads may have
    started before it. A profile function is not an alternative: one that removes itself can deadlock two new threads of
    Python 3.11.
    """
    caller, submit = threading.get_ident(), ThreadPoolExecutor.submit

    def count(function: object) -> None:
        module = str(getattr(function, "__module__", ""))
        if threading.get_ident() == caller and not module.startswith(_FRAMEWORK_PACKAGES):
            tally.threads += 1

    def counting_starts(start: Callable[[Any], None]) -> Callable[[Any], None]:
        def counted_start(thread_or_process: Any) -> None:
            count(getattr(thread_or_process, "_target", None))
            start(thread_or_process)

        return counted_start

    def counted_submit(pool: ThreadPoolExecutor, function: Callable[..., Any], /, *args: Any, **named: Any) -> Future:
        count(function)
        return submit(pool, function, *args, **named)

    with (
        patch.object(threading.Thread, "start", counting_starts(threading.Thread.start)),
        patch.object(BaseProcess, "start", counting_starts(BaseProcess.start)),
        patch.object(ThreadPoolExecutor, "submit", counted_submit),
    ):
        yield
