"""How much memory a contender holds at its peak, and what it would hold at a size that it has not reached. It times nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.core.wording import format_bytes
from course_utils.counting import count
from course_utils.frameworks import devices
from course_utils.races.result import Point

STEEPEST = 3.0  # of a line on the log-log chart


def counted(contenders: Mapping[str, Callable], arguments: Any, threads: int) -> dict[str, int]:
    """Bytes of new tensors that one call of each contender has alive at one time, at most.

    Args:
        contenders: name → function; each has run before.
        arguments: a tuple, or a function that makes a fresh one.
        threads: as in the race.
    """
    with devices.threads(threads), devices.exact():
        return {
            name: count(function, *(arguments() if callable(arguments) else arguments))[1].peak
            for name, function in contenders.items()
        }


def predicted(points: Sequence[Point], name: str, size: int) -> int | None:
    """Bytes that ``name`` would hold at ``size``, on the log-log line through its last two; None where two are not known."""
    known = _known(points, name)
    if len(known) < 2:
        return None
    (before, less), (last, peak) = known[-2:]
    slope = min(STEEPEST, max(0.0, math.log(peak / less) / math.log(last / before)))
    return round(peak * (size / last) ** slope)


def foreseen(points: Sequence[Point], name: str, size: int, allowed: int | None) -> Point | None:
    """The point of a contender that would hold more than is ``allowed``, or may, where one size does not tell; else None."""
    known = _known(points, name)
    if len(known) != 1:
        return too_large(name, size, predicted(points, name, size), allowed)
    ((only, peak),) = known
    if allowed is None or peak * size <= allowed * only:
        return None
    note = (
        f"{name!r} was not run here: it held {format_bytes(peak)} at n = {only:,}, this race allows {format_bytes(allowed)}, "
        "and one measured size does not tell how its memory grows."
    )
    return Point(size, name, "skipped", note=note)


def _known(points: Sequence[Point], name: str) -> list[tuple[int, int]]:
    """Sizes of ``name`` and the bytes that it holds there."""
    return [(each.size, each.peak) for each in points if each.contender == name and each.peak]


def too_large(name: str, size: int, peak: int | None, allowed: int | None) -> Point | None:
    """The point of a contender that holds ``peak`` bytes, or would, if that is more than is ``allowed``."""
    if peak is None or allowed is None or peak <= allowed:
        return None
    note = (
        f"{name!r} would hold {format_bytes(peak)} at n = {size:,}, and this race allows {format_bytes(allowed)}: "
        "not run from there on."
    )
    return Point(size, name, "too large", note=note, peak=peak)
