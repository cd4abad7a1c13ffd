"""One run of a race, from the smallest size up: agreement first, then time, and prediction of what would take too long."""

from __future__ import annotations

import datetime
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from course_utils import frameworks, limits
from course_utils.core.errors import USER_CODE_ERRORS
from course_utils.frameworks import devices
from course_utils.frameworks.agreement import close
from course_utils.races import memory_peaks, points
from course_utils.races.extrapolation import MIN_ROUNDS, calls_at_least, gave_up, predicted_s
from course_utils.races.failures import after_loss, failure
from course_utils.races.plan import Plan
from course_utils.races.probing import not_run, second_sizes
from course_utils.races.restore_arguments import kept
from course_utils.races.result import Point, RaceResult
from course_utils.sandbox import memory_limits
from course_utils.timing import Comparison, compare

SNAPSHOTS_PER_SECOND = 5
LEAST_BUDGET_S = 0.05  # a size gets this much even where earlier ones overran


@dataclass(frozen=True)
class RaceProgress:
    """How far a race has got: a share from 0 to 1, what it is doing, and its result so far."""

    fraction: float
    message: str
    result: RaceResult


class Run:
    """One run of a race, from the smallest size up."""

    def __init__(
        self,
        race: Plan,
        device: str,
        threads: int,
        budget_s: float,
        on_progress: Callable[[RaceProgress], None],
        cancel: threading.Event | None,
    ) -> None:
        self._race, self._device, self._threads = race, device, threads
        self._left_s, self._on_progress, self._cancel = budget_s, on_progress, cancel or threading.Event()
        self._own_s = budget_s / len(race.sizes) / len(race.contenders)  # each contender's own part at each size
        self._points: list[Point] = []
        self._probes: list[Point] = []  # at sizes that are not the race's: for predictions alone
        self._stalls: list[float] = []
        self._memory_peaks: dict[str, int] = {}  # at the size that is being raced
        self._peaks = limits.known(device, threads)
        self._costs = {size: race.cost(size) for size in race.sizes} if race.cost else {}
        self._date = datetime.date.today().isoformat()
        # Asked before the race: a device that vanishes in it tells nothing any more.
        self._machine, self._driver = devices.describe(device), devices.driver(device)
        self._host = "" if device == "cpu" else devices.describe()

    def result(self) -> RaceResult:
        with devices.placed(self._device):
            return self._race_all()

    def _race_all(self) -> RaceResult:
        for index, size in enumerate(self._race.sizes):
            if self._cancel.is_set():
                break
            share_s = max(LEAST_BUDGET_S, self._left_s / (len(self._race.sizes) - index))
            self._race_at(index, size, share_s)
            if any(point.status == "memory" for point in self._points):
                self._skip(self._race.sizes[index + 1 :], "The race ended at a smaller size, where memory ran out.")
                break
            ended = after_loss(self._points, size, self._device)
            if ended is not None:
                self._points = ended
                self._skip(self._race.sizes[index + 1 :], ended[-1].note)
                break
        return self._result(self._points)

    def _race_at(self, index: int, size: int, budget_s: float) -> None:
        self._tell(index, 0.0, f"n = {size:,}: checking that the results agree", self._points)
        running, points = {}, {}
        place = {"device": self._device, "threads": self._threads, "cancel": self._cancel}
        for between, found in second_sizes(self._points, self._race, size, max(budget_s, self._own_s), place):
            self._left_s -= found.elapsed_s
            self._probes += self._measured(between, found)
        known = self._points + self._probes
        expected_s = {name: predicted_s(known, name, size) for name in self._race.contenders}
        for name, predicted in expected_s.items():
            # What the slow ones have used up is not taken from those that keep within their own part of the budget.
            affordable_s = max(budget_s, self._own_s) / calls_at_least(self._points, name)
            peak = memory_peaks.predicted(self._points, name, size)
            if over := memory_peaks.foreseen(self._points, name, size, self._race.memory):
                points[name] = over
            elif predicted is not None and (gave_up(self._points, name) or predicted > affordable_s):
                points[name] = not_run(known, name, size, predicted, peak)
            else:
                running[name] = self._race.contenders[name]
        try:
            # Each contender runs here first.
            with memory_limits.memory_limit_on(self._device):
                timed, arguments = self._agreeing(size, running, points)
                timed = self._within_memory(size, timed, arguments, points)
        except USER_CODE_ERRORS as error:  # the size is reported, the rest go on
            self._points += [failure(size, name, "The inputs", error) for name in self._race.contenders]
            return
        if timed and not self._cancel.is_set():
            quick_first = dict(sorted(timed.items(), key=lambda item: expected_s[item[0]] or math.inf))
            points |= self._timed(index, size, quick_first, arguments, max(budget_s, self._own_s * len(timed)))
        self._points += [points[name] for name in self._race.contenders if name in points]
        self._tell(index, 1.0, f"n = {size:,}: done", self._points)

    def _timed(
        self, index: int, size: int, timed: Mapping[str, Callable], arguments: Any, budget_s: float
    ) -> dict[str, Point]:
        try:
            found = self._compare(index, size, timed, arguments, budget_s)
        except Exception as error:
            why = error.__cause__ or error  # the device's own words
            if not devices.out_of_memory(why) and devices.lost(self._device) is None:
                raise
            return {name: failure(size, name, "The measurement", why) for name in timed}
        self._stalls.append(found.stall_share)
        return {point.contender: point for point in self._measured(size, found)}

    def _measured(self, size: int, found: Comparison) -> list[Point]:
        return points.points(size, found, self._race.baseline, self._memory_peaks)

    def _within_memory(
        self, size: int, running: dict[str, Callable], arguments: Any, points: dict[str, Point]
    ) -> dict[str, Callable]:
        """Those that hold no more memory than the race allows, once that is counted; all of them where it does not ask."""
        if self._race.memory is None:
            return running
        self._memory_peaks = memory_peaks.counted(running, arguments, self._threads)
        for name, peak in self._memory_peaks.items():
            if over := memory_peaks.too_large(name, size, peak, self._race.memory):
                points[name] = over
        return {name: function for name, function in running.items() if name not in points}

    def _compare(
        self, index: int, size: int, timed: Mapping[str, Callable], arguments: Any, budget_s: float
    ) -> Comparison:
        last_s = 0.0

        def on_progress(share: float, so_far: Callable[[], Comparison]) -> None:
            nonlocal last_s
            now_s = share * budget_s
            if now_s - last_s < 1 / SNAPSHOTS_PER_SECOND and share < 1.0:
                return
            last_s = now_s
            self._tell(index, share, f"n = {size:,}: racing", [*self._points, *self._measured(size, so_far())])

        found = compare(
            timed,
            arguments,
            baseline=self._race.baseline if self._race.baseline in timed else None,
            device=self._device,
            threads=self._threads,
            budget_s=budget_s,
            min_rounds=MIN_ROUNDS,
            on_progress=on_progress,
            cancel=self._cancel,
        )
        if found.threads != self._threads:
            # TensorFlow fixed its threads before the race: the limit is that of the number in force.
            self._threads, self._peaks = found.threads, limits.known(self._device, found.threads)
        # The check of the results cost about one first call each.
        self._left_s -= found.elapsed_s + sum(found.first_calls.values())
        return found

    def _inputs(self, size: int) -> tuple:
        return self._race.made(size, self._device)

    def _agreeing(
        self, size: int, running: Mapping[str, Callable], points: dict[str, Point]
    ) -> tuple[dict[str, Callable], Any]:
        """The contenders that return what the baseline returns, and their inputs: put back where one changes them."""
        agreeing: dict[str, Callable] = {}
        changed: set[int] = set()
        expected: Any = None
        # One set of inputs as long as nobody changes it: seeding empties TensorFlow's cache of kernels, so that every
        # graph's next call would be a slow one.
        untouched, arguments = self._inputs(size), self._inputs(size)
        first = [self._race.baseline] if self._race.baseline in running else []
        for name in first + [name for name in running if name not in first]:
            if self._cancel.is_set():
                break
            try:
                with devices.threads(self._threads), devices.exact():
                    given = running[name](*arguments)
                    devices.synchronize(self._device)
            except USER_CODE_ERRORS as error:  # the others still race
                points[name] = failure(size, name, repr(name), error)
                continue
            finally:
                touched = {place for place, old in enumerate(untouched) if close(old, arguments[place]) is not None}
                if touched:
                    changed, arguments = changed | touched, self._inputs(size)
            try:
                difference = self._race.same(expected, given) if agreeing else None
            except USER_CODE_ERRORS as error:  # it may be a learner's own comparison
                points[name] = failure(size, name, f"The comparison of {name!r} with the others", error)
                continue
            if difference is None:
                expected = given if not agreeing else expected
                agreeing[name] = running[name]
            else:
                points[name] = Point(size, name, "wrong", note=f"{name!r} is wrong at n = {size:,}: {difference}.")
        return agreeing, kept(arguments, changed, lambda: self._inputs(size))

    def _skip(self, sizes: Sequence[int], why: str) -> None:
        self._points += [Point(size, name, "skipped", note=why) for size in sizes for name in self._race.contenders]

    def _tell(self, index: int, share: float, message: str, points: list[Point]) -> None:
        fraction = (index + share) / len(self._race.sizes)
        self._on_progress(RaceProgress(fraction, message, self._result(points)))

    def _result(self, points: Sequence[Point]) -> RaceResult:
        framework = next((each.name for each in frameworks.loaded()), "numpy")
        bounds = {}
        if self._peaks is not None:
            bounds = {size: limits.bound(cost, self._peaks, framework) for size, cost in self._costs.items()}
        return RaceResult(
            race=self._race.id,
            baseline=self._race.baseline,
            contenders=tuple(self._race.contenders),
            sizes=self._race.sizes,
            points=tuple(points),
            device=self._device,
            machine=self._machine,
            threads=self._threads,
            versions=devices.versions(),
            date=self._date,
            axis=self._race.axis,
            bounds=bounds,
            stall_share=max(self._stalls, default=0.0),
            cancelled=self._cancel.is_set(),
            about=self._race.about,
            driver=self._driver,
            host=self._host,
            memory=self._race.memory,
        )
