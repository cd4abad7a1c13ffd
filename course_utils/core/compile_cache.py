"""Configures torch's compiler through environment variables: a new kernel reuses compiled code, and first calls are short."""

from __future__ import annotations

import os

from course_utils.core.files import data_folder


def configure_compile_cache() -> None:
    """Set torch's variables: cache compiled code in the course's data folder, compile in this process only, and build no test
    program first.

    Variables that are already set stay. If the folder is not writable or its path contains a space, which breaks some
    compilers' command lines, the variable stays unset and torch uses the system's folder for temporary files.
    """
    # Torch's worker processes take seconds to start, and a lesson compiles little code.
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    # Torch builds a program to test whether the compiler knows the processor's vector instructions, which takes seconds, too.
    # A compiler that knows the C++ standard of torch's own code is new enough to know them.
    os.environ.setdefault("TORCHINDUCTOR_VEC_ISA_OK", "1")
    folder = data_folder() / "compiled"
    existing = next((each for each in (folder, *folder.parents) if each.exists()), None)
    if " " not in str(folder) and existing is not None and os.access(existing, os.W_OK):
        os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(folder))
