"""The version of NVIDIA's driver, asked of the driver's own library. It is asked nothing else, and no framework is."""

from __future__ import annotations

import ctypes
import sys
from functools import cache

_LONGEST = 80  # bytes that a version takes at most, by the library's own header


@cache
def nvidia_driver() -> str:
    """Such as ``"570.124.06"``; "" where there is no such driver, or it does not answer."""
    try:
        library = ctypes.CDLL("nvml.dll" if sys.platform == "win32" else "libnvidia-ml.so.1")
    except OSError:
        return ""
    version = ctypes.create_string_buffer(_LONGEST)
    if library.nvmlInit_v2() != 0:
        return ""
    try:
        told = library.nvmlSystemGetDriverVersion(version, _LONGEST) == 0
    finally:
        library.nvmlShutdown()
    return version.value.decode() if told else ""
