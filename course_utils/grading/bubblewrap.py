"""Bubblewrap: starts a zygote in a world that has no network, no other process, and only the files that children may read.

The children's own cage (``cage.enter``) stands inside of it. Bubblewrap is needed if Linux lacks Landlock, or if the grader
doesn't run as root, who may make a world of processes without it: whatever an answer has started then ends with its zygote.
"""

from __future__ import annotations

import os
import shutil
import socket
import struct
import sys
from collections.abc import Iterable

from course_utils.grading import landlock

_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
_CREDENTIALS = struct.Struct("3i")


def is_useful() -> bool:
    """Whether this system has bubblewrap and lacks something that it adds."""
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        return False
    return os.geteuid() != 0 or not landlock.version()


def command(readable: Iterable[str], folder: str, writable: str) -> list[str]:
    """The beginning of a command line; the rest of it is the command that runs inside.

    Args:
        readable: what the command may read, if it exists.
        folder: the command's working folder, which it may read.
        writable: a folder below ``folder`` in which it may create files.
    """
    # Bubblewrap doesn't replace /proc by a bind, and each new process world needs its own.
    bound = [path for path in dict.fromkeys(readable) if not path.startswith(("/proc", "/dev"))]
    # The zygote itself is the first process of that world: an answer could write to the memory of bubblewrap's own one.
    return [
        "bwrap", "--die-with-parent", "--unshare-pid", "--as-pid-1", "--unshare-net", "--unshare-ipc",
        *(() if os.geteuid() == 0 else ("--unshare-user",)),
        "--tmpfs", "/", *(word for path in sorted(bound) for word in ("--ro-bind-try", path, path)),
        "--proc", "/proc", *(word for path in _DEVICES for word in ("--dev-bind", path, path)),
        "--ro-bind", folder, folder, "--bind", writable, writable, "--remount-ro", "/", "--chdir", folder, "--",
    ]  # fmt: skip


def ask_for_sender(connection: socket.socket) -> None:
    """Let the system note with each message who sent it."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)


def sender(connection: socket.socket, seconds: float) -> int | None:
    """The id, as this process sees it, of the process that sent the next message; None if none comes.

    Inside of bubblewrap a process has another id.
    """
    connection.settimeout(seconds)
    try:
        _, notes, _, _ = connection.recvmsg(1, socket.CMSG_SPACE(_CREDENTIALS.size), socket.MSG_PEEK)
    except OSError:
        return None
    finally:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
    ids = [_CREDENTIALS.unpack(data)[0] for _, kind, data in notes if kind == socket.SCM_CREDENTIALS]
    return ids[0] if ids else None
