"""Starts the process of a zygote, with the environment that it needs, and receives its answers."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

from course_utils.grading import bubblewrap
from course_utils.grading.cage import readable_paths
from course_utils.sandbox.time_limits import WorkTimer

_COURSE = Path(__file__).resolve().parents[2]
_LARGEST, _SLICE_S = 1 << 16, 0.25


def start_zygote(options: dict[str, Any], folder: str, children: str, errors: IO[bytes]) -> subprocess.Popen:
    """Start and return the process.

    Args:
        options: what ``zygote.main`` gets.
        folder: its working folder.
        children: the folder below it in which children create files.
        errors: gets what it writes to stderr.
    """
    command = [sys.executable, "-c", "from course_utils.grading.zygote import main; main()", json.dumps(options)]
    if options["in_bubblewrap"]:
        command = [*bubblewrap.command(readable_paths(compiles=True), folder, children), *command]
    return subprocess.Popen(
        command, pass_fds=[options["control"]], cwd=folder, env=_environment(folder, children),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
    )  # fmt: skip


def receive_answer(control: socket.socket, seconds: float) -> bytes:
    """Return the process's next answer; nothing if it has ended.

    Args:
        control: the connection to it.
        seconds: of work; while programs wait for a core, which can take minutes, a tenth of the time counts.

    Raises:
        TimeoutError: it does not answer.
    """
    timer = WorkTimer(lambda: 0.0)
    while not select.select([control], [], [], _SLICE_S)[0]:
        if timer.seconds >= seconds:
            raise TimeoutError("it does not answer")
    return control.recv(_LARGEST)


def _environment(folder: str, children: str) -> dict[str, str]:
    """Return only the variables that Python and the frameworks need, because others may hold secrets."""
    names = "PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TORCHINDUCTOR_VEC_ISA_OK"
    inherited = {name: os.environ[name] for name in names if name in os.environ}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    own = {"HOME": folder, "TMPDIR": children, "UNLOOP_HOME": folder,
           "PYTHONPATH": str(_COURSE),
           "TF_CPP_MIN_LOG_LEVEL": "3", "TORCHINDUCTOR_COMPILE_THREADS": "1", "TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS": "0", "PYTHONDONTWRITEBYTECODE": "1",
           "CUDA_VISIBLE_DEVICES": "", "MALLOC_ARENA_MAX": "1"}  # fmt: skip
    return inherited | threads | own
