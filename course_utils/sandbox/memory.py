"""Holds this process to the memory that is free, so that what asks for too much gets an error, and the kernel lives.

It frees nothing and counts nothing; where the system cannot limit a process, it does nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

from course_utils import frameworks
from course_utils.sandbox.interrupting import raised_when

_CONTAINER = Path("/sys/fs/cgroup")
_lock = threading.Lock()
_limits: list[int] = []  # one for each block that lasts, in any thread: the limit itself belongs to the process


@contextmanager
def limited(allowed: int | None = None) -> Iterator[None]:
    """Let the process grow by four fifths of the memory that is free, and by no more than ``allowed`` bytes.

    Beyond it, an allocation fails with an error that can be told, instead of the system ending the kernel. A framework that
    ends the process itself where one of its own small allocations fails has more room, and what it holds is watched.
    """
    try:
        held, free = _held(), _free()
    except OSError:  # not Linux
        yield
        return
    growth = free * 4 // 5 if allowed is None else min(allowed, free * 4 // 5)
    watched = any(framework.ends_process_without_memory for framework in frameworks.loaded())
    room = min(2 * growth, free * 19 // 20) if watched else growth
    watch = raised_when(lambda: _held() > held + growth, MemoryError) if watched else nullcontext()
    with watch, _data_limit(held + room):
        yield


def limited_on(device: str) -> AbstractContextManager[None]:
    """``limited`` for work on ``device``: only the host's memory can be limited, and only it ends the kernel."""
    return limited() if device == "cpu" else nullcontext()


@contextmanager
def _data_limit(limit: int) -> Iterator[None]:
    """Hold the process to ``limit`` bytes of data, or to what another block asks for if that is less."""
    import resource

    with _lock:
        if not _limits:
            _limits.append(resource.getrlimit(resource.RLIMIT_DATA)[0])
        _limits.append(limit)
        _set_least()
    try:
        yield
    finally:
        with _lock:
            _limits.remove(limit)
            _set_least()
            if len(_limits) == 1:
                _limits.clear()


def _set_least() -> None:
    import resource

    unlimited = resource.RLIM_INFINITY
    least = min((limit for limit in _limits if limit != unlimited), default=unlimited)
    resource.setrlimit(resource.RLIMIT_DATA, (least, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def _held() -> int:
    """Bytes of memory that this process has asked for."""
    with open("/proc/self/status", encoding="ascii") as status:
        return _bytes(status.read(), "VmData")


def _free() -> int:
    """Bytes that this process could still get: of the machine's memory, and of its container's where it runs in one."""
    with open("/proc/meminfo", encoding="ascii") as memory:
        free = _bytes(memory.read(), "MemAvailable")
    with suppress(OSError, ValueError):  # no container, or one without a limit: its file says "max"
        limit = int((_CONTAINER / "memory.max").read_text())
        free = min(free, limit - int((_CONTAINER / "memory.current").read_text()))
    return free


def _bytes(text: str, name: str) -> int:
    line = next(line for line in text.splitlines() if line.startswith(f"{name}:"))
    return int(line.split()[1]) * 1024
