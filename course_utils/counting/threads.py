"""Sees threads that a call starts: what runs in them passes the counters by."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from course_utils.counting.tally import Tally

_FRAMEWORKS = ("torch.", "tensorflow.", "keras.")  # they start threads of their own, which compute nothing of ours


@contextmanager
def counting(tally: Tally) -> Iterator[None]:
    """Add to ``tally`` the Python threads that this thread starts while the block lasts.

    ``Thread.start`` is wrapped for that long. (A profile function would not do: one that takes itself away again can
    leave two new threads of Python 3.11 waiting for each other for ever.)
    """
    caller, start = threading.get_ident(), threading.Thread.start

    def counted(thread: threading.Thread) -> None:
        module = str(getattr(getattr(thread, "_target", None), "__module__", ""))
        if threading.get_ident() == caller and not module.startswith(_FRAMEWORKS):
            tally.threads += 1
        start(thread)

    with patch.object(threading.Thread, "start", counted):
        yield
