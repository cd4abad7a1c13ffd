"""The temporary folder of a grading process, which a later one removes if its owner was killed.

The owner holds a lock on a file in the folder as long as it lives. The system releases the lock when the owner ends, even if
it is killed.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import final

PREFIX = "unloop-grade-"
_LOCK = "lock"


@final
class TemporaryFolder:
    """A new folder for temporary files. Creating one removes the folders of this user's graders that were killed.

    Attributes:
        path: where it is.
    """

    def __init__(self) -> None:
        import fcntl  # Windows, where nothing is graded, lacks it

        remove_abandoned()
        self.path = tempfile.mkdtemp(prefix=PREFIX)
        unlocked, locked = (os.path.join(self.path, name) for name in ("unlocked", _LOCK))
        self._lock = os.open(unlocked, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        os.rename(unlocked, locked)  # Another process never sees this file without its lock.

    def remove(self) -> None:
        """Remove the folder with all that it holds; may be called again."""
        shutil.rmtree(self.path, ignore_errors=True)
        with suppress(OSError):
            os.close(self._lock)
        self._lock = -1


def remove_abandoned() -> None:
    """Remove the folders of this user's graders that no longer run."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            status = folder.lstat()
            if stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid():
                _remove_if_abandoned(folder)


def _remove_if_abandoned(folder: Path) -> None:
    """Remove the folder if no process holds its lock.

    Raises:
        OSError: a process holds the lock, or the folder has no lock, because it belongs to another program or is being
            created.
    """
    import fcntl

    lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)
