"""``Zygote``: the parent's handle of a framework's warm process: starts it, has it fork children, and ends it."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import cached_property
from typing import Any, final

from course_utils import frameworks
from course_utils.core.errors import CourseError
from course_utils.grading import bubblewrap, landlock, peer_credentials
from course_utils.grading.cage import NOBODY, Rights
from course_utils.grading.channel import Json
from course_utils.grading.child_handle import Child, ChildStopped, PendingChild
from course_utils.grading.temporary_folder import TemporaryFolder
from course_utils.grading.zygote_command import receive_answer, start_zygote

_START_S = 120.0


class CageMissing(CourseError):
    """This machine offers no cage for foreign code; the message names what is missing and the remedy."""


class ZygoteGone(OSError):
    """The zygote has ended, which no answer should be able to cause."""


@final
class Zygote:
    """A warm process of one framework. As a context manager it ends the process, and with it every child.

    Args:
        framework: the framework's name.
        caged: whether children enter the cage.

    Raises:
        CageMissing: this machine offers no cage.
    """

    def __init__(self, framework: str, caged: bool = True) -> None:
        if not hasattr(os, "fork"):
            raise CageMissing(
                "Grading forks a process for each answer, which Windows does not offer; use Linux or WSL."
            )
        self.framework, self._caged = framework, caged
        self._has_landlock = landlock.version() > 0
        self._is_probed = self._reads_all = self._in_bubblewrap = False
        self._refusal = ""
        self._lock = threading.RLock()  # two workers of an answer may end at the same time
        if caged and bubblewrap.is_useful():
            try:
                self._start(in_bubblewrap=True)
                return
            except (CageMissing, ZygoteGone) as refused:
                self._refusal = f"; bubblewrap refuses: {refused}"
        if caged and not self._has_landlock:
            raise self._no_cage("Linux's Landlock is missing" + ("" if self._refusal else ", and so is bubblewrap"))
        self._start()

    def _start(self, in_bubblewrap: bool = False) -> None:
        """Start the process, and try every wall of a child's cage.

        Raises:
            CageMissing: a wall is missing.
            ZygoteGone: the process cannot run inside of bubblewrap.
        """
        self._in_bubblewrap = in_bubblewrap
        self._temporary_folder = TemporaryFolder()
        self._folder = self._temporary_folder.path
        self._children = os.path.join(self._folder, "children")
        os.mkdir(self._children)
        os.chmod(self._children, 0o711)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        self._control, theirs = socket.socketpair(
            socket.AF_UNIX, socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
        )
        options = {
            "framework": self.framework,
            "control": theirs.fileno(),
            "parent": os.getpid(),
            "caged": self._caged,
            "has_landlock": self._has_landlock,
            "in_bubblewrap": in_bubblewrap,
        }
        self._process = start_zygote(options, self._folder, self._children, self._errors)
        theirs.close()
        self._control.settimeout(_START_S)
        # The forked child of each unread answer; None if the answer is that a child has ended.
        self._unread: deque[PendingChild | None] = deque()
        self._spare: PendingChild | None = None
        try:
            started = self._answer()
            if started["threads"] != 1:
                raise CageMissing(
                    f"{self.framework} starts {started['threads']} threads when it is imported, so it cannot be forked."
                )
            if self._caged:
                self._probe()
            self._is_probed = True
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Zygote:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @cached_property
    def may_start_processes(self) -> bool:
        """Return whether this system has a cage for answers that start processes."""
        if not self._caged:
            return sys.platform == "linux"  # Only Linux names the sender of a message.
        with (
            suppress(CageMissing, ChildStopped),
            closing(self.child({"role": "probe"}, Rights.START_PROCESSES)) as child,
        ):
            return child.receive()[0]["holes"] == ["start processes"]
        return False

    def child(self, start: Json, rights: Rights = Rights.COMPUTE) -> Child:
        """Return a new child that begins with ``start``.

        Raises:
            CageMissing: it cannot enter its cage.
        """
        if rights > Rights.COMPUTE:
            return self._welcome(self._fork(rights), start)
        spare, self._spare = self._spare, None
        try:
            child = self._welcome(spare or self._fork(), start)
        except ChildStopped:  # The system may have ended the spare, for lack of memory.
            child = self._welcome(self._fork(), start)
        # A spare is ready when the next answer begins. Without Landlock, the present answer could write to the
        # folder of the spare.
        self._spare = self._fork() if self._is_probed and self._has_landlock else None
        return child

    def end(self, process: int, wait: bool) -> None:
        """End a child with all that it has started; ``wait``: return when they have ended.

        Raises:
            ZygoteGone: the zygote has ended.
        """
        with self._lock:
            self._send({"do": "end", "process": process})
            self._unread.append(None)
            while wait and self._unread:
                self._read_answer()

    def _fork(self, rights: Rights = Rights.COMPUTE) -> PendingChild:
        """Begin to fork a child, and return it without waiting."""
        mine, theirs = socket.socketpair()
        sent, announcements = [theirs], None
        if rights == Rights.START_PROCESSES:
            announcements, reports = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            peer_credentials.ask_for_sender(announcements)
            sent.append(reports)
        if self._in_bubblewrap:
            peer_credentials.ask_for_sender(mine)
        folder = None
        # TensorFlow, which places tensors automatically, creates temporary files.
        if rights > Rights.COMPUTE or frameworks.by_name(self.framework).places_automatically:
            folder = tempfile.mkdtemp(dir=self._children)
            if os.geteuid() == 0:
                os.chown(folder, NOBODY, NOBODY)
                os.chmod(self._folder, 0o711)
        self._send({"do": "fork", "folder": folder, "rights": rights, "reads_all": self._reads_all}, sent)
        for each in sent:
            each.close()
        self._unread.append(pending := PendingChild(mine, announcements, folder))
        return pending

    def _read_answer(self) -> None:
        """Read the oldest answer: the id of a forked child, or the message that a child has ended."""
        answer, pending = self._answer(), self._unread.popleft()
        if pending is not None:
            pending.process = answer["process"]

    def _welcome(self, pending: PendingChild, start: Json) -> Child:
        """Return the child, which is in its cage and begins with ``start``.

        Raises:
            CageMissing: it could not enter.
        """
        while not pending.process:
            self._read_answer()
        seen = peer_credentials.sender(pending.connection, _START_S) if self._in_bubblewrap else None
        child = Child(self, pending, seen)
        entered, _ = child.receive()
        if entered.get("caged") is not self._caged:
            child.close()
            raise self._no_cage(str(entered.get("error")))
        child.send(start)
        return child

    def _send(self, request: Json, sockets: Sequence[socket.socket] = ()) -> None:
        try:
            socket.send_fds(self._control, [json.dumps(request).encode()], [each.fileno() for each in sockets])
        except OSError as error:
            raise ZygoteGone(str(error)) from error

    def close(self) -> None:
        """End the process and every child; may be called again."""
        self._control.close()
        self._process.kill()
        self._process.wait()
        self._errors.close()
        self._temporary_folder.remove()

    def _answer(self) -> Any:
        try:
            data = receive_answer(self._control, _START_S)
        except OSError as error:
            raise ZygoteGone(str(error)) from error
        if not data:
            self._process.wait()
            self._errors.seek(0)
            lines = self._errors.read().decode(errors="replace").strip().splitlines()
            raise ZygoteGone(lines[-1] if lines else f"exit code {self._process.returncode}")
        return json.loads(data)

    def _probe(self) -> None:
        """Try every wall from inside a child like an answer's child."""
        holes: list[str] = []
        for self._reads_all in (False, True):
            with suppress(ChildStopped):
                child = self.child({"role": "probe"})
                holes = child.receive()[0]["holes"]
                child.close()
                if not holes:
                    return
        raise self._no_cage(f"a child can {', '.join(holes) or 'not be started'}")

    def _no_cage(self, reason: str) -> CageMissing:
        return CageMissing(
            f"This machine offers no cage for a learner's code: {reason}{self._refusal}. Use Linux 5.13 or later with Landlock, "
            "or install bubblewrap, or use --uncaged if you trust every submission."
        )
