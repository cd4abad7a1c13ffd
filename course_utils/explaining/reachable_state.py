"""What a function can change: its arguments, and what it reaches by name. All of it is remembered, and put back after each run."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

from course_utils import frameworks
from course_utils.counting.user_code import UserCode

PutBack = Callable[[], None]

_ATOMS = (int, float, complex, str, bytes, bool, type(None), type)


class State:
    """The values that a call may change.

    Inputs are put back as they were. So are the tensors, modules and optimizers that the function knows by name; of its other
    lists and tables by name what was taken out comes back, and what a run has added stays: losses that were noted, runs counted.

    An optimizer makes part of what it holds in its first step; so that the later ones can be looked at, each run begins with
    what it held after the first.

    Args:
        own: whose functions are looked into, and whose objects.
        function: what is called.
        inputs: its arguments.
    """

    def __init__(self, own: UserCode, function: Any, inputs: Any) -> None:
        self._own = own
        self._backs: list[PutBack] = []
        self._optimizers: list[tuple[Any, PutBack]] = []
        self._settled: list[PutBack] = []
        self._seen: dict[int, Any] = {}  # keeps what was seen, so that no other object gets its id
        self._look_into(inputs, self._keep_all)
        self._look_into(function, self._keep_what_was)

    def put_back(self) -> None:
        """Make everything what it was, for the next run."""
        for back in self._backs:
            back()
        if not self._settled:
            self._settled = [frameworks.snapshot(optimizer) or (lambda: None) for optimizer, _ in self._optimizers]
        for back in self._settled:
            back()

    def leave(self) -> None:
        """Make everything what it was before the first run."""
        for back in (*self._backs, *(back for _, back in self._optimizers)):
            back()

    def _look_into(self, value: Any, keep: Callable[[Any], None]) -> None:
        waiting = [value]
        while waiting:
            value = waiting.pop()
            if isinstance(value, _ATOMS) or id(value) in self._seen:
                continue
            self._seen[id(value)] = value
            waiting += self._parts(value, keep)

    def _parts(self, value: Any, keep: Callable[[Any], None]) -> list[Any]:
        back = frameworks.snapshot(value)
        if back is not None and frameworks.of(value).is_optimizer(value):
            self._optimizers.append((value, back))
            return []
        if back is not None:
            self._backs.append(back)
            return self._methods(value)
        if isinstance(value, functools.partial):
            return [value.func, *value.args, *value.keywords.values()]
        if isinstance(value, MethodType):
            return [value.__self__, value.__func__]
        if isinstance(value, FunctionType):
            return self._parts_of_function(inspect.unwrap(value))
        if isinstance(value, (list, dict, set)):
            keep(value)
        if isinstance(value, (tuple, list, set)):
            return list(value)
        if isinstance(value, dict):
            return list(value.values())
        methods = self._methods(value)  # the attributes of a library's object are its own affair
        if methods and hasattr(value, "__dict__"):
            keep(vars(value))
            return methods + list(vars(value).values())
        return methods

    def _keep_all(self, container: Any) -> None:
        before = container.copy()

        def back() -> None:
            container.clear()
            container.extend(before) if isinstance(container, list) else container.update(before)

        self._backs.append(back)

    def _keep_what_was(self, container: Any) -> None:
        before = container.copy()

        def back() -> None:
            if isinstance(container, list):
                if not _same(container[: len(before)], before):
                    container[:] = before
            elif isinstance(container, dict):
                container.update({key: old for key, old in before.items() if _is_lost(container.get(key), old)})
            else:
                container.update(before)

        self._backs.append(back)

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
            self._backs.append(functools.partial(_put_into_cell, cell, parts[-1]))
        tables = function.__globals__
        for name in {name for name in _names(code) if name in tables}:
            parts.append(tables[name])
            self._backs.append(functools.partial(_put_into_table, tables, name, parts[-1]))
        return parts


def _is_lost(now: Any, before: Any) -> bool:
    """Whether another thing stands where one stood; numbers may count on."""
    return now is not before and not isinstance(now, (int, float))


def _same(now: list, before: list) -> bool:
    return len(now) == len(before) and not any(map(_is_lost, now, before))


def _put_into_cell(cell: CellType, before: Any) -> None:
    if _is_lost(cell.cell_contents, before):
        cell.cell_contents = before


def _put_into_table(table: dict, name: str, before: Any) -> None:
    if _is_lost(table.get(name), before):
        table[name] = before


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
