"""Counts what a call runs in other threads, because the other counters don't see it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from course_utils.counting.tally import Tally

# Frameworks start threads of their own, which don't run the learner's code.
_FRAMEWORK_PACKAGES = ("torch.", "tensorflow.", "keras.")


@contextmanager
def counting(tally: Tally) -> Iterator[None]:
    """Add to ``tally`` the Python threads that this thread starts inside the block, and its submissions to thread
    pools.

    ``Thread.start`` and ``ThreadPoolExecutor.submit`` are wrapped inside the block, because a pool's threads may have
    started before it. A profile function is not an alternative: one that removes itself can deadlock two new threads of
    Python 3.11.
    """
    caller, start, submit = threading.get_ident(), threading.Thread.start, ThreadPoolExecutor.submit

    def count(function: object) -> None:
        module = str(getattr(function, "__module__", ""))
        if threading.get_ident() == caller and not module.startswith(_FRAMEWORK_PACKAGES):
            tally.threads += 1

    def counted_start(thread: threading.Thread) -> None:
        count(getattr(thread, "_target", None))
        start(thread)

    def counted_submit(pool: ThreadPoolExecutor, function: Callable[..., Any], /, *args: Any, **named: Any) -> Future:
        count(function)
        return submit(pool, function, *args, **named)

    with (
        patch.object(threading.Thread, "start", counted_start),
        patch.object(ThreadPoolExecutor, "submit", counted_submit),
    ):
        yield
