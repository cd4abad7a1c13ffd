"""``Point``: one contender at one size of a race; and the points that a comparison or an error yields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from course_utils.core.errors import summarize_error
from course_utils.core.wording import format_duration
from course_utils.frameworks import across_frameworks, devices
from course_utils.timing import Comparison, Ratio, median_interval

MIN_ROUNDS = 9
"""Paired rounds that an interval needs."""


@dataclass(frozen=True)
class Point:
    """One contender at one size.

    Attributes:
        status: ``measured``; ``extrapolated`` (a call did not fit the budget: ``seconds`` is a prediction); ``wrong``
            (its result differs from the baseline's); ``failed``; ``memory`` (out of memory); ``too large`` (it would
            exceed the race's memory budget); ``skipped`` (not run, and too little is known for a prediction).
        seconds, low, high: median and quartiles per call, in seconds.
        ratio: how many times as fast as the baseline at this size, if both were measured.
        fastest_s: seconds of the fastest call.
        interval_s: 95 % interval of the median, in seconds, if there is no ratio and there were ``MIN_ROUNDS`` rounds.
        note: a sentence that explains any status but ``measured``, or says how the time was measured.
        peak: most bytes of new tensors alive at one time in one call, if the race counts them.
        peak_is_extrapolated: whether ``peak`` is a prediction, because the contender was not run.
    """

    size: int
    contender: str
    status: str
    seconds: float | None = None
    low: float | None = None
    high: float | None = None
    ratio: Ratio | None = None
    verdict: str = "unclear"
    rounds: int = 0
    first_call_s: float | None = None
    fastest_s: float | None = None
    interval_s: tuple[float, float] | None = None
    note: str = ""
    peak: int | None = None
    peak_is_extrapolated: bool = False


def points_of(size: int, comparison: Comparison, baseline: str, peaks: Mapping[str, int]) -> list[Point]:
    """Return a point for each contender of a comparison, which may still be running.

    Args:
        size: the size that was raced.
        comparison: the contenders' times.
        baseline: the contender that ratios are relative to.
        peaks: contender → most bytes alive at one time, for the contenders whose memory was counted.
    """
    points = [_measured_point(size, name, comparison, baseline, peaks.get(name)) for name in comparison.samples]
    for name, sentence in comparison.errors.items():
        status = "memory" if name in comparison.out_of_memory else "failed"
        points.append(Point(size, name, status, note=sentence))
    timed = (*comparison.samples, *comparison.errors)
    return points + [
        Point(size, name, "skipped", note=note) for name, note in comparison.notes.items() if name not in timed
    ]


def _measured_point(size: int, name: str, comparison: Comparison, baseline: str, peak: int | None) -> Point:
    samples = np.array(comparison.samples[name], dtype=float)
    samples = samples[np.isfinite(samples)]
    low, high = comparison.quartiles_s(name)
    has_baseline = baseline in comparison.samples
    ratio = comparison.ratio(name) if has_baseline else None
    return Point(
        size=size,
        contender=name,
        status="measured",
        seconds=comparison.median_s(name),
        low=low,
        high=high,
        ratio=ratio,
        verdict="unclear" if ratio is None else "same" if name == baseline else ratio.verdict,
        rounds=comparison.rounds(name),
        first_call_s=comparison.first_call_s(name),
        fastest_s=float(samples.min()) if samples.size else comparison.median_s(name),
        interval_s=None if has_baseline or samples.size < MIN_ROUNDS else median_interval(samples),
        note=comparison.notes.get(name, ""),
        peak=peak,
    )


def failure_point(size: int, name: str, source: str, error: BaseException) -> Point:
    """Return the point of ``name`` at ``size`` if ``source``, which becomes the subject of the note, raised
    ``error``."""
    if across_frameworks.is_out_of_memory(error):
        return Point(size, name, "memory", note=f"{source} ran out of memory at n = {size:,}; the race ends here.")
    return Point(size, name, "failed", note=f"{source} raised an error at n = {size:,}: {summarize_error(error)}")


def blame_lost_device(points: Sequence[Point], size: int, device: str) -> list[Point] | None:
    """Return ``points`` with one common note on all failures at ``size`` if ``device`` was lost; None if it still
    works."""
    failed = [point for point in points if (point.size, point.status) == (size, "failed")]
    problem = devices.recheck(device) if failed else None
    if problem is None:
        return None
    note = f"The race ended at n = {size:,} because {device} stopped working ({problem.reason}); {problem.remedy}."
    return [point for point in points if point not in failed] + [replace(point, note=note) for point in failed]


def describe_point(point: Point) -> str:
    """Return the point's time per call for a table, ``"12.3 µs"`` or ``"≈ 3.1 s"`` if extrapolated; or its status if it
    has no time.
    """
    if point.seconds is None:
        return point.status
    return ("≈ " if point.status == "extrapolated" else "") + format_duration(point.seconds)
