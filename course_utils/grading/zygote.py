"""The zygote: a process with one thread that has imported a framework, and forks a child for each answer in milliseconds.

It runs no learner's code. It ends each child by its id, with all that the child has started, and ends itself when the grader
ends. Nothing may compute here beyond what ``_warm_up`` does: after torch's first backward pass, or TensorFlow's first
operation, every forked child hangs.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import context
from pathlib import Path
from typing import Any

from course_utils import frameworks
from course_utils.core import process_announcements
from course_utils.grading import answer_process, cage, round_trip_echo
from course_utils.grading.channel import Channel, FrameError

CHANNEL_FD = 3
_LARGEST = 1 << 16
# The variables that name the folders in which frameworks and compilers create files.
_FOLDERS = ("HOME", "TMPDIR", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR")
_WALLS = ("rights", "folder", "reads_all", "has_landlock", "is_alone")
_NEW_PROCESSES = 0x20000000
_END_S = 5.0


def main() -> None:
    """Serve the grader over the socket whose number is the first argument, until the grader closes it."""
    gc.disable()  # It would visit all modules again and again while more of them are imported.
    options = json.loads(sys.argv[1])
    # Inside of bubblewrap, the parent is bubblewrap itself, which ends with the grader.
    cage.die_with_parent(None if options["in_bubblewrap"] else options["parent"])
    cage.adopt_orphans()
    cage.hide_from_its_user()
    cage.keep_freed_memory()
    sys.path[:] = [path for path in sys.path if path and path != os.getcwd()]
    control = socket.socket(fileno=options["control"])
    cage.readable_paths()  # cached here, once for all children
    importlib.import_module("resource")  # A child needs it for its limits.
    importlib.import_module(options["framework"])
    _warm_up(options["framework"])
    gc.collect()
    gc.freeze()
    gc.enable()
    own_threads = len(os.listdir("/proc/self/task")) if sys.platform == "linux" else 1
    _reply(control, {"threads": own_threads})
    living: set[int] = set()
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, _LARGEST, 2)
        if not data:
            return
        request = json.loads(data)
        if request["do"] == "fork":
            process = _fork(control, descriptors, options | request)
            for descriptor in descriptors:
                os.close(descriptor)
            living.add(process)
            _reply(control, {"process": process})
        else:
            living.discard(request["process"])
            _end(request["process"], living)
            _reply(control, {})


def _warm_up(framework: str) -> None:
    """Import what every child needs, and make torch load everything that its first operations need."""
    import IPython.core.inputtransformer2  # noqa: F401

    for name in (
        "counting",
        "judging.measured_calls",
        "grading.framework_codecs",
        "grading.value_codec",
        "learner.commands",
    ):
        importlib.import_module(f"course_utils.{name}")
    runner = frameworks.by_name(framework)
    if runner.places_automatically:
        importlib.import_module("course_utils.grading.tensorflow_codec")
        return  # its runtime starts threads at the first operation
    importlib.import_module("course_utils.grading.recorded_operations")
    runner.library.set_num_threads(1)
    from course_utils.grading.torch_warm_up import warm_up

    warm_up()


def _fork(control: socket.socket, descriptors: list[int], options: Any) -> int:
    """Return the id of a new child, in a PID namespace of its own if the system allows it."""
    libc = ctypes.CDLL(None, use_errno=True)
    own = os.open("/proc/self/ns/pid", os.O_RDONLY) if sys.platform == "linux" and options["caged"] else -1
    separate = own >= 0 and libc.unshare(_NEW_PROCESSES) == 0
    try:
        process = os.fork()
        if process == 0:
            try:
                _become_child(control, descriptors, options | {"is_alone": separate})
            finally:
                os._exit(1)
    finally:
        if separate:
            libc.setns(own, _NEW_PROCESSES)
        if own >= 0:
            os.close(own)
    return process


def _become_child(control: socket.socket, descriptors: list[int], options: Any) -> None:
    """Close everything but the connection and the socket for announcements, enter the cage, and serve."""
    connection, *announcements = descriptors
    os.setsid()
    control.detach()
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    for each in announcements:
        os.dup2(each, 0)
        os.environ[process_announcements.VARIABLE] = ""
    if connection != CHANNEL_FD:
        os.dup2(connection, CHANNEL_FD)
    os.closerange(CHANNEL_FD + 1, 4096)
    channel = Channel(socket.socket(fileno=CHANNEL_FD))
    try:
        cage.die_with_parent()
        if options["caged"]:
            cage.enter(**{name: options[name] for name in _WALLS})
    except (OSError, ValueError) as error:
        channel.send({"caged": False, "error": str(error)})
        return
    if options["rights"] == cage.Rights.START_PROCESSES:
        # A fork server listens at a socket, which the cage refuses; spawning needs no server.
        methods: Any = getattr(context, "_concrete_contexts")  # noqa: B009 - the type checker does not know it
        methods["forkserver"] = methods["spawn"]
    channel.send({"caged": options["caged"]})
    start, _ = channel.receive()
    sys.stdin, sys.stdout, sys.stderr = (open(os.devnull, mode) for mode in ("r", "w", "w"))  # noqa: SIM115
    sys.argv[:] = [""]
    if options["folder"] is not None:
        os.environ.update(dict.fromkeys(_FOLDERS, options["folder"]))
        tempfile.tempdir = options["folder"]
    runner = frameworks.by_name(options["framework"])
    if not runner.places_automatically:
        # After a fork, torch recreates its thread pool, which fails in two threads at once.
        runner.library.set_num_threads(1)
    with suppress(FrameError):
        if start["role"] == "probe":
            channel.send({"holes": cage.probe()})
        elif start["role"] == "echo":
            round_trip_echo.serve(channel, options["framework"])
        else:
            answer_process.serve(channel, start, options["framework"])


def _end(process: int, living: set[int]) -> None:
    """End a child with everything that it has started, including processes that left its session."""
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(process, 0)
    stop = time.monotonic() + _END_S
    while time.monotonic() < stop and (orphans := [each for each in _children() if each not in living]):
        for orphan in orphans:
            with suppress(ProcessLookupError):
                os.kill(orphan, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(orphan, 0)


def _children() -> Iterator[int]:
    """Yield the ids of this process's children."""
    with suppress(OSError):
        text = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
        yield from map(int, text.split())


def _reply(control: socket.socket, value: Any) -> None:
    control.send(json.dumps(value).encode())
