"""Where the course keeps its data on this machine, and how a file is written so that no reader ever meets half of one.

It knows no format, and takes no lock: who reads, changes and writes again has to hold one.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path


def data_folder() -> Path:
    """The folder that ``UNLOOP_HOME`` names, else the course's own among the user's application data; it may not exist yet."""
    home = os.environ.get("UNLOOP_HOME")
    if home:
        return Path(home)
    from platformdirs import user_data_path

    return user_data_path("unloop", appauthor=False)


def write_whole(path: Path, text: str) -> None:
    """Put ``text`` in the place of the file ``path``, in UTF-8: a crash leaves the old file or the new one, whole.

    Raises:
        OSError: when the disk refuses, or the folder does not exist; what stood there is left as it was.
    """
    # A name for each writer, so that two at once do not write into one part.
    part = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with open(part, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
