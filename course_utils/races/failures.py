"""What a race says of a size at which something went wrong: an error, memory that ran out, a device that is gone. It runs no race."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from course_utils.core.errors import summarize_error
from course_utils.frameworks import devices
from course_utils.races.result import Point


def failure(size: int, name: str, who: str, error: BaseException) -> Point:
    """The point of the contender ``name`` where ``who`` raised ``error``."""
    if devices.out_of_memory(error):
        return Point(size, name, "memory", note=f"{who} ran out of memory at n = {size:,}; the race ends here.")
    return Point(size, name, "failed", note=f"{who} raised, at n = {size:,}, {summarize_error(error)}")


def after_loss(points: Sequence[Point], size: int, device: str) -> list[Point] | None:
    """``points`` with one sentence for all that failed at ``size`` because ``device`` works no more; None where it works."""
    failed = [point for point in points if (point.size, point.status) == (size, "failed")]
    why = devices.lost(device) if failed else None
    if why is None:
        return None
    note = f"The race ended at n = {size:,}, where {device} stopped working ({why.reason}); {why.remedy}."
    return [point for point in points if point not in failed] + [replace(point, note=note) for point in failed]
