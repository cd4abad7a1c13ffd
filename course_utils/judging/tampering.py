"""Notices when an answer replaces what the check works with: the clock, a comparison, the check itself.

An answer runs in the same process as the check, so this is no protection against intent: it catches accidents and one-liners,
in a learner's kernel and under nbgrader, and restores the originals. A grader that must be sure runs answers elsewhere.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType
from typing import Any

import numpy

from course_utils import frameworks

_COURSE = __name__.partition(".")[0]
_CLOCK = ("perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "time", "time_ns", "process_time", "sleep")
_COMPARISONS = ("allclose", "array_equal", "isclose", "isfinite", "all", "asarray")

Tool = Any
"""A function or a class that the check works with."""

_sealed: dict[str, tuple[ModuleType | type, dict[str, Tool]]] = {}
"""Name of a module or a class → that module or class, and its tools as they were first seen."""
_specs: dict[str, ModuleSpec | None] = {}
"""A module of the course → its spec, which every ``importlib.reload`` replaces."""


def seal() -> None:
    """Remember the tools of every loaded module; earlier seals stay, unless an author has reloaded a module of the course."""
    if any(sys.modules[name].__spec__ is not spec for name, spec in _specs.items() if name in sys.modules):
        _sealed.clear()
        _specs.clear()
    _remember(time, {name: getattr(time, name) for name in _CLOCK})
    for framework in frameworks.loaded():
        _remember(framework.library, {name: getattr(framework.library, name) for name in framework.comparisons})
    _remember(numpy, {name: getattr(numpy, name) for name in _COMPARISONS})
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == _COURSE and name not in _sealed:
            _specs.setdefault(name, module.__spec__)
            tools = {
                each: tool
                for each, tool in vars(module).items()
                if isinstance(tool, (FunctionType, type)) and not _is_generated(each)
            }
            _remember(module, tools)
            for tool in tools.values():
                if isinstance(tool, type) and tool.__module__ == name:
                    methods = {each: value for each, value in vars(tool).items() if isinstance(value, FunctionType)}
                    _remember(tool, methods)


def restore_replaced() -> list[str]:
    """The names of the tools that were replaced; the originals are restored."""
    names = []
    for holder_name, (holder, tools) in _sealed.items():
        for name, tool in tools.items():
            if getattr(holder, name, None) is not tool:
                names.append(f"{holder_name}.{name}")
                setattr(holder, name, tool)
    package = sys.modules[_COURSE]
    for name in set(vars(package)) & set(package.__all__):
        delattr(package, name)  # the package loads its public names on access and stores none of them
        names.append(f"{_COURSE}.{name}")
    return names


def _is_generated(name: str) -> bool:
    """Whether a compiler has added the name to the module whose code it compiled; it removes such names again."""
    return name.startswith("__") and not name.endswith("__")


def _remember(holder: ModuleType | type, tools: Mapping[str, Tool]) -> None:
    name = holder.__name__ if isinstance(holder, ModuleType) else f"{holder.__module__}.{holder.__qualname__}"
    _sealed.setdefault(name, (holder, dict(tools)))
