"""The arguments of all calls of a race at one size: what a contender changes is put back, in the memory where it lies.

A buffer that is to be filled is then the same one in each call, as in a program that keeps it. Of new memory the system would
have to provide each page when it is first written, while the clock runs, and that takes longer than writing does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from course_utils import frameworks
from course_utils.explaining.reachable_state import remembered


def kept(made: tuple, changed: Collection[int], make: Callable[[], tuple]) -> tuple | Callable[[], tuple]:
    """What ``compare`` calls contenders with that change some of their arguments.

    Args:
        made: the arguments, untouched.
        changed: the places of those that a contender changes.
        make: makes the same arguments anew.

    Returns:
        ``made`` where nothing is changed; else a function that puts back what was, and gives ``made`` again. Where that cannot
        be put back, as in a list that grows, ``make``.
    """
    if not changed:
        return made
    wanted = [value for place, value in enumerate(made) if place in changed or frameworks.of(value).is_optimizer(value)]
    backs = [remembered(part) for value in wanted for part in _parts(value)]
    if None in backs:
        return make

    def as_they_were() -> tuple:
        for back in filter(None, backs):
            back()
        return made

    return as_they_were


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for part in value:
            yield from _parts(part)
    else:
        yield value
