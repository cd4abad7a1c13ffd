"""Restores the arguments that contenders change, in the same memory, before each block of calls of a race.

A preallocated buffer then stays the same buffer in every call, as in a program that reuses it. A new buffer would add
page faults to each block, and they take longer than writing the values does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from course_utils import frameworks


def restoring_arguments(
    arguments: tuple[Any, ...], changed: Collection[int], make: Callable[[], tuple[Any, ...]]
) -> tuple[Any, ...] | Callable[[], tuple[Any, ...]]:
    """Return what ``compare`` takes as arguments, for contenders that change some of them.

    Args:
        arguments: the arguments, before any change.
        changed: indices of the arguments that a contender changes.
        make: makes equal arguments at each call.

    Returns:
        ``arguments`` if none is changed; else a function that restores their values and returns them, or ``make`` if the
        values of an argument cannot be restored, such as a list that grows.
    """
    if not changed:
        return arguments
    stateful = [
        value for index, value in enumerate(arguments) if index in changed or frameworks.of(value).is_optimizer(value)
    ]
    restores = [frameworks.snapshot(part) for value in stateful for part in _parts(value)]
    if None in restores:
        return make

    def restored() -> tuple[Any, ...]:
        for restore in filter(None, restores):
            restore()
        return arguments

    return restored


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for part in value:
            yield from _parts(part)
    else:
        yield value
