"""Bubblewrap: starts a zygote in namespaces without a network, without other processes, and with only the files that
children may read.

The children's own cage (``cage.enter``) is inside of it. Bubblewrap is needed if Linux lacks Landlock, or if the grader
doesn't run as root. Root can create a PID namespace without it. When the zygote of a PID namespace ends, everything
that an answer has started also ends.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable

from course_utils.grading import landlock

_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")


def is_useful() -> bool:
    """Return whether this system has bubblewrap and lacks something that it adds."""
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        return False
    return os.geteuid() != 0 or not landlock.version()


def command(readable: Iterable[str], folder: str, writable: str) -> list[str]:
    """Return the beginning of a command line; the rest of it is the command that runs inside.

    Args:
        readable: what the command may read, if it exists.
        folder: the command's working folder, which it may read.
        writable: a folder below ``folder`` in which it may create files.
    """
    # Bubblewrap can't bind /proc, and each new PID namespace needs its own.
    bound = [path for path in dict.fromkeys(readable) if not path.startswith(("/proc", "/dev"))]
    # The zygote itself is the namespace's first process: an answer could write to a process of bubblewrap.
    return [
        "bwrap", "--die-with-parent", "--unshare-pid", "--as-pid-1", "--unshare-net", "--unshare-ipc",
        *(() if os.geteuid() == 0 else ("--unshare-user",)),
        "--tmpfs", "/", *(word for path in sorted(bound) for word in ("--ro-bind-try", path, path)),
        "--proc", "/proc", "--dir", "/dev/shm", *(word for path in _DEVICES for word in ("--dev-bind", path, path)),
        "--ro-bind", folder, folder, "--bind", writable, writable, "--remount-ro", "/", "--chdir", folder, "--",
    ]  # fmt: skip
