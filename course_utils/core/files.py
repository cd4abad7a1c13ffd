"""The course's data folder, and atomic writes: a reader sees the old file or the new one, never a part.

This module knows no file format and takes no lock: code that reads, changes and rewrites a file must hold a lock of its own.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path


def data_folder() -> Path:
    """Return the folder that ``UNLOOP_HOME`` names, or else the course's folder in the user's application data;
    it may not exist."""
    home = os.environ.get("UNLOOP_HOME")
    if home:
        return Path(home)
    from platformdirs import user_data_path

    return user_data_path("unloop", appauthor=False)


def write_atomically(path: Path, text: str) -> None:
    """Replace the file ``path`` by ``text`` in UTF-8; after a crash, the file is the old one or the new one, complete.

    Raises:
        OSError: the disk refuses the write, or the folder does not exist; the old file stays.
    """
    # Each writer has a temporary file of its own, so that two concurrent writers don't mix their text.
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with open(temporary, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
