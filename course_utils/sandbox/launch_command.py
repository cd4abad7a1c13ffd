"""``launch``: runs a command, such as ``torchrun``, from a cell, shows its output, and leaves no process behind.

The command runs under ``supervise``, a process of its own, which ends everything that the command started.
"""

from __future__ import annotations

import re
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from course_utils.core.errors import CourseError
from course_utils.core.processes import ChildProcess, ChildProcessFailed
from course_utils.core.wording import format_duration

_ERROR = re.compile(
    r"^(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Broken\w*)\b(?::.*)?$", re.MULTILINE
)
_RANK_PREFIX = re.compile(r"^\[rank\d+\]: ?", re.MULTILINE)  # torch writes it before each line of a traceback
_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
_SIGNAL = re.compile(r"Signal \d+ \((SIG[A-Z]+)\) received by PID")
_REMEDIES = (
    (
        re.compile(r"EADDRINUSE|[Aa]ddress already in use"),
        "Another program uses this port. Choose another one, or port 0, which takes a free one.",
    ),
    (
        re.compile(r"[Cc]an't (?:get local|pickle)|[Cc]an't get attribute|PicklingError"),
        "Another process finds a function by its name: write it with def at the top level of the file.",
    ),
    (re.compile("libuv"), "PyTorch for Windows lacks libuv, which torchrun needs: use WSL, Linux or Colab."),
)


class LaunchFailed(CourseError):
    """A launched command failed, or was stopped.

    Attributes:
        stderr: everything that it wrote to stderr.
    """

    def __init__(self, message: str, stderr: str = "") -> None:
        self.stderr = stderr
        super().__init__(message)


def launch(
    program: str, *arguments: str, time_limit_s: float = 240.0, environment: Mapping[str, str] | None = None
) -> None:
    """Run a command, and print each line of its output as it arrives.

    When this function returns or raises, every process that the command started has ended. Interrupting the cell stops
    the command. If this Python process is killed, the command ends as well.

    Args:
        program: "python" for this Python, or a program that is installed with it or with the system: "torchrun".
        arguments: what follows it on the command line.
        time_limit_s: seconds after which the command is stopped.
        environment: variables for the command, added to this process's.

    Raises:
        LaunchFailed: the command cannot start, fails or is stopped; the message is its error, in one sentence.
    """
    command = [_find(program), *map(str, arguments)]
    script = next((Path(each) for each in map(str, arguments) if each.endswith(".py")), None)
    if script is not None and not script.is_file():
        raise LaunchFailed(f"There is no file {script}; run the cell that writes it first.")
    _require_loopback()
    name = script.name if script else program
    with tempfile.TemporaryDirectory(prefix="unloop-", ignore_cleanup_errors=True) as folder:
        log = Path(folder, "stderr")
        variables = {"TMPDIR": folder} | dict(environment or {})
        with ChildProcess(["-m", "course_utils.sandbox.supervise"], variables, accepts_input=True) as supervisor:
            supervisor.send({"command": command, "stderr": str(log), "time_limit_s": time_limit_s})
            try:
                code, reason = _show(supervisor)
            except KeyboardInterrupt:
                supervisor.end_input()
                raise LaunchFailed(f"You stopped {name}; all its processes have ended.") from None
            except BaseException:
                supervisor.end_input()
                raise
        stderr = _RANK_PREFIX.sub("", log.read_text(encoding="utf-8", errors="replace")) if log.exists() else ""
    if reason == "time limit":
        raise LaunchFailed(
            f"{name} was stopped after {format_duration(time_limit_s)}, and all its processes have ended. Does one process "
            "wait for another, or does it need a larger time_limit_s?",
            stderr,
        )
    if code != 0:
        raise LaunchFailed(_describe_failure(name, script, code, stderr), stderr)


def _find(program: str) -> str:
    if program == "python":
        return sys.executable
    beside = shutil.which(program, path=str(Path(sys.executable).parent))
    path = beside or shutil.which(program)
    if path is None:
        raise LaunchFailed(f"The program {program} is not installed; check its name.")
    return path


def _require_loopback() -> None:
    try:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
    except OSError as error:
        raise LaunchFailed(
            f"This machine has no loopback address 127.0.0.1 ({error.strerror}), so its processes cannot connect to each "
            "other; bring the loopback device up."
        ) from None


def _show(supervisor: ChildProcess) -> tuple[int, str]:
    """Print the command's lines until it ends; return its exit code, and why it ended."""
    try:
        for answer in supervisor.answers():
            if "line" not in answer:
                return answer["ended"], answer["reason"]
            print(answer["line"], flush=True)
    except ChildProcessFailed as failed:
        raise LaunchFailed(f"The command could not start: {failed}.", failed.stderr) from None
    raise LaunchFailed("The command's supervising process ended early; run the cell again.")


def _describe_failure(name: str, script: Path | None, code: int, stderr: str) -> str:
    """Return one sentence on the first error in ``stderr``: the later ones mostly follow from it."""
    killed = _signal_name(code, stderr)
    if killed:
        advice = " The system does that if memory runs out." if killed == "SIGKILL" else ""
        return f"A process of {name} was ended by the signal {killed}, and the others were stopped.{advice}"
    error = _ERROR.search(stderr)
    if error is None:
        lines = stderr.strip().splitlines()
        return f"{name} ended with exit code {code}: {lines[-1] if lines else 'it wrote no error message'}"
    frames = [
        line for file, line in _FRAME.findall(stderr[: error.start()]) if script and Path(file).name == script.name
    ]
    place = f", line {frames[-1]}" if frames else ""
    remedies = [remedy for pattern, remedy in _REMEDIES if pattern.search(error[0])]
    return " ".join([f"{name}{place}: {_end_sentence(error[0])}", *remedies[:1]])


def _signal_name(code: int, stderr: str) -> str:
    """Return the signal that ended the command, or the worker that torchrun names as the cause; "" if none did."""
    if code < 0:
        return signal.Signals(-code).name
    _, _, cause = stderr.rpartition("Root Cause")
    received = _SIGNAL.search(cause)
    return received[1] if received else ""


def _end_sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
