"""The processor that this process runs on: what it is called, and how many of its cores may be used."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from functools import cache


def cores() -> int:
    """Logical cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def processor() -> str:
    """Its name, without trademarks and clock rates."""
    name = platform.processor() or platform.machine()
    if sys.platform == "darwin":  # Python says "arm" or "i386"
        name = _asked("sysctl", "-n", "machdep.cpu.brand_string") or name
    if sys.platform.startswith("linux"):
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        name = models[0] if models else name
    return (
        re.sub(r"\((R|TM)\)|\bCPU\b|@.*|\d+-Core Processor|Processor", "", name, flags=re.IGNORECASE).strip() or "CPU"
    )


def _asked(*command: str) -> str:
    """What a program of the system answers, "" where it does not."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
