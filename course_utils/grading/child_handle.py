"""``Child``: the parent's handle of one answer's process: sends requests, receives replies, and ends the process."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from course_utils.core.process_announcements import ComputingProcesses
from course_utils.core.wording import GIB
from course_utils.grading import peer_credentials
from course_utils.grading.channel import Channel, FrameError, Json
from course_utils.sandbox.time_limits import WorkTimer

if TYPE_CHECKING:
    from course_utils.grading.zygote_handle import Zygote

_FORK_S = 20.0
_LONGEST_STATISTICS = 1024
_TICKS_PER_S = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
# A child that may compile starts processes and writes files; no limit of the system bounds their sum.
_MOST_BYTES, _MOST_FILES, _MOST_MEMORY = GIB, 10_000, 4 * GIB


class ChildStopped(Exception):
    """The child ended, was ended, or sent something that is not an answer; the message says which, for the student."""


class ChildOutOfTime(ChildStopped):
    """The child was ended because its time was up."""


@dataclass
class PendingChild:
    """A child that the zygote was asked to fork.

    Attributes:
        connection: the connection to it.
        announcements: receives a message from each process of the answer that computes something.
        folder: the child's own folder, which is removed when the child ends.
        process: its id, as the zygote sees it; 0 until it is known.
    """

    connection: socket.socket
    announcements: socket.socket | None
    folder: str | None
    process: int = 0


@final
class Child:
    """A process that holds one answer.

    Args:
        zygote: has forked the process, and ends it.
        pending: the process.
        seen: its id as this process sees it, if that differs.
    """

    def __init__(self, zygote: Zygote, pending: PendingChild, seen: int | None = None) -> None:
        self.process, self._seen = pending.process, seen or pending.process
        self._zygote, self._folder, self._announcements = zygote, pending.folder, pending.announcements
        self._channel = Channel(pending.connection, self.require_time)
        self._statistics = _open(f"/proc/{self._seen}/stat")
        self._limit_s, self._timer = _FORK_S, WorkTimer(self._computed_s)
        self.is_alive = True

    @property
    def seconds(self) -> float:
        """Return the seconds of work since ``allow``."""
        return self._timer.seconds

    @property
    def waited_s(self) -> float:
        """Return the seconds since ``allow`` that other programs took."""
        return self._timer.waited_s

    def allow(self, seconds: float) -> None:
        """Let the child work for ``seconds`` from now on."""
        self._limit_s, self._timer = seconds, WorkTimer(self._computed_s)

    def send(self, message: Json, blobs: Sequence = ()) -> None:
        """Send a request; end a child that has sent something unasked.

        Raises:
            ChildStopped: the child is gone.
        """
        try:
            self._channel.require_silence()
            self._channel.send(message, blobs)
        except FrameError as error:
            raise self._stop_for(error) from None

    def send_reply(self, message: Json, blobs: Sequence = ()) -> None:
        """Send an answer to what the child has asked."""
        try:
            self._channel.send(message, blobs)
        except FrameError as error:
            raise self._stop_for(error) from None

    def send_ahead(self, message: Json, blobs: Sequence = ()) -> None:
        """Send a request before earlier ones are answered; their answers can be received even if the child is gone."""
        with suppress(FrameError):
            self._channel.send(message, blobs)

    def receive(self) -> tuple[Any, list]:
        """Return the next message.

        Raises:
            ChildStopped: the child is gone, sends no message, or has used up its time.
        """
        try:
            message, blobs = self._channel.receive()
        except FrameError as error:
            raise self._stop_for(error) from None
        if not isinstance(message, dict):
            raise self._stop_for(FrameError("it sends something that is not a message"))
        return message, blobs

    def ask(self, message: Json, blobs: Sequence = ()) -> tuple[Any, list]:
        """Return the answer to a request."""
        self.send(message, blobs)
        return self.receive()

    def computing(self) -> ComputingProcesses:
        """Return which processes have computed something since the last call, as the system reports them."""
        processes = (
            peer_credentials.senders(self._announcements) if self._announcements is not None and self.is_alive else []
        )
        return ComputingProcesses(self._seen, processes, any(map(_is_running, {*processes} - {self._seen})))

    def close(self) -> None:
        """End the process with all that it started; may be called again."""
        if self.is_alive:
            self.is_alive = False
            self._channel.close()
            if self._announcements is not None:
                self._announcements.close()
            if self._statistics is not None:
                os.close(self._statistics)
                self._statistics = None
            with suppress(OSError):  # the zygote is gone, and its children with it
                self._zygote.end(self.process, wait=self._folder is not None)
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)

    def stop(self, reason: str) -> ChildStopped:
        """End the child; returns the error that says why."""
        self.close()
        return ChildStopped(reason)

    def _stop_for(self, error: FrameError) -> ChildStopped:
        return self.stop(str(error))

    def require_time(self) -> None:
        """End the child if it has used up its time, or too much memory or too many files.

        Raises:
            ChildStopped: it has used up one of them.
        """
        if self._timer.seconds >= self._limit_s:
            self.close()
            raise ChildOutOfTime("its time is up")
        if self._folder is not None:
            if _is_overfull(self._folder):
                raise self.stop("it writes too many files")
            if _resident_bytes(self._seen) > _MOST_MEMORY:
                raise self.stop("its processes take too much memory")

    def _computed_s(self) -> float:
        """Return the seconds that the process has computed, as the system reports them."""
        if self._statistics is None:
            return 0.0
        try:
            text = os.pread(self._statistics, _LONGEST_STATISTICS, 0)
        except OSError:  # it has ended
            return 0.0
        fields = text.rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S


def _is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def _open(path: str) -> int | None:
    try:
        return os.open(path, os.O_RDONLY)
    except OSError:
        return None


def _is_overfull(folder: str) -> bool:
    """Return whether the files below the folder are too many or too large."""
    size = files = 0
    for path, folders, names in os.walk(folder):
        files += len(folders) + len(names)
        if files > _MOST_FILES:
            return True
        for name in names:
            with suppress(OSError):
                size += os.lstat(os.path.join(path, name)).st_size
    return size > _MOST_BYTES


def _resident_bytes(process: int) -> int:
    """Return the memory of a process and of all that it has started."""
    size, processes = 0, [process]
    while processes:
        folder = Path(f"/proc/{processes.pop()}")
        with suppress(OSError):
            size += int((folder / "statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
            for thread in os.listdir(folder / "task"):
                processes += map(int, (folder / "task" / thread / "children").read_text("ascii").split())
    return size
