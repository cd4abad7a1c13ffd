"""A small process that runs one command, and ends everything that the command has started.

It ends the command after the time limit, or when the supervisor's own stdin closes, which also happens when the process
that started the supervisor is killed. On Linux it adopts every process whose own parent has ended, so that a worker in
a session of its own, or one that was started in the background, is found too. Elsewhere it remembers each process that
it has seen.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Any

from course_utils.core.processes import start_answering

GRACE_S = 5.0
"""How long the command has to end its own processes before they are killed."""

_POLL_S = 0.02
_ON_LINUX = sys.platform.startswith("linux")
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # from Linux's sys/prctl.h


def main() -> None:
    """Run the command that the first line of stdin holds as JSON, and answer with its lines and how it ended."""
    end = threading.Event()
    if hasattr(os, "setsid"):
        os.setsid()  # a Ctrl+C in a terminal, or Jupyter's interrupt, reaches only the process that started this one
        signal.signal(signal.SIGTERM, lambda number, frame: end.set())
    if _ON_LINUX:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
        _end_with_parent()
    request = json.loads(sys.stdin.readline())
    answer = start_answering()
    process = subprocess.Popen(
        request["command"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=open(request["stderr"], "wb"),  # noqa: SIM115 - open as long as this process
        encoding="utf-8",
        errors="replace",
        preexec_fn=_end_with_parent if _ON_LINUX else None,  # noqa: PLW1509 - no thread runs yet
    )
    assert process.stdout is not None
    reader = threading.Thread(target=_forward, args=(process.stdout, answer), daemon=True)
    reader.start()
    threading.Thread(target=_wait_for_end_of_input, args=(end,), daemon=True).start()
    reason = _watch(process, end, time.monotonic() + request["time_limit_s"])
    reader.join(GRACE_S)
    with contextlib.suppress(BrokenPipeError):
        answer({"ended": process.returncode, "reason": reason})


def _forward(lines: IO[str], answer: Callable[[Any], None]) -> None:
    with contextlib.suppress(BrokenPipeError):
        for line in lines:
            answer({"line": line.rstrip("\n")})


def _wait_for_end_of_input(end: threading.Event) -> None:
    sys.stdin.read()
    end.set()


def _watch(process: subprocess.Popen, end: threading.Event, deadline: float) -> str:
    """Wait for the command, end all its processes, and return why it ended: "itself", "stop" or "time limit"."""
    seen: set[int] = set()
    reason = "itself"
    next_look = 0.0
    while process.poll() is None:
        if end.wait(_POLL_S):
            reason = "stop"
            break
        if time.monotonic() > deadline:
            reason = "time limit"
            break
        if not _ON_LINUX and time.monotonic() > next_look:
            seen |= _descendants()
            next_look = time.monotonic() + 1
    if reason != "itself":
        process.terminate()  # torchrun now ends its workers
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_S)
    if os.name == "nt":
        command = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        subprocess.run(command, check=False, capture_output=True)
    else:
        _kill_all(process, seen)
    process.wait()
    return reason


def _kill_all(process: subprocess.Popen, seen: Iterable[int]) -> None:
    """Kill the remaining processes; a killed process may leave children, so repeat until there are none."""
    left = _descendants() | set(seen)
    while left:
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        process.poll()
        _reap(process.pid)
        time.sleep(_POLL_S)
        left = _descendants()


def _reap(command_pid: int) -> None:
    """Collect the exit status of each adopted process; ``subprocess`` collects the command's own."""
    for pid in _children_of(_parents()).get(os.getpid(), ()):
        if pid != command_pid:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def _descendants() -> set[int]:
    """Return all processes that descend from this one and have not ended."""
    children = _children_of(_parents())
    descendants: set[int] = set()
    pending = [os.getpid()]
    while pending:
        for pid in children.get(pending.pop(), ()):
            descendants.add(pid)
            pending.append(pid)
    return descendants


def _children_of(parents: dict[int, int]) -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    for pid, parent in parents.items():
        children.setdefault(parent, []).append(pid)
    return children


def _parents() -> dict[int, int]:
    """Return process → parent for every process of this machine that has not ended."""
    if not _ON_LINUX:
        # The command of `ps` itself is a child too: it has ended when its output is read.
        with subprocess.Popen(["ps", "-Ao", "pid=,ppid=,stat="], stdout=subprocess.PIPE, text=True) as listing:
            rows = [line.split() for line in listing.communicate()[0].splitlines()]
        return {int(pid): int(parent) for pid, parent, state in rows if state[0] != "Z" and int(pid) != listing.pid}
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                # The name, in parentheses, may hold anything; the state and the parent follow it.
                state, parent, *_ = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
                if state not in "ZX":
                    parents[int(folder.name)] = int(parent)
    return parents


def _end_with_parent() -> None:
    """Have Linux send SIGTERM to this process when its parent ends for any reason."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main()
