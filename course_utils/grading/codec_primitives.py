"""What the codecs of all frameworks share: errors, the bytes of a frame, arrays of numbers, and the addresses of functions."""

from __future__ import annotations

import builtins
import importlib
import sys
from typing import Any

import numpy as np

from course_utils.core.errors import CourseError
from course_utils.grading.channel import Blob


class ValueInvalid(CourseError):
    """The other end has sent something that describes no value."""


class Uncountable(Exception):
    """The parent cannot count the operations of a call, such as one that needs a tensor's memory or another thread."""


class Frame:
    """The bytes that travel with one message."""

    def __init__(self, blobs: list | None = None) -> None:
        self.blobs: list[Blob] = [] if blobs is None else blobs

    def add(self, blob: Blob) -> int:
        """Append bytes; returns their index."""
        self.blobs.append(blob)
        return len(self.blobs) - 1

    def bytes_at(self, index: Any) -> Blob:
        """Return the bytes at an index that the other end sent."""
        if type(index) is not int or not 0 <= index < len(self.blobs):
            raise ValueInvalid("bytes are missing")
        return self.blobs[index]


SCALARS = tuple(
    getattr(np, name)
    for name in ("bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
                 "float64", "complex64", "complex128")
)  # fmt: skip


def array_dtype(name: Any) -> np.dtype:
    """Return the dtype of an array of numbers."""
    dtype = np.dtype(str(name))
    if dtype.kind not in "biufc":
        raise ValueInvalid("an array holds no numbers")
    return dtype


def address_of(value: Any) -> str:
    """Return where a function or a class is defined: ``"module:name"``."""
    return f"{getattr(value, '__module__', '')}:{getattr(value, '__qualname__', '')}"


def is_importable(address: str, function: Any) -> bool:
    """Return whether the address leads to this very function."""
    module, _, name = address.partition(":")
    return getattr(sys.modules.get(module), name, None) is function


def import_object(address: str) -> Any:
    """Return the object at an address; only a child calls this, with addresses from its parent."""
    module, _, name = address.partition(":")
    return getattr(importlib.import_module(module), name)


def make_error(kind: str, text: str) -> Exception:
    """Return the error that the other end names: a built-in one, or a subclass of ``RuntimeError`` with that name.

    >>> make_error("UnequalCalls", "one worker waits")
    UnequalCalls('one worker waits')
    """
    known = getattr(builtins, kind, None)
    if isinstance(known, type) and issubclass(known, Exception):
        return known(text)
    return type(kind, (RuntimeError,), {})(text)


def placeholder(name: str, module: str = "builtins") -> Any:
    """Return an object whose type has this name, for a message about a value that does not travel."""
    return type(name[:60] or "object", (), {"__module__": module[:60], "__repr__": lambda self: f"<{name[:60]}>"})()
