"""Limits this process to the memory that is free, so that an oversized allocation raises an error and the kernel
survives.

If the system cannot limit a process, nothing is limited.
"""

from __future__ import annotations

import mmap
import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache

from course_utils import frameworks
from course_utils.sandbox.raise_in_thread import raise_when

_OWN_PAGES, _MACHINE = "/proc/self/statm", "/proc/meminfo"
_CONTAINER = "/sys/fs/cgroup"
_PAGE_BYTES = mmap.PAGESIZE
_LONGEST = 4096  # The fields that are read are within this many bytes.
_lock = threading.Lock()
# The original limit, then the limit of each active block in any thread: the limit itself belongs to the process.
_limits: list[int] = []


@contextmanager
def memory_limit(max_growth: int | None = None) -> Iterator[None]:
    """Let the process grow by 80 % of the free memory inside the block, and by at most ``max_growth`` bytes.

    A larger allocation raises an error, instead of the system ending the kernel. A framework that aborts the process
    when one of its own small allocations fails gets more memory, while a thread watches how much the process holds.
    """
    try:
        held, free = _held_bytes(), _free_bytes()
    except OSError:  # not Linux
        yield
        return
    growth = free * 4 // 5 if max_growth is None else min(max_growth, free * 4 // 5)
    watched = any(framework.aborts_when_out_of_memory for framework in frameworks.loaded())
    allowed = min(2 * growth, free * 19 // 20) if watched else growth
    watch = raise_when(lambda: _held_bytes() > held + growth, MemoryError) if watched else nullcontext()
    with watch, _data_limit(held + allowed):
        yield


def memory_limit_on(device: str) -> AbstractContextManager[None]:
    """Return ``memory_limit()`` for work on the CPU; a full accelerator doesn't end the kernel and gets no limit."""
    return memory_limit() if device == "cpu" else nullcontext()


@contextmanager
def _data_limit(limit: int) -> Iterator[None]:
    """Limit the process to ``limit`` bytes of data, or to another active block's limit if that is lower."""
    import resource

    with _lock:
        if not _limits:
            _limits.append(resource.getrlimit(resource.RLIMIT_DATA)[0])
        _limits.append(limit)
        _apply_lowest()
    try:
        yield
    finally:
        with _lock:
            _limits.remove(limit)
            _apply_lowest()
            if len(_limits) == 1:
                _limits.clear()


def _apply_lowest() -> None:
    import resource

    unlimited = resource.RLIM_INFINITY
    lowest = min((limit for limit in _limits if limit != unlimited), default=unlimited)
    resource.setrlimit(resource.RLIMIT_DATA, (lowest, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def _held_bytes() -> int:
    """Return the bytes of data memory that this process has allocated, its stack included."""
    return int(_read(_OWN_PAGES).split()[5]) * _PAGE_BYTES  # The system writes this file faster than its other ones.


def _free_bytes() -> int:
    """Return the bytes that this process can still allocate: the machine's free memory, or its container's if that is
    less.
    """
    free = int(_read(_MACHINE).partition("MemAvailable:")[2].split(maxsplit=1)[0]) * 1024
    with suppress(OSError, ValueError):  # no container, or one whose limit reads "max"
        limit = int(_read(f"{_CONTAINER}/memory.max"))
        free = min(free, limit - int(_read(f"{_CONTAINER}/memory.current")))
    return free


def _read(path: str) -> str:
    """Return the beginning of a file of the system."""
    descriptor = _descriptor(path, os.getpid())
    if descriptor is None:
        raise FileNotFoundError(path)
    return os.pread(descriptor, _LONGEST, 0).decode("ascii")


@cache
def _descriptor(path: str, process: int) -> int | None:
    """Return an open descriptor in this process, None if there is no such file; a check reads the file hundreds of
    times."""
    try:
        return os.open(path, os.O_RDONLY)
    except OSError:
        return None
