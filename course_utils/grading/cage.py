"""The cage of a child: what the child may read, and how much of each resource it may use. A child enters it for good.

Landlock or bubblewrap blocks files, a filter of system calls blocks the network, signals and other processes, and limits
bound memory, processes, files and time. If the system offers them, namespaces add a network without devices, and an
unprivileged user replaces root. ``probe`` tries each wall from inside.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import socket
import struct
import sys
import sysconfig
from contextlib import suppress
from enum import IntEnum
from functools import cache
from pathlib import Path

import numpy as np

from course_utils.grading import landlock, seccomp
from course_utils.sandbox.confine_in_process import ANSWER_MEMORY_BYTES

_CPU_S, _FILES, _PROCESSES, _LARGEST_FILE = 600, 256, 256, 64 << 20
_NEW_NETWORK, _NEW_IPC, _NEW_USER, _NEW_MOUNTS = 0x40000000, 0x08000000, 0x10000000, 0x00020000
_SEMAPHORES = "/dev/shm"
# Flags of mount. _PRIVATE also applies to all mounts below; _ONLY_DATA forbids set-user-id, devices and programs.
_PRIVATE, _ONLY_DATA = 1 << 18 | 1 << 14, 1 << 1 | 1 << 2 | 1 << 3
_DEATH_SIGNAL, _SUBREAPER, _DUMPABLE = 1, 36, 4
NOBODY = 65534
_KEEP_CAPABILITIES, _CAPABILITY_VERSION, _READ_ALL = 8, 0x20080522, 1 << 2
_AMBIENT, _RAISE, _READ_ALL_NUMBER = 47, 2, 2
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_COURSE = Path(__file__).resolve().parents[1]
# TensorFlow reads its own path from /proc/self/cmdline.
_SYSTEM = ("/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo", "/lib", "/lib64", "/etc/ld.so.cache", 
           "/dev/urandom", "/dev/zero", "/sys/devices/system/cpu", "/proc/cpuinfo", "/proc/meminfo", "/proc/self/cmdline")  # fmt: skip
_COMPILING = ("/usr/bin", "/usr/include", "/usr/libexec", "/bin", "/proc")


class Rights(IntEnum):
    """What a child may do; each right includes the rights before it."""

    COMPUTE = 0
    COMPILE = 1
    """Start a compiler, and write files in a folder of its own."""
    START_PROCESSES = 2
    """Start processes that share semaphores, and signal them."""


def readable_paths(compiles: bool = False) -> list[str]:
    """Return what a child may read: Python, the packages, the system's libraries, and the course without its tests."""
    # torch's compiler starts the system's compiler, and Python.
    compiling = (*_COMPILING, sys.prefix, str(Path(sys.executable).resolve().parent)) if compiles else ()
    return [*_installed_paths(), str(_COURSE), sys.base_prefix + "/lib", *_SYSTEM, *compiling]


@cache
def _installed_paths() -> tuple[str, ...]:
    """Return the paths of Python and the installed packages; a zygote looks for them once for all of its children."""
    packages = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib", "include")}
    return (*packages, *(path for path in sys.path if "site-packages" in path or "dist-packages" in path))


def die_with_parent(parent: int | None = None) -> None:
    """End this process when its parent ends; ``parent``: its id, to notice that it has ended already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        if parent is not None and os.getppid() != parent:
            os._exit(1)


def adopt_orphans() -> None:
    """Become the parent of every orphaned descendant, so that all descendants can be ended."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def hide_from_its_user() -> None:
    """Prevent other processes of the same user from reading or writing the memory of this one."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DUMPABLE, 0, 0, 0, 0)


def keep_freed_memory() -> None:
    """Keep freed memory in this process, so that the calls of a race don't cause new page faults."""
    with suppress(AttributeError, TypeError):  # not every system's C library offers it
        libc = ctypes.CDLL(None)
        libc.mallopt(_MMAP_THRESHOLD, 32 << 20)
        libc.mallopt(_TRIM_THRESHOLD, 1 << 30)


def enter(
    rights: Rights,
    folder: str | None = None,
    reads_all: bool = False,
    has_landlock: bool = True,
    is_alone: bool = False,
) -> None:
    """Enter the cage.

    Args:
        rights: what the answer may do in the cage.
        folder: a folder of its own, to create files in.
        reads_all: whether the user that replaces root may read root's files within ``readable_paths``, because Python
            itself may be in root's home folder.
        has_landlock: whether the system offers Landlock; if not, the process must be inside of bubblewrap.
        is_alone: whether the process is the first one in a PID namespace of its own, which no signal leaves.

    Raises:
        OSError: this system refuses a wall that the cage needs.
    """
    compiles, shares_memory = rights >= Rights.COMPILE, rights == Rights.START_PROCESSES
    readable = readable_paths(compiles)
    if shares_memory:
        if not (is_alone or has_landlock and landlock.stops_signals()):
            raise OSError("signals reach other processes")
        _hide_shared_memory()
    _limit(compiles, writes=folder is not None)
    _leave_network()
    os.chdir(folder or "/")
    if os.geteuid() == 0:
        _become_nobody()
    _drop_capabilities(_READ_ALL if reads_all else 0)
    hide_from_its_user()
    die_with_parent()  # Linux clears this setting when a process changes its user.
    if has_landlock:
        landlock.restrict(readable, [os.devnull, *filter(None, (folder, _SEMAPHORES if shares_memory else None))])
    seccomp.restrict(may_start_processes=compiles, may_signal=shares_memory)


def _hide_shared_memory() -> None:
    """Replace the system's shared memory by a small empty one, only for this process and what it starts."""
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()

    def require(result: int) -> None:
        if result:
            raise OSError(ctypes.get_errno(), "memory that processes share cannot be hidden")

    require(libc.unshare(_NEW_MOUNTS | (_NEW_USER if user else 0)))
    if user:  # Only root may mount, except in a user namespace.
        libc.prctl(_DUMPABLE, 1, 0, 0, 0)
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            Path("/proc/self", name).write_text(text, encoding="ascii")
    require(libc.mount(None, b"/", None, ctypes.c_ulong(_PRIVATE), None))
    options = f"size={_LARGEST_FILE},nr_inodes={_FILES},mode=1777".encode()
    require(libc.mount(b"tmpfs", _SEMAPHORES.encode(), b"tmpfs", ctypes.c_ulong(_ONLY_DATA), options))


def _limit(compiles: bool, writes: bool) -> None:
    import resource

    with open("/proc/self/status", encoding="ascii") as status:
        held = {line.split(":")[0]: line.split()[1] for line in status if line.startswith("Vm")}
    limits = {
        resource.RLIMIT_CPU: _CPU_S,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: _LARGEST_FILE if writes else 0,  # AutoGraph writes the code that it generates
        resource.RLIMIT_NOFILE: _FILES,
        resource.RLIMIT_DATA: 1024 * int(held["VmData"]) + ANSWER_MEMORY_BYTES,
        # Shared memory is not data, but it takes addresses. Threads and libraries take many addresses and little memory.
        resource.RLIMIT_AS: 1024 * int(held["VmSize"]) + 2 * ANSWER_MEMORY_BYTES,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    if compiles:
        limits[resource.RLIMIT_NPROC] = _threads_of_user() + _PROCESSES
    for kind, value in limits.items():
        _, hard = resource.getrlimit(kind)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))


def _threads_of_user() -> int:
    """Return the number of threads of the user who runs the answer; the system limits their number."""
    user, threads = str(NOBODY if os.geteuid() == 0 else os.geteuid()), 0
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            fields = dict(line.split(":", 1) for line in status.read_text("ascii", "replace").splitlines())
            threads += int(fields["Threads"]) if fields["Uid"].split()[0] == user else 0
    return threads


def _become_nobody() -> None:
    """Change the user, and keep the capabilities."""
    ctypes.CDLL(None).prctl(_KEEP_CAPABILITIES, 1, 0, 0, 0)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def _drop_capabilities(capabilities: int) -> None:
    """Drop every capability except those in ``capabilities``."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = struct.pack("Ii", _CAPABILITY_VERSION, 0)
    if libc.capset(header, struct.pack("6I", capabilities, capabilities, capabilities, 0, 0, 0)):
        raise OSError(ctypes.get_errno(), "the capabilities cannot be dropped")
    if capabilities:  # a compiler that the answer starts reads Python's headers
        libc.prctl(_AMBIENT, _RAISE, _READ_ALL_NUMBER, 0, 0)


def _leave_network() -> None:
    """Enter a network namespace without devices, if the system allows it; otherwise the filter refuses every socket."""
    libc = ctypes.CDLL(None, use_errno=True)
    if os.geteuid() == 0:
        libc.unshare(_NEW_NETWORK | _NEW_IPC)


def probe() -> list[str]:
    """In a cage: return the walls that do not hold, as ends of the sentence "A child can …"."""
    holes = []
    with suppress(OSError):
        if "passwd" in os.listdir("/etc"):
            holes.append("list the system's folders")
    with suppress(OSError):
        Path("/etc/passwd").read_bytes()
        holes.append("read the system's files")
    with suppress(OSError):
        Path("/tmp/unloop-probe").write_bytes(b"x")
        holes.append("write files")
    with suppress(OSError):
        socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()
        holes.append("open a connection")
    with suppress(OSError):
        os.kill(os.getppid() or -1, 0)  # in a PID namespace of its own, it sees no parent
        holes.append("send signals to other processes")
    with suppress(OSError, ValueError, MemoryError):
        mmap.mmap(-1, 3 * ANSWER_MEMORY_BYTES).close()
        holes.append("take more memory than an answer may have")
    with suppress(OSError):
        if os.fork() == 0:
            os._exit(0)
        holes.append("start processes")
    try:
        for path in (_COURSE / "__init__.py", Path(os.__file__), Path(np.__file__)):
            path.read_bytes()
    except OSError:
        holes.append("no longer read Python's own files")
    return holes
