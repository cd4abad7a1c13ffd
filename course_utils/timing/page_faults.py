"""Page faults: the number of pages of new memory that the system has provided, and the time of one page fault."""

from __future__ import annotations

import mmap
from functools import lru_cache
from time import thread_time

_PAGES = 8192  # These are more than a cache holds, because zeroing a cached page is much faster.


def page_faults() -> int:
    """Return the number of pages that the system has provided to this process so far; always 0 on Windows."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


@lru_cache(maxsize=1)
def page_fault_s() -> float:
    """Return the seconds of one page fault, the minimum of several tries; 0 if the system does not count them.

    Most of the time goes into zeroing the page. If the system provides larger pages, each fault takes longer, and there
    are fewer of them.
    """
    return min(_measure() for _ in range(3)) if page_faults() else 0.0


def _measure() -> float:
    size = _PAGES * mmap.PAGESIZE
    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        before = page_faults()
        start = thread_time()
        memory[:: mmap.PAGESIZE] = b"x" * _PAGES
        seconds = thread_time() - start
        faults = page_faults() - before
    return seconds / faults if faults else 0.0
