"""The race of an answer in a child: the clock runs here, from the last byte sent to the last byte received.

Each round draws new inputs, runs the slow loop here and the answer there, and compares their results, so that an answer which
returns before it has computed gains nothing. A child without a learner's code makes the same round trips, and its time is
subtracted.
"""

from __future__ import annotations

import random
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from course_utils.core.errors import summarize_error
from course_utils.frameworks import tensor_trees
from course_utils.grading import codecs
from course_utils.grading.child import Child, ChildStopped
from course_utils.grading.remote_function import remote_error
from course_utils.grading.value_parts import ValueInvalid
from course_utils.judging import describe
from course_utils.judging.difference import task_difference
from course_utils.judging.judged_output import judged_function
from course_utils.judging.oracle import Expected
from course_utils.judging.verdict import TaskFailed, WrongResult
from course_utils.tasks import Task
from course_utils.timing import Ratio, median_interval

if TYPE_CHECKING:
    from course_utils.grading.remote_answer import RemoteAnswer

# Once the slow loop was timed so often, for all answers together, an answer that is so many times as fast as required
# compared with the slow loop's shortest time needs no more rounds.
_FEWEST, _CLEAR = 3, 2.0
_MIN_ROUNDS = 5
_LEAST_S = 1e-7
_PAIRS = 3  # Round trips of the answer and of the echo in one round; the medians count.


def race(task: Task, target: float, answer: RemoteAnswer, pool: list[tuple], race_s: float) -> Ratio:
    """The ratio of the slow loop's time to the answer's.

    Raises:
        WrongResult: when a timed result is wrong.
        TaskFailed: when the child ends.
    """
    generator = np.random.default_rng(random.SystemRandom().randrange(2**63))
    track, start = _Track(task, answer), perf_counter()
    ratios: list[float] = []
    try:
        track.warm_up(pool[0])
        while len(ratios) < _MIN_ROUNDS or perf_counter() - start < race_s:
            ratios.append(track.round(generator))
            if len(answer.slow_seconds) >= _FEWEST and track.least_ratio >= _CLEAR * target:
                break
            if len(ratios) >= _MIN_ROUNDS and (min(ratios) >= target or perf_counter() - start > 4 * race_s):
                break
    except ChildStopped:
        raise TaskFailed(
            f"At size {task.race_size:,}, {task.id} did not return in time; does its time grow without end?"
        ) from None
    except ValueInvalid as invalid:
        raise TaskFailed(f"While it was timed, {task.id} returned something unreadable: {invalid}.") from None
    samples = np.array(ratios)
    low, high = median_interval(samples)
    return Ratio(float(np.median(samples)), low, high)


class _Track:
    def __init__(self, task: Task, answer: RemoteAnswer) -> None:
        self._task, self._answer = task, answer
        self._echo = answer.echo()
        self.least_ratio = np.inf  # with the fastest slow loop of the class, so that a stall favors no answer
        self._slow = judged_function(task, task.slow)

    def warm_up(self, inputs: tuple) -> None:
        """Give the echo its result, and let both ends load what a first call loads."""
        given = self._trip(self._answer.child, inputs)[1]
        codec = codecs.values(self._task.framework, "p")
        data, frame = codec.pack(given[0])
        self._echo.ask({"do": "keep", "arguments": data}, frame.blobs)
        self._trip(self._echo, inputs)

    def round(self, generator: np.random.Generator) -> float:
        """The ratio of one round, with new inputs."""
        seconds: dict[str, list[float]] = {"answer": [], "echo": []}
        slow_s: list[float] = []
        sides = ["slow", "answer"]
        random.shuffle(sides)
        inputs = self._task.inputs(self._task.race_size, generator)
        for side in sides:
            if side == "slow":
                used = tensor_trees.copy_inputs(inputs)
                start = perf_counter()
                expected = self._slow(*used)
                slow_s.append(perf_counter() - start)
            else:
                self._race_pairs(inputs, seconds, generator)
        self._compare(inputs, expected, used)
        net = max(float(np.median(seconds["answer"]) - np.median(seconds["echo"])), _LEAST_S)
        self._answer.slow_seconds.extend(slow_s)
        self.least_ratio = min(self.least_ratio, min(self._answer.slow_seconds) / net)
        return slow_s[0] / net

    def _race_pairs(self, inputs: tuple, seconds: dict[str, list[float]], generator: np.random.Generator) -> None:
        checked = random.randrange(_PAIRS)
        for pair in range(_PAIRS):
            given = inputs if pair == checked else self._task.inputs(self._task.race_size, generator)
            for name in random.sample(("answer", "echo"), 2):
                trip_s, value = self._trip(self._answer.child if name == "answer" else self._echo, given)
                seconds[name].append(trip_s)
                if name == "answer" and pair == checked:
                    self._given = value

    def _trip(self, child: Child, inputs: tuple) -> tuple[float, Any]:
        """The seconds of one call, and what came back: the result and, if the task writes into them, the inputs."""
        codec = codecs.values(self._task.framework, "p")
        data, frame = codec.pack(tensor_trees.copy_inputs(inputs))  # what comes back may be written into them
        request = {"do": "time", "arguments": data, "writes": bool(self._task.writes)}
        child.allow(max(self._task.timeout_s, 10.0))
        start = perf_counter()
        reply, blobs = child.ask(request, frame.blobs)
        seconds = perf_counter() - start
        if "raised" in reply:
            raise TaskFailed(
                f"While it was timed, {self._task.id} raised {summarize_error(remote_error(reply['raised']))}."
            )
        return seconds, codec.unpack(reply.get("value"), blobs)

    def _compare(self, inputs: tuple, expected: Any, slow_used: tuple) -> None:
        result, used = self._given
        given = judged_function(self._task, lambda *_: result)(*(used or inputs))
        truth = Expected(expected, inputs, None, self._task.detached, slow_used)
        different = task_difference(self._task, given, truth, used or inputs)
        if different is not None and not self._is_close(given, inputs):
            case = f"a random input of size {self._task.race_size:,}"
            raise WrongResult(
                f"For {case}, {describe.end_sentence(different.sentence)} The results of small inputs are right."
            )

    def _is_close(self, given: Any, inputs: tuple) -> bool:
        """Whether the result is right if it is compared with the slow loop in double precision."""
        from course_utils.judging.oracle import run_slow_loop

        return task_difference(self._task, given, run_slow_loop(self._task, inputs), inputs) is None
