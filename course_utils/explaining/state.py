"""What a function can change: its arguments, and what it reaches by name. All of it is remembered, and put back after each run."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, MethodType
from typing import Any

from course_utils import frameworks
from course_utils.counting.own_code import OwnCode

_ATOMS = (int, float, complex, str, bytes, bool, type(None), type)


class State:
    """The values that a call may change.

    An optimizer makes part of what it holds in its first step; so that the later ones can be looked at, each run begins with
    what it held after the first.

    Args:
        own: whose functions are looked into, and whose objects.
        values: the function and its arguments.
    """

    def __init__(self, own: OwnCode, *values: Any) -> None:
        self._own = own
        self._backs: list[Callable[[], None]] = []
        self._optimizers: list[tuple[Any, Callable[[], None]]] = []
        self._settled: list[Callable[[], None]] = []
        self._seen: dict[int, Any] = {}  # keeps what was seen, so that no other object gets its id
        for value in values:
            self._look_into(value)

    def put_back(self) -> None:
        """Make everything what it was, for the next run."""
        for back in self._backs:
            back()
        if not self._settled:
            self._settled = [_back(optimizer) or (lambda: None) for optimizer, _ in self._optimizers]
        for back in self._settled:
            back()

    def leave(self) -> None:
        """Make everything what it was before the first run."""
        for back in self._backs:
            back()
        for _, back in self._optimizers:
            back()

    def _look_into(self, value: Any) -> None:
        waiting = [value]
        while waiting:
            value = waiting.pop()
            if isinstance(value, _ATOMS) or id(value) in self._seen:
                continue
            self._seen[id(value)] = value
            waiting += self._parts(value)

    def _parts(self, value: Any) -> list[Any]:
        back = _back(value)
        if back is not None and frameworks.of(value).is_optimizer(value):
            self._optimizers.append((value, back))
            return [group["params"] for group in value.param_groups]
        if back is not None:
            self._backs.append(back)
            return self._methods(value)
        if isinstance(value, functools.partial):
            return [value.func, *value.args, *value.keywords.values()]
        if isinstance(value, MethodType):
            return [value.__self__, value.__func__]
        if isinstance(value, FunctionType):
            return self._parts_of_function(inspect.unwrap(value))
        if isinstance(value, tuple):
            return list(value)
        if isinstance(value, list):
            items = list(value)
            self._backs.append(lambda: value.__setitem__(slice(None), items))
            return items
        if isinstance(value, (dict, set)):
            return self._parts_of_table(value)
        return self._parts_of_object(value)

    def _parts_of_table(self, table: dict | set) -> list[Any]:
        before = table.copy()

        def back() -> None:
            table.clear()
            table.update(before)

        self._backs.append(back)
        return list(before.values() if isinstance(before, dict) else before)

    def _parts_of_object(self, thing: Any) -> list[Any]:
        """The attributes of an object whose class the learner wrote; what a library's objects hold is left alone."""
        methods = self._methods(thing)
        return methods + self._parts_of_table(vars(thing)) if methods and hasattr(thing, "__dict__") else []

    def _methods(self, thing: Any) -> list[Any]:
        """The methods that the learner wrote for such a thing."""
        found = (each for each in vars(type(thing)).values() if isinstance(each, FunctionType))
        return [each for each in found if self._own.owns(each.__code__)]

    def _parts_of_function(self, function: Any) -> list[Any]:
        code = getattr(function, "__code__", None)
        if code is None or not self._own.owns(code):
            return []
        parts = []
        for cell in function.__closure__ or ():
            try:
                parts.append(cell.cell_contents)
            except ValueError:  # not assigned yet
                continue
            self._backs.append(functools.partial(setattr, cell, "cell_contents", parts[-1]))
        names = {name for name in _names(code) if name in function.__globals__}
        for name in names:
            parts.append(function.__globals__[name])
            self._backs.append(functools.partial(function.__globals__.__setitem__, name, parts[-1]))
        return parts


def _back(value: Any) -> Callable[[], None] | None:
    framework = frameworks.of(value)
    return framework.remembered(value) if framework.is_loaded() else None


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
