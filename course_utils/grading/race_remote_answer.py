"""The race of an answer in a child: the clock runs here, from the last byte sent to the last byte received.

Each timed call gets new inputs, and its result is compared, so that an answer which returns before it has computed gains
nothing.

Most answers are far above their target. A few calls show this, by comparison with the class's shortest times of the slow
loop and of an empty round trip. Noise only slows a call down, so this comparison favors no answer. Every other answer is
timed in rounds, next to the slow loop and to a child without a learner's code, whose round trips are subtracted.
"""

from __future__ import annotations

import math
import random
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from course_utils.core.errors import summarize_error
from course_utils.frameworks import tensor_trees
from course_utils.grading import framework_codecs
from course_utils.grading.child_handle import Child, ChildStopped
from course_utils.grading.codec_primitives import ValueInvalid
from course_utils.grading.remote_function import remote_error
from course_utils.grading.shared_race_data import time_slow_loop
from course_utils.judging import describe
from course_utils.judging.difference import task_difference
from course_utils.judging.oracle import Expected
from course_utils.judging.return_or_written_arguments import RETURN_VALUE, judged_function
from course_utils.judging.verdict import TaskFailed, WrongResult
from course_utils.tasks import Task
from course_utils.timing import Ratio, median_interval

if TYPE_CHECKING:
    from course_utils.grading.remote_answer import RemoteAnswer

# An answer this many times as fast as required, relative to the class's fastest slow loop, needs no rounds.
_CLEAR = 2.0
_FIRST_CALLS = 5
# The fewest rounds that may show that an answer is fast, and the fewest that may show that it is too slow.
_MIN_ROUNDS, _MIN_ROUNDS_TO_FAIL = 5, 9
_LONGEST = 8  # A race may take this many times its seconds before it fails an answer.
_LEAST_S = 1e-7
_PAIRS = 3  # Round trips of the answer and of the echo in one round; the medians count.


def race(task: Task, target: float, answer: RemoteAnswer, race_s: float) -> Ratio:
    """Return the ratio of the slow loop's time to the answer's.

    The upper end of its interval is at least the ratio of the shortest times, so that a busy machine fails no answer.

    Raises:
        WrongResult: when a timed result is wrong.
        TaskFailed: when the child ends.
    """
    try:
        track = _Track(task, target, answer)
        return track.first_calls() or track.rounds(race_s)
    except ChildStopped:
        raise TaskFailed(
            f"At size {task.race_size:,}, {task.id} did not return in time; does its time grow without end?"
        ) from None
    except ValueInvalid as invalid:
        raise TaskFailed(f"While it was timed, {task.id} returned something unreadable: {invalid}.") from None


class _Track:
    def __init__(self, task: Task, target: float, answer: RemoteAnswer) -> None:
        self._task, self._target, self._answer, self._race_data = task, target, answer, answer.race_data
        names = describe.argument_names(task.slow)
        self._writes = [names.index(name) for name in task.writes]
        self._trips: list[float] = []
        self._empty: list[float] = []

    def first_calls(self) -> Ratio | None:
        """Return the ratio of the class's fastest slow loop to this answer, if the answer is clearly fast; None
        otherwise.
        """
        for place in range(_FIRST_CALLS):
            inputs, expected = self._race_data.inputs(place)
            self._call(inputs, expected)
            self._pass_through_echo(inputs, expected)
            if self._is_clear():
                ratio = self._race_data.slow_s / self._shortest_s()
                return Ratio(ratio, ratio, math.inf)
        return None

    def rounds(self, race_s: float) -> Ratio:
        """Return the ratio by rounds, in which the slow loop and the answer are timed next to each other."""
        generator = np.random.default_rng(random.SystemRandom().randrange(2**63))
        start, slow_s, nets = perf_counter(), list[float](), list[float]()
        while True:
            slow, net = self._round(generator)
            slow_s.append(slow)
            nets.append(net)
            shortest_s = max(min(self._trips) - min(self._empty), _LEAST_S)
            # On a busy machine a round's empty trips may take as long as its calls, which shows nothing about the calls.
            ratios = [slow / max(net, shortest_s) for slow, net in zip(slow_s, nets)]
            best = min(slow_s) / shortest_s
            may_fail = max(best, float(np.median(ratios))) < self._target
            elapsed, enough = perf_counter() - start, len(ratios) >= _MIN_ROUNDS
            if self._is_clear() or (enough and min(ratios) >= self._target):
                break
            if enough and elapsed > (_LONGEST if may_fail and len(ratios) < _MIN_ROUNDS_TO_FAIL else 1) * race_s:
                break
        low, high = median_interval(np.array(ratios))
        return Ratio(float(np.median(ratios)), low, max(high, best))

    def _is_clear(self) -> bool:
        return self._race_data.slow_s >= _CLEAR * self._target * self._shortest_s()

    def _shortest_s(self) -> float:
        """Return the answer's shortest call minus the class's shortest empty round trip; its work takes no longer than
        that.
        """
        return max(min(self._trips) - self._race_data.empty_s, _LEAST_S)

    def _round(self, generator: np.random.Generator) -> tuple[float, float]:
        """Return the seconds of the slow loop and of the answer in one round."""
        sets = [self._task.inputs(self._task.race_size, generator) for _ in range(_PAIRS)]
        expected, slow_s = time_slow_loop(self._task, sets[0])
        self._race_data.add_slow(slow_s)
        random.shuffle(order := list(range(_PAIRS)))  # the child cannot know which result is compared
        before = len(self._trips), len(self._empty)
        for place in order:
            sides = [
                partial(self._call, sets[place], None if place else expected),
                partial(self._pass_through_echo, sets[place], expected),
            ]
            for side in random.sample(sides, 2):
                side()
        trips, empty = self._trips[before[0] :], self._empty[before[1] :]
        return slow_s, float(np.median(trips) - np.median(empty))

    def _call(self, inputs: tuple, expected: Expected | None) -> None:
        """Time one call of the answer, and compare its result if ``expected`` is given."""
        seconds, value = self._trip(self._answer.child, inputs)
        self._trips.append(seconds)
        if expected is not None:
            self._compare(inputs, expected, value)

    def _pass_through_echo(self, inputs: tuple, expected: Expected) -> None:
        """Time the round trip of one call through the echo; an echo that lacks this task's result gets the result first."""
        echo = self._answer.echo()
        if self._race_data.echo is not echo:
            data, frame = framework_codecs.values(self._task.framework, "p").pack(self._return_value(expected))
            echo.ask({"do": "keep", "task": self._task.id, "arguments": data}, frame.blobs)
            self._race_data.echo = echo
            self._trip(echo, inputs)
        seconds, _ = self._trip(echo, inputs)
        self._empty.append(seconds)
        self._race_data.add_empty(seconds)

    def _return_value(self, expected: Expected) -> Any:
        """Return a right answer's return value; None if only its arguments count."""
        return expected.native.get(RETURN_VALUE) if self._task.writes else expected.native

    def _trip(self, child: Child, inputs: tuple) -> tuple[float, Any]:
        """Return the seconds of one call, and what came back: the result and, if the task names arguments to write, the inputs."""
        codec = framework_codecs.values(self._task.framework, "p")
        # The returned values may be written into the inputs.
        data, frame = codec.pack(tensor_trees.copy_inputs(inputs))
        request = {"do": "time", "task": self._task.id, "arguments": data, "writes": self._writes}
        child.allow(max(self._task.timeout_s, 10.0))
        start = perf_counter()
        reply, blobs = child.ask(request, frame.blobs)
        seconds = perf_counter() - start
        if "raised" in reply:
            raise TaskFailed(
                f"While it was timed, {self._task.id} raised {summarize_error(remote_error(reply['raised']))}."
            )
        return seconds, codec.unpack(reply.get("value"), blobs)

    def _compare(self, inputs: tuple, expected: Expected, value: Any) -> None:
        result, used = value
        given = judged_function(self._task, lambda *_: result)(*(used or inputs))
        different = task_difference(self._task, given, expected, used or inputs)
        if different is not None:
            raise WrongResult(
                f"For a random input of size {self._task.race_size:,}, {describe.end_sentence(different.sentence)} The results "
                "of small inputs are right."
            )
