"""What a race is: contenders that compute the same thing, and the sizes to race them over. It runs none of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from course_utils.frameworks import devices
from course_utils.limits import Cost


@dataclass(frozen=True)
class Plan:
    """Contenders and sizes.

    Attributes:
        id: the race's name, unique in the course.
        contenders: name → function of what ``inputs`` returns.
        inputs: ``inputs(size, device)`` makes the arguments.
        sizes: growing whole numbers.
        cost: what the work needs at the least, None where no limit is drawn.
        baseline: the contender that ratios and results are taken against.
        same: ``same(expected, given)`` returns None, or what differs as a phrase.
        axis: what the sizes count, for the chart.
        about: the contender that the race's question is about, "" where it asks which is the fastest.
        memory: bytes that one call may have alive at one time, None where the race does not look at memory.
    """

    id: str
    contenders: Mapping[str, Callable]
    inputs: Callable[[int, str], tuple]
    sizes: tuple[int, ...]
    cost: Callable[[int], Cost] | None
    baseline: str
    same: Callable[[Any, Any], str | None]
    axis: str
    about: str
    memory: int | None

    def made(self, size: int, device: str) -> tuple:
        """The arguments at ``size``, the same each time."""
        devices.seed(size)
        given = self.inputs(size, device)
        return given if isinstance(given, tuple) else (given,)
