"""Where compilers keep what they have compiled, so that the next kernel finds it and waits for nothing.

It only tells them, by the variables that they read; nothing is loaded or written here.
"""

from __future__ import annotations

import os

from course_utils.core.files import data_folder


def configure_compile_cache() -> None:
    """Let torch keep compiled code in the course's data folder, and compile in this process instead of in several.

    What somebody has set stays. In a folder that cannot be written, or whose name has a space, which not every compiler's
    command line survives, nothing is kept: torch then takes the system's folder for what is temporary.
    """
    os.environ.setdefault(
        "TORCHINDUCTOR_COMPILE_THREADS", "1"
    )  # others are slow to start, and a lesson's code is small
    folder = data_folder() / "compiled"
    nearest = next((each for each in (folder, *folder.parents) if each.exists()), None)
    if " " not in str(folder) and nearest is not None and os.access(nearest, os.W_OK):
        os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(folder))
