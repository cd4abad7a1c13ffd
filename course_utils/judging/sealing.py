"""Notices when an answer replaces what the check works with: the clock, a comparison, the check itself.

It keeps nobody out who means to get in; it catches the accident and the one-liner, and puts things back.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import FunctionType, ModuleType

import numpy

from course_utils import frameworks

_CLOCK = ("perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "time", "time_ns", "process_time", "sleep")
_COMPARISONS = ("allclose", "array_equal", "isclose", "isfinite", "all", "asarray")

_known: dict[str, tuple[ModuleType, dict[str, Callable]]] = {}


def seal() -> None:
    """Remember the tools of every module that is loaded by now; what is known already stays as it was first seen."""
    _remember(time, {name: getattr(time, name) for name in _CLOCK})
    for framework in frameworks.loaded():
        _remember(framework.library, {name: getattr(framework.library, name) for name in framework.comparisons})
    _remember(numpy, {name: getattr(numpy, name) for name in _COMPARISONS})
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == __name__.partition(".")[0]:
            own = {each: tool for each, tool in vars(module).items() if isinstance(tool, (FunctionType, type))}
            _remember(module, own)


def replaced() -> list[str]:
    """The names of the tools that are no longer what they were; they are put back."""
    found = []
    for name, (module, tools) in _known.items():
        for each, tool in tools.items():
            if getattr(module, each, None) is not tool:
                found.append(f"{name}.{each}")
                setattr(module, each, tool)
    package = sys.modules[__name__.partition(".")[0]]
    for each in set(vars(package)) & set(package.__all__):
        delattr(package, each)  # the package hands these on and holds none of them itself
        found.append(f"{package.__name__}.{each}")
    return found


def _remember(module: ModuleType, tools: dict[str, Callable]) -> None:
    _known.setdefault(module.__name__, (module, tools))
