"""``SpeedPosition``: a right answer's time next to the slow loop's, the lesson's versions' and the machine's limit.

It is measured after the verdict and changes nothing in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import numpy as np

from course_utils import limits
from course_utils.core.measurement_budgets import FIRST_LOOK_S
from course_utils.frameworks import tensor_trees
from course_utils.limits import Bound
from course_utils.sandbox.confine_in_process import confine
from course_utils.sandbox.output import drop_framework_logs
from course_utils.sandbox.time_limits import TimeLimitReached
from course_utils.tasks.task import ANSWER, SLOW_LOOP, Task
from course_utils.timing import compare

_BUDGET_S = FIRST_LOOK_S / 5  # Seconds for all versions together, on top of the check itself.
_MIN_ROUNDS = 5
_INPUT_SETS = 2


@dataclass(frozen=True)
class SpeedPosition:
    """A right answer's time at its task's ``race_size``, on the CPU, with one thread.

    Attributes:
        seconds, low, high: the answer's median and quartiles per call, in seconds.
        others: name → seconds per call of the slow loop and of each version of the lesson that was timed.
        limit: the least time that the machine's limits allow; None if the task has no cost or the limits are unknown.
        measurable: whether the task has a cost: the limit is known as soon as the machine's limits are.
    """

    seconds: float
    low: float
    high: float
    others: Mapping[str, float] = field(default_factory=dict)
    limit: Bound | None = None
    measurable: bool = False

    @property
    def share(self) -> float | None:
        """Return the share of the limit that the answer reaches, 1.0 being the limit; None if the limit is unknown."""
        return None if self.limit is None else self.limit.seconds / self.seconds


def measure_speed_position(task: Task, function: Callable[..., Any]) -> SpeedPosition | None:
    """Return the time of a right answer and of its competitors, measured in well under a second if no call is slow.

    Returns:
        None if the task has neither cost nor ways, or the answer could not be timed.
    """
    if task.cost is None and not task.ways:
        return None
    generator = np.random.default_rng()
    inputs = cycle([tensor_trees.copy_inputs(task.inputs(task.race_size, generator)) for _ in range(_INPUT_SETS)])
    try:
        with drop_framework_logs(), confine(4 * _BUDGET_S + task.timeout_s):
            comparison = compare(
                {ANSWER: function, **task.ways, SLOW_LOOP: task.slow},
                lambda: next(inputs),
                baseline=SLOW_LOOP,
                budget_s=_BUDGET_S,
                min_rounds=_MIN_ROUNDS,
            )
    except TimeLimitReached:
        return None
    if ANSWER not in comparison.samples:
        return None
    # A version's first call may load or trace something; the check has called only the slow loop and the answer before.
    timed = [
        name for name in comparison.samples if name == SLOW_LOOP or (name in task.ways and comparison.rounds(name))
    ]
    low, high = comparison.quartiles_s(ANSWER)
    return SpeedPosition(
        comparison.median_s(ANSWER),
        low,
        high,
        others={name: comparison.median_s(name) for name in timed},
        limit=_limit(task),
        measurable=task.cost is not None,
    )


def _limit(task: Task) -> Bound | None:
    peaks = limits.load_peaks()
    if task.cost is None or peaks is None:
        return None
    return limits.bound(task.cost(task.race_size), peaks, task.framework)
