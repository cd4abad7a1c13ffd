"""Counts the threads that a call starts, because the other counters don't see what runs in them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from course_utils.counting.tally import Tally

# Frameworks start threads of their own, which don't run the learner's code.
_FRAMEWORK_PACKAGES = ("torch.", "tensorflow.", "keras.")


@contextmanager
def counting(tally: Tally) -> Iterator[None]:
    """Add to ``tally`` the Python threads that this thread starts inside the block.

    ``Thread.start`` is wrapped for that time. A profile function is no alternative: one that removes itself can deadlock two
    new threads of Python 3.11.
    """
    caller, start = threading.get_ident(), threading.Thread.start

    def counted_start(thread: threading.Thread) -> None:
        module = str(getattr(getattr(thread, "_target", None), "__module__", ""))
        if threading.get_ident() == caller and not module.startswith(_FRAMEWORK_PACKAGES):
            tally.threads += 1
        start(thread)

    with patch.object(threading.Thread, "start", counted_start):
        yield
