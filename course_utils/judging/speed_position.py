"""Where a right answer stands: its time beside the slow loop's, the lesson's own ways' and the limit of the machine.

It judges nothing: a verdict is reached without it, and stays what it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import numpy as np

from course_utils import limits
from course_utils.frameworks import tensor_trees
from course_utils.limits import Bound
from course_utils.sandbox.confine import confine
from course_utils.sandbox.output import drop_framework_logs
from course_utils.sandbox.time_limits import TimeLimitReached
from course_utils.tasks.task import ANSWER, SLOW_LOOP, Task
from course_utils.timing import compare

_BUDGET_S = 0.4  # for all together: it comes on top of a check
_MIN_ROUNDS = 5
_POOL = 2


@dataclass(frozen=True)
class Placement:
    """Where a right answer stands at its task's ``race_size``, on the CPU, with one thread.

    Attributes:
        seconds, low, high: the answer's median and quartiles per call, in seconds.
        others: name → seconds per call of the slow loop and of the lesson's own ways, as far as they were timed.
        limit: the least time that the machine's limits allow; None where the task has no cost or the limits are not known.
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
        """The share of the limit that the answer reaches, 1.0 being the limit; None where none is known."""
        return None if self.limit is None else self.limit.seconds / self.seconds

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Placement:
        """The inverse of ``dataclasses.asdict``.

        Raises:
            TypeError, KeyError: for data of another form.
        """
        return cls(**{**data, "limit": None if data["limit"] is None else Bound(**data["limit"])})


def place(task: Task, function: Callable[..., Any]) -> Placement | None:
    """Time a right answer beside the slow loop and the lesson's ways, in well under a second, slow calls aside.

    Returns:
        None where the task has neither cost nor ways, and where the answer could not be timed after all.
    """
    if task.cost is None and not task.ways:
        return None
    generator = np.random.default_rng()
    turns = cycle([tensor_trees.fresh(task.inputs(task.race_size, generator)) for _ in range(_POOL)])
    try:
        with drop_framework_logs(), confine(4 * _BUDGET_S + task.timeout_s):
            found = compare(
                {ANSWER: function, **task.ways, SLOW_LOOP: task.slow},
                lambda: next(turns),
                baseline=SLOW_LOOP,
                budget_s=_BUDGET_S,
                min_rounds=_MIN_ROUNDS,
            )
    except TimeLimitReached:
        return None
    if ANSWER not in found.samples:
        return None
    # A way's first call may load or trace something; the check has called the slow loop and the answer before.
    timed = [name for name in found.samples if name == SLOW_LOOP or (name in task.ways and found.rounds(name))]
    low, high = found.quartiles_s(ANSWER)
    return Placement(
        found.median_s(ANSWER),
        low,
        high,
        others={name: found.median_s(name) for name in timed},
        limit=_limit(task),
        measurable=task.cost is not None,
    )


def _limit(task: Task) -> Bound | None:
    peaks = limits.known()
    if task.cost is None or peaks is None:
        return None
    return limits.bound(task.cost(task.race_size), peaks, task.framework)
