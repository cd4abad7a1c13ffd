"""This machine's processor, number of cores and NVIDIA driver, without any framework."""

from __future__ import annotations

import ctypes
import os
import platform
import re
import subprocess
import sys
from functools import cache

_VERSION_BYTES = 80  # NVML's header gives this as the longest driver version.


def slug(name: str) -> str:
    """Return ``name`` as lower-case letters, digits and hyphens.

    >>> slug("NVIDIA H200")
    'nvidia-h200'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def core_count() -> int:
    """Return the number of logical cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def cpu_name() -> str:
    """Return the processor's name without trademarks and clock rates."""
    name = platform.processor() or platform.machine()
    if sys.platform == "darwin":  # Python reports only "arm" or "i386".
        name = output_of("sysctl", "-n", "machdep.cpu.brand_string") or name
    name = _cpu_info("model name") or name
    brand = re.sub(r"\((R|TM)\)|\bCPU\b|@.*|\d+-Core Processor|Processor", "", name, flags=re.IGNORECASE)
    return brand.strip() or "CPU"


@cache
def vector_instructions() -> str:
    """Return the widest vector instructions of an x86 processor, ``"AVX-512"`` or ``"AVX2"``; "" for other ones, and where
    the system does not list them.

    Virtual machines often report only a brand, such as ``"AMD EPYC"``, for processors of several generations.
    """
    flags = _cpu_info("flags").split()
    return next((name for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in flags), "")


def _cpu_info(key: str) -> str:
    """Return what Linux says about the first core under ``key``; "" if nothing, and on other systems."""
    if not sys.platform.startswith("linux"):
        return ""
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        for line in lines:
            name, _, value = line.partition(":")
            if name.strip() == key:
                return value.strip()
    return ""


@cache
def nvidia_driver_version() -> str:
    """Return the version that NVIDIA's management library reports; "" without that library or its answer."""
    try:
        library = ctypes.CDLL("nvml.dll" if sys.platform == "win32" else "libnvidia-ml.so.1")
    except OSError:
        return ""
    version = ctypes.create_string_buffer(_VERSION_BYTES)
    if library.nvmlInit_v2() != 0:
        return ""
    try:
        succeeded = library.nvmlSystemGetDriverVersion(version, _VERSION_BYTES) == 0
    finally:
        library.nvmlShutdown()
    return version.value.decode() if succeeded else ""


def output_of(*command: str) -> str:
    """Return the output of a system program; "" if it is missing or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
