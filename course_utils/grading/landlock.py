"""Landlock: from now on, this process and what it starts can access only the given folders, and open no TCP connection.

The structures and numbers are those of Linux's ``landlock.h`` (https://docs.kernel.org/userspace-api/landlock.html).
"""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Iterable
from contextlib import suppress

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_VERSION, _PATH_BENEATH = 1, 1
_NO_NEW_PRIVILEGES = 38
_READ = 1 << 0 | 1 << 2 | 1 << 3  # execute, read files, list folders
_WRITE = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 14  # write, remove, make folders and files, truncate
_OF_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14  # execute, write, read, truncate; the others are for folders
# Version of Landlock → how many kinds of access to files it can refuse.
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
# All accesses to the network; all signals to, and sockets of, processes outside.
_NETWORK_RIGHTS, _SCOPES = 0b11, 0b11
_SCOPES_SINCE = 6


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """Return the version of Landlock that this system offers; 0 if none."""
    if platform.system() != "Linux":
        return 0
    return max(0, int(_libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))))


def stops_signals() -> bool:
    """Return whether a restricted process can signal only itself and what it starts."""
    return version() >= _SCOPES_SINCE


def restrict(readable: Iterable[str], writable: Iterable[str] = ()) -> None:
    """Refuse every access to files that are not below one of the folders. Files that are open stay open.

    Raises:
        OSError: the system refuses.
    """
    offered = version()
    libc, handled = _libc(), (1 << _FILE_RIGHTS[min(offered, 5)]) - 1 if offered else 0
    if not offered:
        raise OSError("Landlock is not available")
    rules = _Ruleset(handled, _NETWORK_RIGHTS if offered >= 4 else 0, _SCOPES if offered >= _SCOPES_SINCE else 0)
    size = 8 if offered < 4 else 16 if offered < _SCOPES_SINCE else 24
    ruleset = libc.syscall(_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    _require(ruleset)
    for folders, rights in ((readable, _READ), (writable, _READ | _WRITE)):
        for folder in folders:
            with suppress(OSError):
                _allow(libc, ruleset, folder, rights & handled)
    _require(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _require(libc.syscall(_RESTRICT_SELF, ruleset, ctypes.c_uint32(0)))
    os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):
            rights &= _OF_FILES
        rule = _PathRule(rights, opened)
        _require(libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), ctypes.c_uint32(0)))
    finally:
        os.close(opened)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _require(result: int) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
