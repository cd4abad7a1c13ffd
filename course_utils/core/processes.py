"""Child processes of this Python that answer in JSON, one value a line: both ends of the pipe.

A parent reads what a ``Child`` answers and may tell it something; a child answers through ``answering()``. Nothing here
knows what is said, and nothing confines a child.
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
"""What JSON can say: None, a truth value, a number, a text, or lists and dicts of them."""


class ChildFailed(CourseError):
    """A child ended in failure, or answered what is no JSON.

    Attributes:
        words: the last line that it wrote to stderr, "" where it wrote nothing.
        said: all that it wrote there.
        code: its exit code, negative for the signal that ended it; None where it still ran.
    """

    def __init__(self, sentence: str, said: str, code: int | None) -> None:
        lines = said.strip().splitlines()
        self.words = lines[-1] if lines else ""
        self.said = said
        self.code = code
        super().__init__(self.words or sentence)


@final
class Child:
    """A Python process that answers in JSON. As a context manager it ends the process with the block, whatever it is doing.

    Args:
        arguments: what stands after ``python``: ``("-m", "course_utils.limits.worker", "torch")``.
        environment: variables for the child, besides the parent's own.
        listening: whether it is told anything; one that is not finds its stdin empty.
    """

    def __init__(
        self, arguments: Sequence[str], environment: Mapping[str, str] | None = None, listening: bool = False
    ) -> None:
        # A file, not a pipe: a child that says much there would fill a pipe that nobody empties, and wait for ever.
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        try:
            self._process = subprocess.Popen(
                [sys.executable, *arguments],
                env=_environment(environment or {}),
                stdin=subprocess.PIPE if listening else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=self._said,
                encoding="utf-8",
                errors="replace",
            )
        except BaseException:
            self._said.close()
            raise

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def answers(self) -> Iterator[Json]:
        """Each answer as it comes, until the child ends; called again, it goes on with the next one.

        Raises:
            ChildFailed: when the child ends with another code than 0; its last words are the message.
        """
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield self._parsed(line)
        code = self._process.wait()
        if code != 0:
            raise ChildFailed(f"its process ended with code {code}", self._all_said(), code)

    def tell(self, order: Json) -> None:
        """Send one line of JSON to a listening child. Where it has ended already, its answers will say so."""
        assert self._process.stdin is not None, "a child that is told something must be listening"
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()

    def kill(self) -> None:
        """Stop the process, whatever it is doing, from any thread: whoever waits for its answers hears that it has ended."""
        self._process.kill()

    def end(self) -> None:
        """Stop the process, whatever it is doing, and let go of it; may be called again."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._said):
            with suppress(BrokenPipeError):
                if stream is not None:
                    stream.close()

    def _parsed(self, line: str) -> Json:
        try:
            return json.loads(line)
        except ValueError:
            sentence = f"its process answered {line.strip()[:80]!r}, which is no JSON"
            raise ChildFailed(sentence, self._all_said(), self._process.poll()) from None

    def _all_said(self) -> str:
        self._said.seek(0)
        return self._said.read().decode(errors="replace")


def answering() -> Callable[[Json], None]:
    """In a child: the function that sends an answer to the parent.

    From here on, all else that goes to stdout goes to stderr: libraries print what they like, also past Python.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def answer(value: Json) -> None:
        print(json.dumps(value), file=answers, flush=True)

    return answer


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    """The parent's variables and ``more``; the course is found first, and TensorFlow is told to be quiet."""
    course = str(Path(__file__).resolve().parents[2])
    found = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"} | dict(more)
    return found | {"PYTHONPATH": os.pathsep.join(filter(None, [course, found.get("PYTHONPATH")]))}
