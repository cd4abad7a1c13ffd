"""Runs a race from the smallest size up: checks results, then times, and extrapolates contenders that don't fit the
budget.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from course_utils import frameworks
from course_utils.core.errors import USER_CODE_ERRORS
from course_utils.frameworks import across_frameworks, devices
from course_utils.limits import Bound
from course_utils.races import memory_peaks
from course_utils.races.extrapolation import extrapolated_point, extrapolated_seconds
from course_utils.races.point import MIN_ROUNDS, Point, blame_lost_device, failure_point, points_of
from course_utils.races.remeasure_slow_contenders import fits, has_stopped, remeasure_slow_contenders
from course_utils.races.result import RaceResult
from course_utils.races.result_check import check_results
from course_utils.sandbox import memory_limits
from course_utils.timing import Comparison, compare

SNAPSHOTS_PER_SECOND = 5
LEAST_BUDGET_S = 0.05
"""A size gets at least this much of a long enough budget, even if earlier sizes overran."""


@dataclass(frozen=True)
class RaceProgress:
    """How far a race has come: a fraction from 0 to 1, its current step in words, and its result so far."""

    fraction: float
    message: str
    result: RaceResult


class RaceRunner:
    """One run of a race.

    Args:
        empty: the race's result before anything is measured.
        contenders: name → function.
        make_arguments: size → arguments, equal at each call.
        same: ``same(expected, result)`` returns None, or the difference as a phrase.
        bounds: threads → the race's bounds by size.
        budget_s, on_progress, cancel, run_name: as in ``Race.run``.
    """

    def __init__(
        self,
        empty: RaceResult,
        contenders: Mapping[str, Callable[..., Any]],
        make_arguments: Callable[[int], tuple[Any, ...]],
        same: Callable[[Any, Any], str | None],
        bounds: Callable[[int], Mapping[int, Bound]],
        budget_s: float,
        on_progress: Callable[[RaceProgress], None] | None,
        cancel: threading.Event,
        run_name: str,
    ) -> None:
        self._empty, self._contenders, self._make_arguments, self._same = empty, contenders, make_arguments, same
        self._bounds, self._on_progress, self._cancel = bounds, on_progress, cancel
        self._device, self._threads = empty.device, empty.threads
        self._left_s = budget_s
        self._least_s = min(LEAST_BUDGET_S, budget_s / len(empty.sizes))
        self._contender_s = budget_s / len(empty.sizes) / len(contenders)  # the seconds of one contender at one size
        self._budget_words = f"{run_name}'s {budget_s:g} s"
        self._points: list[Point] = []
        self._extra_points: list[Point] = []  # used only for extrapolation
        self._stall_share = 0.0
        self._peaks: dict[str, int] = {}  # contender → peak memory at the current size

    def run(self) -> RaceResult:
        """Race over all sizes and return the result."""
        with across_frameworks.device_scope(self._device):
            return self._race_all_sizes()

    def _race_all_sizes(self) -> RaceResult:
        sizes = self._empty.sizes
        for index, size in enumerate(sizes):
            if self._cancel.is_set():
                break
            self._race_at(index, size, max(self._least_s, self._left_s / (len(sizes) - index)))
            if any(point.status == "memory" for point in self._points):
                self._skip(sizes[index + 1 :], "The race ended at a smaller size, at which memory ran out.")
                break
            blamed = blame_lost_device(self._points, size, self._device)
            if blamed is not None:
                self._points = blamed
                self._skip(sizes[index + 1 :], blamed[-1].note)
                break
        return self._result(self._points)

    def _race_at(self, index: int, size: int, budget_s: float) -> None:
        self._report(index, 0.0, f"n = {size:,}: checking that the results agree", self._points)
        affordable_s = max(budget_s, self._contender_s)
        self._remeasure_slow_contenders(size, affordable_s)
        known = self._points + self._extra_points
        expected_s = {name: extrapolated_seconds(known, name, size) for name in self._contenders}
        points = self._points_not_run(size, affordable_s, known, expected_s)
        running = {name: function for name, function in self._contenders.items() if name not in points}
        try:
            with memory_limits.memory_limit_on(self._device):
                checked = check_results(
                    size,
                    running,
                    lambda: self._make_arguments(size),
                    baseline=self._empty.baseline,
                    same=self._same,
                    device=self._device,
                    threads=self._threads,
                    cancel=self._cancel,
                )
                points |= checked.points
                timed = self._within_memory(size, checked.agreeing, checked.arguments, points)
        except USER_CODE_ERRORS as error:  # the other sizes still race
            self._points += [failure_point(size, name, "The inputs", error) for name in self._contenders]
            return
        if timed and not self._cancel.is_set():
            fastest_first = sorted(timed, key=lambda name: expected_s[name] or math.inf)
            fastest = fastest_first[0]
            if fastest == self._empty.baseline and expected_s[fastest]:  # A comparison calls a baseline in front last.
                fastest_first[:2] = fastest_first[1::-1]
            budget_s = max(budget_s, self._contender_s * len(timed))
            ordered = {name: timed[name] for name in fastest_first}
            points |= self._time(index, size, ordered, checked.arguments, budget_s)
        self._points += [points[name] for name in self._contenders if name in points]
        self._report(index, 1.0, f"n = {size:,}: done", self._points)

    def _remeasure_slow_contenders(self, size: int, affordable_s: float) -> None:
        options = {"device": self._device, "threads": self._threads, "cancel": self._cancel}
        for new_points, elapsed_s in remeasure_slow_contenders(
            self._points, self._extra_points, self._contenders, self._make_arguments, size, affordable_s, options
        ):
            self._left_s -= elapsed_s
            self._extra_points += new_points

    def _points_not_run(
        self, size: int, affordable_s: float, known: Sequence[Point], expected_s: Mapping[str, float | None]
    ) -> dict[str, Point]:
        """Return the points of contenders that don't fit the time or the memory available at ``size``."""
        points: dict[str, Point] = {}
        for name, seconds in expected_s.items():
            over = memory_peaks.expected_point_over_budget(self._points, name, size, self._empty.memory)
            if over:
                points[name] = over
            elif seconds is not None and (
                has_stopped(self._points, name) or not fits(seconds, self._points, name, affordable_s)
            ):
                points[name] = extrapolated_point(known, name, size, self._budget_words)
        return points

    def _within_memory(
        self, size: int, running: dict[str, Callable[..., Any]], arguments: Any, points: dict[str, Point]
    ) -> dict[str, Callable[..., Any]]:
        """Return the contenders within the race's memory budget, and add the points of the others to ``points``."""
        if self._empty.memory is None:
            return running
        self._peaks = memory_peaks.count_peaks(running, arguments, self._threads)
        for name, peak in self._peaks.items():
            if over := memory_peaks.point_over_budget(name, size, peak, self._empty.memory):
                points[name] = over
        return {name: function for name, function in running.items() if name not in points}

    def _time(
        self, index: int, size: int, timed: Mapping[str, Callable[..., Any]], arguments: Any, budget_s: float
    ) -> dict[str, Point]:
        try:
            comparison = self._compare(index, size, timed, arguments, budget_s)
        except Exception as error:
            cause = error.__cause__ or error  # the device's own message
            if not across_frameworks.is_out_of_memory(cause) and devices.recheck(self._device) is None:
                raise
            return {name: failure_point(size, name, "The measurement", cause) for name in timed}
        self._threads = comparison.threads  # TensorFlow may have fixed another number before the race
        # The check of the results called each contender about once. Compiling is not part of the budget.
        checked_s = sum(map(comparison.median_s, comparison.samples))
        self._left_s -= comparison.elapsed_s - comparison.compiling_s + checked_s
        self._stall_share = max(self._stall_share, comparison.stall_share)
        return {point.contender: point for point in self._points_of(size, comparison)}

    def _compare(
        self, index: int, size: int, timed: Mapping[str, Callable[..., Any]], arguments: Any, budget_s: float
    ) -> Comparison:
        last_s = 0.0

        def on_progress(share: float, so_far: Callable[[], Comparison]) -> None:
            nonlocal last_s
            now_s = share * budget_s
            if now_s - last_s < 1 / SNAPSHOTS_PER_SECOND and share < 1.0:
                return
            last_s = now_s
            self._report(index, share, f"n = {size:,}: racing", [*self._points, *self._points_of(size, so_far())])

        return compare(
            timed,
            arguments,
            baseline=self._empty.baseline if self._empty.baseline in timed else None,
            device=self._device,
            threads=self._threads,
            budget_s=budget_s,
            min_rounds=MIN_ROUNDS,
            on_progress=on_progress if self._on_progress else None,
            cancel=self._cancel,
        )

    def _points_of(self, size: int, comparison: Comparison) -> list[Point]:
        return points_of(size, comparison, self._empty.baseline, self._peaks)

    def _skip(self, sizes: Sequence[int], reason: str) -> None:
        self._points += [Point(size, name, "skipped", note=reason) for size in sizes for name in self._contenders]

    def _report(self, index: int, share: float, message: str, points: Sequence[Point]) -> None:
        if self._on_progress is None:
            return
        fraction = (index + share) / len(self._empty.sizes)
        self._on_progress(RaceProgress(fraction, message, self._result(points)))

    def _result(self, points: Sequence[Point]) -> RaceResult:
        return replace(
            self._empty,
            points=tuple(points),
            threads=self._threads,
            versions=frameworks.versions(),
            bounds=self._bounds(self._threads),
            stall_share=self._stall_share,
            cancelled=self._cancel.is_set(),
        )
