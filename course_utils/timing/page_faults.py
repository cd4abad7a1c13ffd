"""What fresh memory costs: how many of its pages the system had to provide, and what one of them takes."""

from __future__ import annotations

import mmap
from functools import lru_cache
from time import perf_counter

_PAGES = 8192  # more than a cache holds: pages that are in a cache are filled with zeros much faster


def page_faults() -> int:
    """Pages that the system has provided to this process so far; always 0 where it does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


@lru_cache(maxsize=1)
def fault_s() -> float:
    """Seconds until a page of new memory can be written to for the first time, the least of several tries; 0 if nobody counts.

    The system fills a page with zeros first, which is most of it. Where it hands out larger pages than it is asked for, one
    costs more, and there are fewer of them.
    """
    return min(_one_try() for _ in range(3)) if page_faults() else 0.0


def _one_try() -> float:
    size = _PAGES * mmap.PAGESIZE
    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        before = page_faults()
        start = perf_counter()
        memory[:: mmap.PAGESIZE] = b"x" * _PAGES
        seconds = perf_counter() - start
        provided = page_faults() - before
    return seconds / provided if provided else 0.0
