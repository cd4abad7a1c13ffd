"""Notices when an answer replaces what the check works with: the clock, a comparison, the check itself.

It keeps nobody out who means to get in; it catches the accident and the one-liner, and puts things back. An author who
edits a module of the course and reloads it replaces nothing: the new tools come from where the old ones came from.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType
from typing import Any

import numpy

from course_utils import frameworks

_COURSE = __name__.partition(".")[0]
_CLOCK = ("perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "time", "time_ns", "process_time", "sleep")
_COMPARISONS = ("allclose", "array_equal", "isclose", "isfinite", "all", "asarray")

Tool = Any
"""A function or a class that the check works with, or whatever was put in its place."""


@dataclass(frozen=True)
class _Sealed:
    """A module or a class as it was first seen: its tools, and a module's spec, which every ``importlib.reload`` makes anew."""

    holder: ModuleType | type
    spec: ModuleSpec | None
    tools: dict[str, Tool]


_known: dict[str, _Sealed] = {}


def seal() -> None:
    """Remember the tools of every module that is loaded by now; what is known already stays as it was first seen."""
    _remember(time, {name: getattr(time, name) for name in _CLOCK})
    for framework in frameworks.loaded():
        _remember(framework.library, {name: getattr(framework.library, name) for name in framework.comparisons})
    _remember(numpy, {name: getattr(numpy, name) for name in _COMPARISONS})
    for name, module in list(sys.modules.items()):
        if _of_the_course(name):
            own = {each: tool for each, tool in vars(module).items() if isinstance(tool, (FunctionType, type))}
            _remember(module, own)
            for tool in own.values():
                if isinstance(tool, type) and tool.__module__ == name:
                    _remember(
                        tool, {each: method for each, method in vars(tool).items() if isinstance(method, FunctionType)}
                    )


def restore_replaced() -> list[str]:
    """The names of the tools that are no longer what they were; they are put back.

    A tool of a reloaded module is kept as it is now, and known from here on.
    """
    found = []
    for name, sealed in list(_known.items()):
        for each, tool in sealed.tools.items():
            now = getattr(sealed.holder, each, None)
            if now is tool:
                continue
            if _reloaded(tool, now):
                sealed.tools[each] = now
                if isinstance(tool, type):  # its methods are sealed again with the next check
                    _known.pop(f"{tool.__module__}.{tool.__qualname__}", None)
            else:
                found.append(f"{name}.{each}")
                setattr(sealed.holder, each, tool)
    package = sys.modules[_COURSE]
    for each in set(vars(package)) & set(package.__all__):
        delattr(package, each)  # the package hands these on and holds none of them itself
        found.append(f"{package.__name__}.{each}")
    return found


def _remember(holder: ModuleType | type, tools: Mapping[str, Tool]) -> None:
    name = holder.__name__ if isinstance(holder, ModuleType) else f"{holder.__module__}.{holder.__qualname__}"
    _known.setdefault(name, _Sealed(holder, _spec(holder), dict(tools)))


def _reloaded(before: Tool, now: Tool) -> bool:
    """Whether ``now`` is what a reload of the course's own module made of ``before``.

    That module was executed again since, and both name it as their own, under the same name and with code from the same
    files. What somebody wrote in a cell comes from the cell, even where it took over another function's name.
    """
    origin = _known.get(getattr(before, "__module__", None) or "")
    if origin is None or not _of_the_course(origin.holder.__name__) or _spec(origin.holder) is origin.spec:
        return False
    return type(now) is type(before) and list(_traits(now)) == list(_traits(before))


def _spec(holder: ModuleType | type) -> ModuleSpec | None:
    return getattr(holder, "__spec__", None)  # no class has one, nor what somebody put among the modules


def _of_the_course(module: str) -> bool:
    return module.partition(".")[0] == _COURSE


def _traits(tool: Tool) -> Iterator[tuple[str, str, str]]:
    """Where a tool says that it was made, and from which file its code came; for a wrapper also what it wraps."""
    yield tool.__module__, tool.__qualname__, tool.__code__.co_filename if isinstance(tool, FunctionType) else ""
    if hasattr(tool, "__wrapped__"):
        yield from _traits(tool.__wrapped__)
