"""The only room that names a framework: its tensors, its devices, trees of tensors, and whether two results agree.

This module is the register: which frameworks the course knows, which of them this process has imported, and which one
made a value. It imports no framework, so a TensorFlow lesson never loads torch, nor the reverse.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from course_utils.frameworks.framework_interface import Framework
from course_utils.frameworks.no_framework import NoFramework
from course_utils.frameworks.tensorflow import Tensorflow
from course_utils.frameworks.torch import Torch

NO_FRAMEWORK = NoFramework()
ALL: tuple[Framework, ...] = (Torch(), Tensorflow())
"""Every framework that the course knows, installed or not."""

NAMES = tuple(framework.name for framework in ALL)

_BY_NAME = {framework.name: framework for framework in (*ALL, NO_FRAMEWORK)}


def loaded() -> tuple[Framework, ...]:
    """Return the frameworks that this process has imported, in the order of ``ALL``."""
    return tuple(framework for framework in ALL if framework.is_loaded())


def by_name(name: str) -> Framework:
    """Return the framework called ``name``; ``"none"`` is ``NO_FRAMEWORK``.

    Raises:
        KeyError: for any other name.
    """
    return _BY_NAME[name]


def of(value: Any) -> Framework:
    """Return the framework whose package defines the type of ``value``, else ``NO_FRAMEWORK``.

    >>> of([1.0]).name
    'none'
    """
    kind: Any = type(value)
    return _of_type(kind)


@lru_cache(maxsize=1024)
def _of_type(kind: type) -> Framework:
    """Return the framework of a type; cached, because a check asks about each leaf of its inputs, thousands of times."""
    packages = (base.__module__.partition(".")[0] for base in kind.__mro__)
    return next((_BY_NAME[package] for package in packages if package in NAMES), NO_FRAMEWORK)


def snapshot(value: Any) -> Callable[[], object] | None:
    """Return a function that restores the present values of ``value``; None if they cannot change in place."""
    framework = of(value)
    return framework.snapshot(value) if framework.is_loaded() else None


def explain_compiler_error(error: BaseException) -> str:
    """Return what an error of a loaded framework's compiler means and what helps; "" for any other error."""
    return next(filter(None, (framework.compiler.explain_error(error) for framework in loaded())), "")


def compilation_count(with_traces: bool = False) -> int:
    """Return how many functions and graphs the loaded frameworks have compiled in this process so far.

    Args:
        with_traces: see ``Compiler.compilation_count``.
    """
    return sum(framework.compiler.compilation_count(with_traces) for framework in loaded())


def installed_versions() -> dict[str, str]:
    """Return framework name → version for each installed framework. Nothing is imported."""
    installed = {framework.name: framework.installed_version() for framework in ALL}
    return {name: version for name, version in installed.items() if version is not None}


def versions() -> dict[str, str]:
    """Return the versions of Python, NumPy and each loaded framework."""
    numbers = {"python": platform.python_version()}
    for name in ("numpy", *(framework.name for framework in loaded())):
        numbers[name] = str(sys.modules[name].__version__)
    return numbers
