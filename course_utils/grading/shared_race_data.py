"""``SharedRaceData``: what the races of one task share in a class: inputs with their results, and the shortest times of the
slow loop and of a round trip.
"""

from __future__ import annotations

import random
from time import perf_counter
from typing import Any, final

import numpy as np

from course_utils.grading.child_handle import Child
from course_utils.judging.oracle import Expected, run_slow_loop
from course_utils.tasks import Task

_ENOUGH = 3  # The fewest measurements that decide: a single one may be disturbed.


@final
class SharedRaceData:
    """What the races of one task share.

    No child knows the seed of the inputs, and each child gets each set of inputs once.

    Attributes:
        echo: the child that already has this task's result to return.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._generator = np.random.default_rng(random.SystemRandom().randrange(2**63))
        self._sets: list[tuple[tuple, Expected]] = []
        self._slow: list[float] = []
        self._empty: list[float] = []
        self.echo: Child | None = None

    def inputs(self, index: int) -> tuple[tuple, Expected]:
        """Return the inputs of the race's size at ``index``, counted from 0, and the slow loop's result, which is
        computed once.
        """
        while len(self._sets) <= index:
            inputs = self._task.inputs(self._task.race_size, self._generator)
            expected, seconds = time_slow_loop(self._task, inputs)
            self._sets.append((inputs, expected))
            self.add_slow(seconds)
        return self._sets[index]

    def add_slow(self, seconds: float) -> None:
        """Remember how long the slow loop took."""
        self._slow.append(seconds)

    def add_empty(self, seconds: float) -> None:
        """Remember how long a round trip took without any work of the child."""
        self._empty.append(seconds)

    @property
    def slow_s(self) -> float:
        """Return the slow loop's shortest time; 0 until it was measured often enough."""
        return _shortest(self._slow)

    @property
    def empty_s(self) -> float:
        """Return the shortest round trip without work; 0 until it was measured often enough."""
        return _shortest(self._empty)


def _shortest(seconds: list[float]) -> float:
    return min(seconds) if len(seconds) >= _ENOUGH else 0.0


def time_slow_loop(task: Task, inputs: tuple) -> tuple[Expected, float]:
    """Return the slow loop's result on copies of ``inputs``, and the seconds that it took."""
    seconds: list[float] = []

    def timed(*values: Any) -> Any:
        start = perf_counter()
        result = task.slow(*values)
        seconds.append(perf_counter() - start)
        return result

    return run_slow_loop(task, inputs, timed), seconds[0]
