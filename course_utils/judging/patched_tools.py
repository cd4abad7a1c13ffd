"""Notices when code in the kernel replaces a clock or a comparison that the check works with, and restores it.

A patched clock, such as a ``time.sleep`` that returns at once, would make every later measurement wrong. This is help, not
protection: if marks count, the grader runs answers in another process.
"""

from __future__ import annotations

import time
from types import ModuleType
from typing import Any

import numpy

from course_utils import frameworks

_CLOCKS = ("perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "time", "time_ns", "process_time", "sleep")
_COMPARISONS = ("allclose", "array_equal", "isclose", "isfinite", "all", "asarray")

_originals: dict[ModuleType, dict[str, Any]] = {}
"""Module → its tools as they were first seen."""


def remember_originals() -> None:
    """Remember the clocks, and the comparisons of the loaded libraries; a second call adds only new ones."""
    modules = {time: _CLOCKS, numpy: _COMPARISONS} | {each.library: each.comparisons for each in frameworks.loaded()}
    for module, names in modules.items():
        if module not in _originals:
            _originals[module] = {name: getattr(module, name) for name in names}


def restore_replaced() -> list[str]:
    """Return the names of the tools that were replaced; the originals are restored."""
    replaced = []
    for module, tools in _originals.items():
        for name, tool in tools.items():
            if getattr(module, name, None) is not tool:
                replaced.append(f"{module.__name__}.{name}")
                setattr(module, name, tool)
    return replaced
