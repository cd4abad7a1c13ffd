"""``Codec``: arguments and results as JSON and raw bytes, with the same objects and the same memory at both ends.

Both ends number the objects that they exchange. A tensor that comes again is the same tensor, two tensors over one memory
share it at the other end as well, and what one end writes into known memory is written at the other with the next frame.
Each end gives names with its own letter: ``"p3"`` for the parent's third object, ``"c3"`` for the child's.

A subclass converts the tensors, modules and generators of one framework.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_utils.grading.channel import Json
from course_utils.grading.codec_primitives import (
    SCALARS,
    Frame,
    ValueInvalid,
    address_of,
    array_dtype,
    import_object,
    is_importable,
    placeholder,
)

_GENERATIONS = 5  # Objects of the last calls stay known, so that a later call that changes an earlier result is seen.
_COURSE = __name__.partition(".")[0]
_DEEPEST = 50


class Codec:
    """Encodes and decodes values for one end of a channel.

    Args:
        letter: "p" for the parent, "c" for the child.
        call: in the child, calls a function of the parent by its name.

    Attributes:
        keeps_objects: whether lists are named; the arguments of an operation must not be kept alive by a name.
    """

    def __init__(self, letter: str, call: Callable[[str, tuple, dict], Any] | None = None) -> None:
        self.letter = letter
        self.keeps_objects = True
        self.objects: dict[str, Any] = {}
        self._call = call
        self._names: dict[int, str] = {}
        self._generation: dict[str, int] = {}
        self._functions: set[str] = set()
        self._count = self._current = 0

    @property
    def is_parent(self) -> bool:
        """Return whether this end is the parent, which trusts nothing that the child sends."""
        return self.letter == "p"

    def begin_call(self) -> None:
        """Begin another call: objects of calls long ago are forgotten. Both ends call it at the same time."""
        self._current += 1
        for name in [name for name, born in self._generation.items() if born <= self._current - _GENERATIONS]:
            del self._generation[name]
            self._names.pop(id(self.objects.pop(name)), None)

    def name_of(self, value: Any) -> str:
        """Return the name of an object, a new one if it has none."""
        known = self._names.get(id(value))
        if known is not None:
            return known
        self._count += 1
        name = f"{self.letter}{self._count}"
        self.know(name, value)
        return name

    def know(self, name: Any, value: Any) -> None:
        """Keep an object under the name that one of the ends gave it."""
        if type(name) is not str:
            raise ValueInvalid("an object has no name")
        self.objects[name] = value
        self._names[id(value)] = name
        self._generation[name] = self._current

    def pack(self, value: Any) -> tuple[Json, Frame]:
        """Return a value and all memory that changed since the last frame, as a message and its bytes."""
        frame = Frame()
        tree = self.encode(value, frame)
        return [self.encode_memory(frame), tree], frame

    def unpack(self, message: Json, blobs: list) -> Any:
        """Return the value that the other end packed.

        Raises:
            ValueInvalid: the message describes no value.
        """
        if not (isinstance(message, list) and len(message) == 2):
            raise ValueInvalid("a message holds no value")
        frame = Frame(blobs)
        try:
            self.decode_memory(message[0], frame)
        except (TypeError, ValueError, KeyError, OverflowError, RuntimeError) as error:
            raise ValueInvalid(f"memory cannot be read: {type(error).__name__}") from error
        return self.decode(message[1], frame)

    def encode(self, value: Any, frame: Frame) -> Json:
        """Return a value as JSON; its bytes go to the frame."""
        if value is None or isinstance(value, (bool, int, float, str)) and type(value) in (bool, int, float, str):
            return value
        if type(value) is tuple:
            return ["u", [self.encode(each, frame) for each in value]]
        if type(value) is list and not self.keeps_objects:
            return ["p", [self.encode(each, frame) for each in value]]
        if type(value) is list:
            return ["l", self.name_of(value), [self.encode(each, frame) for each in value]]
        if type(value) is dict:
            pairs = [[self.encode(key, frame), self.encode(each, frame)] for key, each in value.items()]
            return ["d", self.name_of(value), pairs]
        if isinstance(value, complex):
            return ["c", value.real, value.imag]
        if isinstance(value, bytes):
            return ["b", frame.add(value)]
        if isinstance(value, slice):
            return ["s", *(self.encode(each, frame) for each in (value.start, value.stop, value.step))]
        if type(value) in (np.ndarray, *SCALARS) and value.dtype.kind in "biufc":
            return ["a", value.dtype.str, list(value.shape), frame.add(value.tobytes()), isinstance(value, np.ndarray)]
        own = self.encode_own(value, frame)
        if own is not None:
            return own
        if id(value) in self._names:
            return ["r", self._names[id(value)]]
        if isinstance(value, (tuple, list)):  # a subclass, such as a named tuple
            items = [self.encode(each, frame) for each in value]
            return ["u", items] if isinstance(value, tuple) else ["l", self.name_of(value), items]
        if isinstance(value, dict):
            return self.encode(dict(value), frame)
        if callable(value):
            return self._encode_function(value)
        if self.is_parent and type(value).__module__.partition(".")[0] == _COURSE:
            return ["o", self.name_of(value), address_of(type(value)), self.encode(vars(value), frame)]
        return ["x", type(value).__name__[:60], type(value).__module__[:60]]

    def decode(self, data: Json, frame: Frame, depth: int = 0) -> Any:
        """Return the value that the other end encoded.

        Raises:
            ValueInvalid: the data describe no value.
        """
        if data is None or isinstance(data, (bool, int, float, str)):
            return data
        try:
            if depth > _DEEPEST:
                raise ValueInvalid("lists are nested without end")
            kind, *rest = data
            if kind in ("u", "l", "d", "s", "o"):
                return self._decode_tree(kind, rest, frame, depth + 1)
            if kind == "p":
                return [self.decode(each, frame, depth + 1) for each in rest[0]]
            if kind == "c":
                return complex(*rest)
            if kind == "b":
                return bytes(frame.bytes_at(rest[0]))
            if kind == "a":
                array = np.frombuffer(bytearray(frame.bytes_at(rest[2])), dtype=array_dtype(rest[0])).reshape(rest[1])
                return array if rest[3] else array[()]
            if kind == "r":
                return self.objects[rest[0]]
            if kind == "f" and not self.is_parent:
                function = import_object(rest[0])
                self.know(rest[1], function)
                return function
            if kind == "k" and not self.is_parent:
                return self._function_of_parent(rest[0])
            if kind in ("x", "f", "k"):
                return placeholder(*map(str, rest[:2]))
            return self.decode_own(kind, rest, frame)
        except ValueInvalid:
            raise
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError, RuntimeError) as error:
            raise ValueInvalid(f"a value cannot be read: {type(error).__name__}") from error

    def encode_memory(self, frame: Frame) -> Json:
        """Return all known memory that changed since the last frame; none for a framework without views."""
        return []

    def decode_memory(self, data: Json, frame: Frame) -> None:
        """Write what ``encode_memory`` of the other end sent into the same memory here."""

    def encode_own(self, value: Any, frame: Frame) -> Json | None:
        """Return a value of the framework as JSON; None for any other value."""
        return None

    def decode_own(self, kind: str, data: list, frame: Frame) -> Any:
        """Return the value of the framework that the other end encoded."""
        raise ValueInvalid(f"there is no value of kind {str(kind)[:20]!r}")

    def _decode_tree(self, kind: str, data: list, frame: Frame, depth: int) -> Any:
        if kind == "u":
            return tuple([self.decode(each, frame, depth) for each in data[0]])
        if kind == "s":
            return slice(*(self.decode(each, frame, depth) for each in data))
        if kind == "o":
            return self._decode_object(data, frame, depth)
        name, items = data
        known = self.objects.get(name)
        target: Any
        if kind == "l":
            target = known if type(known) is list else []
            target[:] = [self.decode(each, frame, depth) for each in items]
        else:
            target = known if type(known) is dict else {}
            pairs = [(self.decode(key, frame, depth), self.decode(each, frame, depth)) for key, each in items]
            target.clear()
            target.update(pairs)
        self.know(name, target)
        return target

    def _decode_object(self, data: list, frame: Frame, depth: int) -> Any:
        """Return an object of the course's own classes; only the parent sends new ones."""
        name, address, state = data
        known = self.objects.get(name)
        if known is None:
            if self.is_parent:
                raise ValueInvalid("a child makes up an object of the course")
            known = object.__new__(import_object(address))
            self.know(name, known)
        if not self.is_parent:
            vars(known).update(self.decode(state, frame, depth))
        return known

    def _encode_function(self, function: Any) -> Json:
        address = address_of(function)
        if self.is_parent and is_importable(address, function):
            return ["f", address, self.name_of(function)]
        if self.is_parent:
            self._functions.add(self.name_of(function))
            return ["k", self.name_of(function)]
        return ["x", type(function).__name__[:60], type(function).__module__[:60]]

    def function_of(self, name: Any) -> Callable[..., Any]:
        """In the parent: return the function that it has sent to the child under this name."""
        if str(name) not in self._functions or str(name) not in self.objects:
            raise ValueInvalid("it calls something that is not a function")
        return self.objects[str(name)]

    def _function_of_parent(self, name: str) -> Any:
        if name not in self.objects:
            call: Any = self._call
            self.know(name, lambda *args, **kwargs: call(name, args, kwargs))
        return self.objects[name]
