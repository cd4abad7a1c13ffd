"""``race``: describes a race and rejects what cannot be run; ``Race.run`` runs it."""

from __future__ import annotations

import datetime
import operator
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from course_utils import frameworks, limits
from course_utils.core.errors import USER_CODE_ERRORS, CourseError, summarize_error
from course_utils.frameworks import across_frameworks, devices
from course_utils.frameworks.agreement import close
from course_utils.limits import Bound, Cost, Peaks
from course_utils.races.raise_beaten_limits import raise_beaten_limits
from course_utils.races.result import RaceResult
from course_utils.races.runner import RaceProgress, RaceRunner


class RaceError(CourseError):
    """The description of a race cannot be run."""


@dataclass
class Race:
    """Contenders that compute the same thing, and the sizes to race them over. Made by ``race``, which explains the
    fields.
    """

    id: str
    contenders: Mapping[str, Callable[..., Any]]
    inputs: Callable[[int, str], tuple[Any, ...]]
    sizes: tuple[int, ...]
    cost: Callable[[int], Cost] | None
    baseline: str
    same: Callable[[Any, Any], str | None]
    axis: str
    about: str
    memory: int | None
    _last_result: RaceResult | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def result(self) -> RaceResult:
        """Return the result of the last run that measured anything.

        Raises:
            RaceError: before the first run.
        """
        if self._last_result is None:
            raise RaceError(f"The race {self.id!r} has no result yet; run the cell that ends with it.")
        return self._last_result

    def run(
        self,
        *,
        device: str = "cpu",
        threads: int = 1,
        budget_s: float = 10.0,
        on_progress: Callable[[RaceProgress], None] | None = None,
        cancel: threading.Event | None = None,
        run_name: str = "this run",
    ) -> RaceResult:
        """Race over all sizes, smallest first, and return the result.

        Args:
            device: ``"cpu"``, ``"cuda:0"``, …
            threads: threads that an operation may use on the CPU.
            budget_s: seconds for the whole race; time that a size does not use goes to later sizes.
            on_progress: called a few times per second between measurements; the race continues when it returns.
            cancel: an event; once set, the race ends between two calls and returns the result so far.
            run_name: the name of this run in the notes on contenders that don't fit the budget.

        Raises:
            devices.DeviceMissing: if the machine lacks the device.
        """
        device = devices.require(device)
        known_peaks = cache(partial(limits.load_peaks, device))
        result = RaceRunner(
            self._empty_result(device, threads),
            self.contenders,
            lambda size: self.arguments(size, device),
            self.same,
            lambda threads: self._bounds(known_peaks(threads)),
            budget_s,
            on_progress,
            cancel or threading.Event(),
            run_name,
        ).run()
        peaks = known_peaks(result.threads)
        if self.cost is not None and peaks is not None and not result.cancelled:
            result = replace(result, bounds=self._bounds(raise_beaten_limits(result, self.cost, peaks)))
        if result.points:
            self._last_result = result
        return result

    def arguments(self, size: int, device: str) -> tuple[Any, ...]:
        """Return the contenders' arguments at ``size``, equal at each call."""
        across_frameworks.seed(size)
        inputs = self.inputs(size, device)
        return inputs if isinstance(inputs, tuple) else (inputs,)

    def measure_limits(
        self,
        *,
        device: str = "cpu",
        threads: int = 1,
        on_progress: Callable[[float, str], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> None:
        """Measure the limits of the device, unless they are known or the race has no cost.

        If they cannot be measured, or the measurement is cancelled, the race has no limits.

        Args:
            device, threads: as in ``run``.
            on_progress: called with the share that is done, from 0 to 1, and the current step; never if they are known.
            cancel: an event; once set, the measurement ends at once and saves nothing.
        """
        if self.cost is not None:
            with across_frameworks.threads(threads) as in_force:
                pass  # a framework may have fixed another number
            limits.ensure_peaks(device, in_force, on_progress, cancel)

    def _empty_result(self, device: str, threads: int) -> RaceResult:
        """Return the result before anything is measured; it has the device's name, which a lost device cannot report."""
        return RaceResult(
            race=self.id,
            baseline=self.baseline,
            contenders=tuple(self.contenders),
            sizes=self.sizes,
            points=(),
            device=device,
            machine=devices.describe(device),
            threads=threads,
            versions={},
            date=datetime.date.today().isoformat(),
            axis=self.axis,
            about=self.about,
            driver=devices.driver_version(device),
            host="" if device == "cpu" else devices.describe(),
            memory=self.memory,
        )

    def _bounds(self, peaks: Peaks | None) -> dict[int, Bound]:
        """Return the bounds by size."""
        if self.cost is None or peaks is None:
            return {}
        framework = next((each.name for each in frameworks.loaded()), "numpy")
        return {size: limits.bound(self.cost(size), peaks, framework) for size in self.sizes}


def race(
    id: str,
    contenders: Mapping[str, Callable[..., Any]],
    inputs: Callable[[int, str], tuple[Any, ...]],
    sizes: Sequence[int],
    *,
    cost: Callable[[int], Cost] | None = None,
    baseline: str | None = None,
    same: Callable[[Any, Any], str | None] = close,
    axis: str = "size n",
    about: str = "",
    memory: int | None = None,
) -> Race:
    """Return a race of contenders over growing sizes; as the last line of a cell it runs and shows itself.

    Args:
        id: its name, unique in the course; the chart shows a guess of ``predict`` with the same name.
        contenders: name → function of what ``inputs`` returns, the slow one first.
        inputs: ``inputs(size, device)`` makes the arguments, a tuple.
        sizes: integers in ascending order.
        cost: ``cost(size)`` returns what the work needs at least, for the limit line.
        baseline: the contender that ratios and results are compared with; the first unless given.
        same: ``same(expected, result)`` returns None, or the difference as a phrase.
        axis: what the sizes count, for the chart.
        about: the contender that the race is about: the headline reports where it is slower than the baseline, or that
            it is nowhere slower, even if another contender is faster.
        memory: bytes that one call may have alive at one time. The race then counts the peak of each call outside
            graphs and draws it below the time; a contender that would exceed this budget is not timed.

    Raises:
        RaceError: for a description that cannot be run.
    """
    if not isinstance(contenders, Mapping) or not contenders:
        raise RaceError(f'The race {id!r} has no contenders; pass at least two, as in {{"loop": loop, "fast": fast}}.')
    for name, function in contenders.items():
        if not callable(function):
            raise RaceError(
                f"The contender {name!r} of race {id!r} is of type {type(function).__name__}, which cannot be called; "
                "pass the function itself, without parentheses after its name."
            )
    if not callable(inputs):
        raise RaceError(f"inputs of race {id!r} is of type {type(inputs).__name__}; pass a function of (size, device).")
    sizes = _ascending(id, sizes)
    if cost is not None and not callable(cost):
        raise RaceError(f"cost of race {id!r} is of type {type(cost).__name__}; pass a function of the size.")
    if cost is not None:
        _check_cost(id, cost, sizes)
    if baseline is not None and baseline not in contenders:
        raise RaceError(
            f"The baseline {baseline!r} of race {id!r} is not one of its contenders: {', '.join(contenders)}."
        )
    if about and (about not in contenders or about == (baseline or next(iter(contenders)))):
        raise RaceError(
            f"about={about!r} is not a rival of the baseline in race {id!r}; choose one of: {', '.join(contenders)}."
        )
    if memory is not None and (type(memory) is not int or memory < 1):
        raise RaceError(
            f"memory={memory!r} of race {id!r} must be a number of bytes above 0, as in memory=256 * 2**20."
        )
    baseline = baseline or next(iter(contenders))
    return Race(id, dict(contenders), inputs, sizes, cost, baseline, same, axis, about, memory)


def _check_cost(id: str, cost: Callable[[int], Any], sizes: tuple[int, ...]) -> None:
    """Call ``cost`` at every size, so that an error in it is reported when the race is described."""
    for size in sizes:
        try:
            value = cost(size)
        except USER_CODE_ERRORS as error:
            raise RaceError(
                f"The cost of race {id!r} raised an error at n = {size:,}: {summarize_error(error)}; fix it or leave "
                "it out."
            ) from error
        if not isinstance(value, Cost):
            raise RaceError(
                f"The cost of race {id!r} is of type {type(value).__name__} at n = {size:,}; "
                "return a Cost, as in Cost(reads=4 * n, writes=4 * n)."
            )


def _ascending(id: str, sizes: Any) -> tuple[int, ...]:
    """Return the sizes as Python integers; NumPy's are accepted."""
    try:
        integers = tuple(map(operator.index, sizes))
    except TypeError:
        integers = ()
    if not integers or integers[0] < 1 or list(integers) != sorted(set(integers)):
        raise RaceError(f"The sizes {sizes!r} of race {id!r} must be integers above 0 in ascending order.")
    return integers
