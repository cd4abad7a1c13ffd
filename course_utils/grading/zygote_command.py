"""Starts the process of a zygote, with the environment that it needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

from course_utils.grading import bubblewrap
from course_utils.grading.cage import readable_paths

_COURSE = Path(__file__).resolve().parents[2]


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
