"""Child processes that answer in JSON, one value per line: both ends of the pipe.

The parent reads the answers of a ``ChildProcess`` and may send it values; the child answers through
``start_answering()``. This module neither interprets the values nor confines the child.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, final

from course_utils.core.errors import CourseError

Json = Any
"""A JSON value: None, a bool, a number, a string, or lists and dicts of them."""


class ChildProcessFailed(CourseError):
    """A child process ended with a failure, or answered something other than JSON.

    Attributes:
        last_line: the last line of its stderr, "" if stderr is empty.
        stderr: everything that it wrote to stderr.
        exit_code: its exit code, negative for the signal that ended it, None if it was still running.
    """

    def __init__(self, reason: str, stderr: str, exit_code: int | None) -> None:
        lines = stderr.strip().splitlines()
        self.last_line = lines[-1] if lines else ""
        self.stderr = stderr
        self.exit_code = exit_code
        super().__init__(self.last_line or reason)


@final
class ChildProcess:
    """A Python process that answers in JSON. As a context manager it ends the process when the block ends.

    Args:
        arguments: what follows ``python`` on the command line, as in
            ``("-m", "course_utils.limits.framework_worker", "torch")``.
        environment: variables for the child, added to the parent's.
        accepts_input: whether ``send`` may be called; otherwise the child's stdin is empty.
    """

    def __init__(
        self, arguments: Sequence[str], environment: Mapping[str, str] | None = None, accepts_input: bool = False
    ) -> None:
        # A file, because stderr is not read while the child runs, and a full pipe would block the child.
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        try:
            self._process = subprocess.Popen(
                [sys.executable, *arguments],
                env=_child_environment(environment or {}),
                stdin=subprocess.PIPE if accepts_input else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                encoding="utf-8",
                errors="replace",
            )
        except BaseException:
            self._stderr.close()
            raise

    def __enter__(self) -> ChildProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def answers(self) -> Iterator[Json]:
        """Yield each answer as it arrives, until the child ends; a second call continues with the next answer.

        Raises:
            ChildProcessFailed: the child ended with an exit code other than 0; the message is its last line on stderr.
        """
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield self._parse(line)
        code = self._process.wait()
        if code != 0:
            raise ChildProcessFailed(f"its process ended with code {code}", self._read_stderr(), code)

    def send(self, value: Json) -> None:
        """Send a line of JSON to a child that accepts input. If the child has ended, ``answers`` raises the reason."""
        assert self._process.stdin is not None, "only a child made with accepts_input=True can be sent a value"
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(value) + "\n")
            self._process.stdin.flush()

    def end_input(self) -> None:
        """Close the child's input, which asks it to end, and wait up to 30 seconds for its end."""
        assert self._process.stdin is not None, "only a child made with accepts_input=True has an input"
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(30.0)

    def kill(self) -> None:
        """Stop the process immediately; may be called from any thread, and ends a pending ``answers``."""
        self._process.kill()

    def close(self) -> None:
        """Stop the process immediately and release its pipes; may be called again."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._stderr):
            with suppress(BrokenPipeError):
                if stream is not None:
                    stream.close()

    def _parse(self, line: str) -> Json:
        try:
            return json.loads(line)
        except ValueError:
            reason = f"its process answered {line.strip()[:80]!r}, which is not JSON"
            raise ChildProcessFailed(reason, self._read_stderr(), self._process.poll()) from None

    def _read_stderr(self) -> str:
        self._stderr.seek(0)
        return self._stderr.read().decode(errors="replace")


def start_answering() -> Callable[[Json], None]:
    """In a child process: redirect stdout to stderr, and return the function that sends an answer to the parent.

    The redirection also covers what libraries print below Python, so that only answers reach the parent.
    """
    stream = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def answer(value: Json) -> None:
        print(json.dumps(value), file=stream, flush=True)

    return answer


def _child_environment(added: Mapping[str, str]) -> dict[str, str]:
    """Return the parent's variables and ``added``, with the course first on the path and TensorFlow's log silenced."""
    course = str(Path(__file__).resolve().parents[2])
    variables = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"} | dict(added)
    return variables | {"PYTHONPATH": os.pathsep.join(filter(None, [course, variables.get("PYTHONPATH")]))}
