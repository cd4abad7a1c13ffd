"""Sees threads that a call starts: what runs in them passes the counters by."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from course_utils.counting.tally import Tally

_FRAMEWORKS = ("torch.", "tensorflow.", "keras.")  # they start threads of their own, which compute nothing of ours


@contextmanager
def counting(tally: Tally) -> Iterator[None]:
    """Add to ``tally`` the Python threads that are started while the block lasts."""

    def begins(frame: FrameType, event: str, arg: Any) -> None:
        sys.setprofile(None)  # in this one thread, and after its first call: that it runs is all there is to know
        target = getattr(threading.current_thread(), "_target", None)
        if not str(getattr(target, "__module__", "")).startswith(_FRAMEWORKS):
            tally.threads += 1

    before = threading.getprofile()
    threading.setprofile(begins)
    try:
        yield
    finally:
        threading.setprofile(before)
