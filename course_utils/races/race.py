"""``race``: describes a race and refuses what cannot be run; ``Race.run`` runs it."""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from course_utils import limits
from course_utils.core.errors import USER_CODE_ERRORS, CourseError, summarize_error
from course_utils.frameworks import devices
from course_utils.frameworks.agreement import close
from course_utils.limits import Cost
from course_utils.races.plan import Plan
from course_utils.races.result import RaceResult
from course_utils.races.run import RaceProgress, Run


class RaceError(CourseError):
    """A race was described in a way that cannot be run."""


@dataclass(frozen=True)
class Race(Plan):
    """A plan that can be run. Made by ``race``."""

    _found: list[RaceResult] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def result(self) -> RaceResult:
        """What its last run found that measured anything: the first look of its cell, or the learner's last *Run*.

        Raises:
            RaceError: before its first run.
        """
        if not self._found:
            raise RaceError(f"The race {self.id!r} has not been run yet; execute the cell that ends with it.")
        return self._found[-1]

    def run(
        self,
        *,
        device: str = "cpu",
        threads: int = 1,
        budget_s: float = 10.0,
        on_progress: Callable[[RaceProgress], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> RaceResult:
        """Race over all sizes, smallest first.

        Args:
            device: ``"cpu"``, ``"cuda:0"``, …
            threads: threads an operation may use on the CPU.
            budget_s: seconds for the whole race; what a size leaves over goes to the next ones.
            on_progress: called a few times a second between measurements; nothing is timed until it returns.
            cancel: an event; once set, the race ends between two calls and returns what it has.

        Raises:
            devices.DeviceMissing: when the device is not there.
        """
        device = devices.require(device)
        result = Run(self, device, threads, budget_s, on_progress or (lambda progress: None), cancel).result()
        if result.points:
            self._found[:] = [result]
        return result

    def know_limits(
        self,
        *,
        device: str = "cpu",
        threads: int = 1,
        on_progress: Callable[[float, str], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> None:
        """Measure the limits of the device that is to race, where they are not known and the race has a use for them.

        The race goes on without them where they cannot be measured, or are cancelled.

        Args:
            device, threads: as ``run`` will be told.
            on_progress: called with the share that is done, from 0 to 1, and what is being measured; never where they are known.
            cancel: an event; once set, the measurement ends at once, and nothing of it is kept.
        """
        if self.cost is not None:
            with devices.threads(threads) as in_force:
                pass  # some framework may have settled on another number
            limits.ensure(device, in_force, on_progress, cancel)


def race(
    id: str,
    contenders: Mapping[str, Callable],
    inputs: Callable[[int, str], tuple],
    sizes: Sequence[int],
    *,
    cost: Callable[[int], Cost] | None = None,
    baseline: str | None = None,
    same: Callable[[Any, Any], str | None] = close,
    axis: str = "size n",
    about: str = "",
    memory: int | None = None,
) -> Race:
    """Describe a race; as the last line of a cell it runs and shows itself.

    Args:
        id: its name, unique in the course; a guess of ``predict`` with the same name is drawn on its chart.
        contenders: name → function of what ``inputs`` returns, the slow one first.
        inputs: ``inputs(size, device)`` makes the arguments, a tuple.
        sizes: growing whole numbers.
        cost: ``cost(size)`` says what the work needs at the least, for the limit line.
        baseline: the contender that ratios and results are taken against; the first unless told.
        same: ``same(expected, given)`` returns None, or what differs as a phrase.
        axis: what the sizes count, for the chart.
        about: the contender whose case the race is: the headline says where it loses to the baseline, or that it nowhere does,
            whoever else is fast.
        memory: bytes that one call may have alive at one time. The most that each call has, what is in a graph aside, is then
            counted and drawn below the time; a contender that would pass it is not run.

    Raises:
        RaceError: for a description that cannot be run, in one sentence.
    """
    if not isinstance(contenders, Mapping) or not contenders:
        raise RaceError(f'The race {id!r} has no contenders; give at least two, as in {{"loop": loop, "fast": fast}}.')
    for name, function in contenders.items():
        if not callable(function):
            raise RaceError(
                f"The contender {name!r} of race {id!r} is of type {type(function).__name__}, which cannot be called; "
                "give the function itself, without parentheses after its name."
            )
    if not callable(inputs):
        raise RaceError(f"inputs of race {id!r} is of type {type(inputs).__name__}; give a function of (size, device).")
    sizes = _growing(id, sizes)
    if cost is not None and not callable(cost):
        raise RaceError(f"cost of race {id!r} is of type {type(cost).__name__}; give a function of the size.")
    if cost is not None:
        _try_cost(id, cost, sizes)
    if baseline is not None and baseline not in contenders:
        raise RaceError(f"The baseline {baseline!r} of race {id!r} is none of its contenders: {', '.join(contenders)}.")
    if about and (about not in contenders or about == (baseline or next(iter(contenders)))):
        raise RaceError(
            f"about={about!r} is no rival of the baseline in race {id!r}; choose one of: {', '.join(contenders)}."
        )
    if memory is not None and (type(memory) is not int or memory < 1):
        raise RaceError(f"memory={memory!r} of race {id!r} is no number of bytes; write one, as in memory=256 * 2**20.")
    baseline = baseline or next(iter(contenders))
    return Race(id, dict(contenders), inputs, sizes, cost, baseline, same, axis, about, memory)


def _try_cost(id: str, cost: Callable[[int], Any], sizes: tuple[int, ...]) -> None:
    """Ask for the cost at every size, so that what is wrong with it is said where the race is described."""
    for size in sizes:
        try:
            told = cost(size)
        except USER_CODE_ERRORS as error:
            raise RaceError(
                f"The cost of race {id!r} raised, at n = {size:,}, {summarize_error(error)}; mend it, or leave it out."
            ) from error
        if not isinstance(told, Cost):
            raise RaceError(
                f"The cost of race {id!r} is of type {type(told).__name__} at n = {size:,}; "
                "return a Cost, as in Cost(reads=4 * n, writes=4 * n)."
            )


def _growing(id: str, sizes: Any) -> tuple[int, ...]:
    """The sizes as Python's whole numbers; NumPy's are welcome."""
    try:
        whole = tuple(map(operator.index, sizes))
    except TypeError:
        whole = ()
    if not whole or whole[0] < 1 or list(whole) != sorted(set(whole)):
        raise RaceError(
            f"The sizes {sizes!r} of race {id!r} do not grow; give a list of whole numbers above 0, in order."
        )
    return whole
