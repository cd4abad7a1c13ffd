"""The points of a size at which something failed: a contender's error, no memory left, or a lost device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from course_utils.core.errors import summarize_error
from course_utils.frameworks import devices, runtime
from course_utils.races.point import Point


def failure_point(size: int, name: str, source: str, error: BaseException) -> Point:
    """Return the point of ``name`` at ``size``, at which ``source``, the subject of the note, raised ``error``."""
    if runtime.is_out_of_memory(error):
        return Point(size, name, "memory", note=f"{source} ran out of memory at n = {size:,}; the race ends here.")
    return Point(size, name, "failed", note=f"{source} raised an error at n = {size:,}: {summarize_error(error)}")


def blame_lost_device(points: Sequence[Point], size: int, device: str) -> list[Point] | None:
    """``points`` with one common note on all failures at ``size`` if ``device`` was lost; None if it still works."""
    failed = [point for point in points if (point.size, point.status) == (size, "failed")]
    problem = devices.recheck(device) if failed else None
    if problem is None:
        return None
    note = f"The race ended at n = {size:,} because {device} stopped working ({problem.reason}); {problem.remedy}."
    return [point for point in points if point not in failed] + [replace(point, note=note) for point in failed]
