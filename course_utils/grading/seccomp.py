"""A filter of system calls: no sockets, no signals to other processes, no look into other processes, no new programs.

If a task asks for processes, its answers may also send signals, which do not leave their cage.

The filter is a program of the kernel's packet filter, which reads ``struct seccomp_data``: the call's number at byte 0, the
architecture at byte 4, and the lower half of its first argument at byte 16
(https://docs.kernel.org/userspace-api/seccomp_filter.html).

    load number; if it is socket, return EPERM; if it is clone and the flags lack CLONE_THREAD, return EPERM; … allow
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

_LOAD, _JUMP_IF_EQUAL, _JUMP_IF_SET, _JUMP_IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_CLONE_THREAD = 0x00010000
_X32 = 0x40000000
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2

# Architecture → its number, and the numbers of its system calls.
_CALLS: dict[str, tuple[int, dict[str, int]]] = {
    "x86_64": (0xC000003E, {
        "socket": 41, "connect": 42, "accept": 43, "bind": 49, "listen": 50, "accept4": 288, "clone": 56, "clone3": 435,
        "fork": 57, "vfork": 58, "execve": 59, "execveat": 322, "kill": 62, "tkill": 200, "tgkill": 234,
        "rt_sigqueueinfo": 129, "rt_tgsigqueueinfo": 297, "pidfd_send_signal": 424, "pidfd_open": 434, "ptrace": 101,
        "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "mount": 165, "umount2": 166, "unshare": 272,
        "setns": 308, "perf_event_open": 298, "bpf": 321, "userfaultfd": 323, "io_uring_setup": 425, "keyctl": 250,
        "add_key": 248, "request_key": 249, "shmget": 29, "msgget": 68, "chmod": 90, "fchmod": 91, "setpriority": 141,
        "sched_setaffinity": 203, "open_by_handle_at": 304, "fallocate": 285,
    }),
    "aarch64": (0xC00000B7, {
        "socket": 198, "connect": 203, "accept": 202, "bind": 200, "listen": 201, "accept4": 242, "clone": 220,
        "clone3": 435, "execve": 221, "execveat": 281, "kill": 129, "tkill": 130, "tgkill": 131, "rt_sigqueueinfo": 138,
        "rt_tgsigqueueinfo": 240, "pidfd_send_signal": 424, "pidfd_open": 434, "ptrace": 117, "process_vm_readv": 270,
        "process_vm_writev": 271, "kcmp": 272, "mount": 40, "umount2": 39, "unshare": 97, "setns": 268,
        "perf_event_open": 241, "bpf": 280, "userfaultfd": 282, "io_uring_setup": 425, "keyctl": 219, "add_key": 217,
        "request_key": 218, "shmget": 194, "msgget": 186, "fchmod": 52, "setpriority": 140, "sched_setaffinity": 122, "open_by_handle_at": 265, "fallocate": 47,
    }),
}  # fmt: skip
_STARTING = ("fork", "vfork", "execve", "execveat")
# The C library has fallbacks for these calls: clone, whose flags the filter can read, and writing a file byte by byte.
_INSTEAD = {"clone3": errno.ENOSYS, "fallocate": errno.EOPNOTSUPP}
_TO_ITSELF = ("kill", "tgkill", "rt_sigqueueinfo")


def is_available() -> bool:
    """Return whether this system's architecture is known."""
    return platform.system() == "Linux" and platform.machine() in _CALLS


def restrict(may_start_processes: bool = False, may_signal: bool = False) -> None:
    """Install the filter in this process.

    Raises:
        OSError: the system refuses.
    """
    if not is_available():
        raise OSError(f"system calls of {platform.machine()} are unknown")
    program = b"".join(_program(os.getpid(), may_start_processes, may_signal))
    buffer = ctypes.create_string_buffer(program)
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.prctl(_SET_SECCOMP, _FILTER, header, 0, 0):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _program(process: int, may_start_processes: bool, may_signal: bool) -> list[bytes]:
    architecture, numbers = _CALLS[platform.machine()]
    steps = [
        _instruction(_LOAD, _ARCHITECTURE),
        _instruction(_JUMP_IF_EQUAL, architecture, 1, 0),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, _NUMBER),
    ]
    if platform.machine() == "x86_64":
        steps += [_instruction(_JUMP_IF_AT_LEAST, _X32, 0, 1), _instruction(_RETURN, _KILL)]
    for name, number in numbers.items():
        if name in _TO_ITSELF:
            steps += [] if may_signal else _allow_with(number, _JUMP_IF_EQUAL, process)
        elif name == "clone":
            if not may_start_processes:
                steps += _allow_with(number, _JUMP_IF_SET, _CLONE_THREAD)
        elif name in _INSTEAD:
            steps += [_instruction(_JUMP_IF_EQUAL, number, 0, 1), _instruction(_RETURN, _ERROR | _INSTEAD[name])]
        elif name == "tkill" or not (may_start_processes and name in _STARTING):
            steps += [_instruction(_JUMP_IF_EQUAL, number, 0, 1), _refuse()]
    return [*steps, _instruction(_RETURN, _ALLOW)]


def _allow_with(number: int, test: int, value: int) -> list[bytes]:
    """Allow a system call only if its first argument passes the test."""
    return [
        _instruction(_JUMP_IF_EQUAL, number, 0, 5),
        _instruction(_LOAD, _FIRST_ARGUMENT),
        _instruction(test, value, 1, 0),
        _refuse(),
        _instruction(_RETURN, _ALLOW),
        _instruction(_LOAD, _NUMBER),
    ]


def _refuse() -> bytes:
    return _instruction(_RETURN, _ERROR | errno.EPERM)


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)
