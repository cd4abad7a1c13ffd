"""``Journal``: the marks that are finished, one JSON object per line, so that a killed run continues where it stopped.

Only the client writes it. A line is on the disk before the next task's mark is taken; a line that a crash cut off counts
as not written.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import final

from course_utils.core.errors import CourseError
from course_utils.core.plain_data import from_data, to_data
from course_utils.grading.intake import SubmittedNotebook
from course_utils.grading.mark import TaskMark


class JournalInUse(CourseError):
    """Another run writes to the same report."""


@final
class Journal:
    """The file ``journal.jsonl`` of a report, opened for one run; a context that closes it.

    Args:
        folder: the report's folder, which exists.

    Raises:
        JournalInUse: on entry, if another run has opened it.
        OSError: on entry, if the folder cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        from filelock import FileLock

        self._path = folder / "journal.jsonl"
        self._lock = FileLock(folder / "journal.lock")  # the system releases it if the run is killed
        self._marks: dict[tuple[str, str, str], TaskMark] = {}

    def __enter__(self) -> Journal:
        from filelock import Timeout

        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise JournalInUse(
                f"Another run writes its marks to {str(self._path.parent)!r}; wait for it, or choose another folder."
            ) from None
        try:
            self._stream = open(self._path, "a+b")
            self._read()
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()
        self._lock.release()

    def mark(self, notebook: SubmittedNotebook, task_id: str) -> TaskMark | None:
        """Return the mark of a task of exactly these cells; None if the task still has to be graded."""
        return self._marks.get((notebook.sender.student, notebook.digest, task_id))

    def add(self, notebook: SubmittedNotebook, mark: TaskMark) -> None:
        """Store a mark; it is on the disk when this returns."""
        entry = {"student": notebook.sender.student, "digest": notebook.digest, "mark": to_data(mark)}
        self._stream.write(json.dumps(entry).encode("ascii") + b"\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self._marks[notebook.sender.student, notebook.digest, mark.task_id] = mark

    def _read(self) -> None:
        self._stream.seek(0)
        content = self._stream.read()
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            self._stream.truncate(len(whole))  # a later line must not continue the one that was cut off
        for line in whole.splitlines():
            try:
                entry = json.loads(line)
                mark = from_data(TaskMark, entry["mark"])
                key = str(entry["student"]), str(entry["digest"]), mark.task_id
            except (ValueError, TypeError, KeyError):
                continue  # its task is graded again
            self._marks[key] = mark
