"""``ReachableState``: everything that a call can change, to be restored after each run."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

from course_utils import frameworks
from course_utils.counting.user_code import UserCode

Restore = Callable[[], object]

_ATOMS = (int, float, complex, str, bytes, bool, type(None), type)


class ReachableState:
    """The values that a call can change.

    Arguments are restored as they were, and so are tensors, modules and optimizers that the function reaches by name. Other lists
    and tables that it reaches by name get back what was removed from them, but keep what a run added: recorded losses, counters.

    An optimizer creates part of its state in its first step, and gradients of a new model may all be zero. So that the
    later steps are measured, each run starts with the parameters and the state after the first step.

    Args:
        own: the code whose functions and objects are searched.
        function: the function that is called.
        inputs: its arguments.
    """

    def __init__(self, own: UserCode, function: Any, inputs: Any) -> None:
        self._own = own
        self._restores: list[Restore] = []
        self._value_indices: list[int] = []  # The indices in ``_restores`` for tensors, modules and arguments.
        self._optimizers: list[tuple[Any, Restore]] = []
        self._after_first_step: list[Restore] | None = None
        self._constant: set[int] | None = None
        # Keeps all objects that were found, so that no other object gets the identity of one.
        self._reached: dict[int, Any] = {}
        self._search(inputs, self._keep_everything)
        self._search(function, self._keep_what_was)

    @property
    def trains(self) -> bool:
        """Return whether the call can reach an optimizer, and so is a training step, which a warm-up does not undo."""
        return bool(self._optimizers)

    @property
    def has_modules(self) -> bool:
        """Return whether the call can reach a module, such as a model."""
        return any(frameworks.of(value).is_module(value) for value in self._reached.values())

    @property
    def is_unchanged(self) -> bool:
        """Return whether the first run changed no tensor, module, optimizer or argument; known after ``restore``."""
        constant = self._constant or set[int]()
        return not self._optimizers and all(index in constant for index in self._value_indices)

    def restore(self) -> None:
        """Restore everything for the next run.

        All runs start from the same values, so values that the first run did not change are not compared after later runs:
        that would remove the function's tensors from the processor's caches. Tensors that did change are read once for
        the same reason.
        """
        if self._after_first_step is None:
            snapshots = (frameworks.snapshot(optimizer) for optimizer, _ in self._optimizers)
            self._after_first_step = [restore for restore in snapshots if restore is not None]
        constant, changed = set[int](), list[Any]()
        for index, restore in enumerate(self._restores):
            if self._constant is None or index not in self._constant:
                written = restore()
                if written == []:
                    constant.add(index)
                changed += written if isinstance(written, list) else []
        if self._constant is None:
            self._constant = constant
        for restore in self._after_first_step:
            restore()
        for value in changed:
            if frameworks.of(value).is_tensor(value):
                frameworks.of(value).read(value)

    def restore_original(self) -> None:
        """Restore everything as it was before the first run."""
        for restore in (*self._restores, *(restore for _, restore in self._optimizers)):
            restore()

    def _search(self, value: Any, keep: Callable[[Any], None]) -> None:
        remaining = [value]
        while remaining:
            value = remaining.pop()
            if isinstance(value, _ATOMS) or id(value) in self._reached:
                continue
            self._reached[id(value)] = value
            remaining += self._parts(value, keep)

    def _parts(self, value: Any, keep: Callable[[Any], None]) -> list[Any]:
        restore = frameworks.snapshot(value)
        if restore is not None and frameworks.of(value).is_optimizer(value):
            self._optimizers.append((value, restore))
            return []
        if restore is not None:
            self._value_indices.append(len(self._restores))
            self._restores.append(restore)
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
        methods = self._methods(value)
        # The attributes of a library's object are not searched.
        if methods and hasattr(value, "__dict__"):
            keep(vars(value))
            return methods + list(vars(value).values())
        return methods

    def _keep_everything(self, container: Any) -> None:
        before = container.copy()

        def restore() -> list[Any] | None:
            now, then = _flat(container), _flat(before)
            if len(now) == len(then) and all(map(operator.is_, now, then)):
                return []
            container.clear()
            container.extend(before) if isinstance(container, list) else container.update(before)
            return None

        self._value_indices.append(len(self._restores))
        self._restores.append(restore)

    def _keep_what_was(self, container: Any) -> None:
        before = container.copy()

        def restore() -> None:
            if isinstance(container, list):
                if not _same(container[: len(before)], before):
                    container[:] = before
            elif isinstance(container, dict):
                container.update({key: old for key, old in before.items() if _is_replaced(container.get(key), old)})
            else:
                container.update(before)

        self._restores.append(restore)

    def _methods(self, value: Any) -> list[Any]:
        """Return the methods that the learner wrote for this object."""
        functions = (each for each in vars(type(value)).values() if isinstance(each, FunctionType))
        return [each for each in functions if self._own.owns(each.__code__)]

    def _parts_of_function(self, function: Any) -> list[Any]:
        code = getattr(function, "__code__", None)
        if code is None or not self._own.owns(code):
            return []
        parts = []
        for cell in function.__closure__ or ():
            try:
                parts.append(cell.cell_contents)
            except ValueError:
                continue  # The variable is not assigned yet.
            self._restores.append(functools.partial(_restore_cell, cell, parts[-1]))
        tables = function.__globals__
        for name in {name for name in _names(code) if name in tables}:
            parts.append(tables[name])
            self._restores.append(functools.partial(_restore_name, tables, name, parts[-1]))
        return parts


def _is_replaced(now: Any, before: Any) -> bool:
    """Return whether another object took the place of one; numbers may change, because they count."""
    return now is not before and not isinstance(now, (int, float))


def _flat(container: Any) -> list[Any]:
    """Return the elements of a list or set; keys and values of a table."""
    return [*container, *container.values()] if isinstance(container, dict) else list(container)


def _same(now: list, before: list) -> bool:
    return len(now) == len(before) and not any(map(_is_replaced, now, before))


def _restore_cell(cell: CellType, before: Any) -> None:
    if _is_replaced(cell.cell_contents, before):
        cell.cell_contents = before


def _restore_name(table: dict, name: str, before: Any) -> None:
    if _is_replaced(table.get(name), before):
        table[name] = before


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
