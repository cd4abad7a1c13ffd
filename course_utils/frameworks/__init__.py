"""The only room that names a framework: its devices, its tensors, trees of them, and when two results agree.

This file is the register: which frameworks the course knows, which of them this process has imported, and whose a value is.
It imports none of them: a TensorFlow lesson never pays for torch, nor the reverse.
"""

from __future__ import annotations

from typing import Any

from course_utils.frameworks.base import Framework
from course_utils.frameworks.plain import Plain
from course_utils.frameworks.tensorflow import Tensorflow
from course_utils.frameworks.torch import Torch

PLAIN: Framework = Plain()
ALL: tuple[Framework, ...] = (Torch(), Tensorflow())
"""Every framework, installed or not; ``PLAIN`` stands for none."""

NAMES = tuple(each.name for each in ALL)

_BY_NAME = {each.name: each for each in (*ALL, PLAIN)}


def loaded() -> tuple[Framework, ...]:
    """The frameworks that this process has imported, in the order of ``ALL``."""
    return tuple(each for each in ALL if each.is_loaded())


def named(name: str) -> Framework:
    """The framework that a task names, ``PLAIN`` for ``"none"``; KeyError for any other name."""
    return _BY_NAME[name]


def of(value: Any) -> Framework:
    """The framework that made ``value``, told by its type's module; ``PLAIN`` for anything else.

    >>> of([1.0]).name
    'none'
    """
    for kind in type(value).__mro__:
        root = kind.__module__.partition(".")[0]
        if root in NAMES:
            return _BY_NAME[root]
    return PLAIN


def refusal(error: BaseException) -> str:
    """What an error of a loaded framework's compiler means, and what helps; "" for an error of another kind."""
    return next(filter(None, (each.compiler.refusal(error) for each in loaded())), "")
