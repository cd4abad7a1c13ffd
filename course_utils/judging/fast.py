"""The step *fast*: the answer races the slow loop in paired rounds. An answer fails only if it is surely too slow;
"unclear" costs nothing."""

from __future__ import annotations

import datetime
import math
import threading
from collections.abc import Callable
from itertools import cycle
from typing import Any

from course_utils import frameworks
from course_utils.core.wording import format_ratio
from course_utils.counting.operation_kinds import NO_TRAFFIC
from course_utils.frameworks import devices, tensor_trees
from course_utils.frameworks.compiler_interface import TimedWork
from course_utils.judging import describe, measured_calls
from course_utils.judging.answer import Answer
from course_utils.judging.case_checker import CaseChecker
from course_utils.judging.compile_before_timing import compile_before_timing
from course_utils.judging.difference import task_difference
from course_utils.judging.side_effects import check_inputs_unchanged
from course_utils.judging.verdict import TaskFailed, WrongResult
from course_utils.sandbox.confine_in_process import confine
from course_utils.sandbox.time_limits import TimeLimitReached, WorkTimer
from course_utils.tasks.task import Task
from course_utils.timing import Comparison, Ratio, compare

RACE_S = 1.6
"""Seconds that the answer and the slow loop together are timed for."""

# The race may end after these shares of its budget, because most answers are far above their target.
_LOOKS = 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75
_FEW_ROUNDS = 0.5  # From this share of the budget on, it may also end if too few rounds for an interval are enough.
_FIRST_REFUSAL = 0.25  # From this share of the budget on, the race may also end if the answer is far below its target.
# Far below: the whole interval is below the target by this factor. Repeated looks increase the risk of a chance result.
_FAR = 2.0
_INPUT_SETS = 4
_MIN_ROUNDS = 5
_GENEROUS = 4  # With fewer rounds than an interval needs, the ratio may be off by this factor, up or down.


def check_fast(checker: CaseChecker, target: float, race_s: float) -> tuple[Ratio, bool, str]:
    """Race at ``race_size`` for ``race_s`` seconds; returns the ratio, whether it is inconclusive, and the machine's signature.

    With 0 seconds only the result is compared, and the ratio is NaN.

    Raises:
        WrongResult: when the answer is wrong at that size.
        TaskFailed: when it is surely slower than the target, or not compiled although the task asks for compiled code.
    """
    task, answer, generator = checker.task, checker.answer, checker.generator
    first = task.inputs(task.race_size, generator)
    compile_before_timing(answer, first)
    _check_result(checker, task.race_size, first)
    _check_generated_code(task, answer, first)
    if race_s == 0:
        return Ratio(math.nan, None, None), True, ""
    if answer.race is not None:
        ratio = answer.race(task, target, answer, race_s)
    else:
        further = [task.inputs(task.race_size, generator) for _ in range(_INPUT_SETS - 1)]
        ratio = _race(task, target, answer, [first, *further], race_s)
    at_least = _at_least(ratio)
    at_most = ratio.value * _GENEROUS if ratio.high is None else ratio.high
    if at_most < target:
        raise TaskFailed(
            f"The results are right, but at size {task.race_size:,} your answer is {ratio} as fast as the slow loop; at least "
            f"{format_ratio(target)} is required. Which operation does needless work, or which Python loop remains?"
        )
    versions = frameworks.versions()
    used = [f"{name} {versions[name]}" for name in (task.framework,) if name in versions]
    signature = " · ".join([devices.describe(), "cpu, 1 thread", *used, datetime.date.today().isoformat()])
    return ratio, at_least < target, signature


def check_compiled_result(checker: CaseChecker) -> None:
    """Compare the result of a compiled answer, for a task that races nothing.

    Raises:
        WrongResult: when it is wrong.
        TaskFailed: when the task asks for compiled code and the compiler generates none.
    """
    task, answer = checker.task, checker.answer
    inputs = task.inputs(task.count_sizes[-1], checker.generator)
    compile_before_timing(answer, inputs)
    _check_result(checker, task.count_sizes[-1], inputs)
    _check_generated_code(task, answer, inputs)


def _check_result(checker: CaseChecker, size: int, inputs: tuple) -> None:
    case = f"a random input of size {size:,}"
    given, used = checker.answer(inputs, case)
    expected = checker.expected(case, inputs)
    different = task_difference(checker.task, given, expected, used)
    if different is not None:
        raise WrongResult(
            f"For {case}, {describe.end_sentence(different.sentence)} The results of small inputs are right."
        )
    check_inputs_unchanged(checker.task, case, used, expected)


def _check_generated_code(task: Task, answer: Answer, inputs: tuple) -> None:
    """Raise ``TaskFailed`` if the task asks for compiled code and operations run one by one, as with the backend "eager", or
    in Python outside of compiled code.
    """
    if all(limit.kind != "graphs" for limit in task.limits):
        return
    works: tuple[TimedWork, ...] = answer(inputs, "a compiled call", measured_calls.profile_work)[0][1]
    operations = [work for work in works if work.kind == "operation" and work.name not in NO_TRAFFIC]
    if len(operations) > 1 and all(work.kind != "kernel" for work in works):
        raise TaskFailed(
            f"The results are right, but the compiler generates no code at this size: each of {len(operations)} operations "
            "still runs on its own. Compile the function for every size, and leave out `backend=` of torch.compile."
        )
    outside = [work.name for work in operations if work.is_outside]
    if len(outside) > 1:  # A single operation needs no compiler: it is one pass already.
        raise TaskFailed(
            f"The results are right, but only a part of the function is compiled: outside of it, {len(outside)} operations "
            f"({', '.join(dict.fromkeys(outside))}) still run one by one. Write @torch.compile above the function that "
            "computes everything."
        )


def _race(task: Task, target: float, answer: Answer, pool: list[tuple], race_s: float) -> Ratio:
    """Return the ratio of the slow loop's time to the answer's, which are measured in this process.

    Raises:
        TaskFailed: when one call takes longer than the whole race.
    """
    comparison = _compare(task, target, answer, pool, race_s)
    timer = WorkTimer()
    if math.isnan(comparison.ratio("yours").value):  # one call took all the time and left none for the slow loop
        comparison = _compare(task, target, answer, pool, race_s)
    ratio = comparison.ratio("yours")
    if math.isnan(ratio.value) and (worked_s := timer.seconds) <= race_s:
        # Other programs delayed the call, so one call of each is compared by the work that it takes.
        timer = WorkTimer()
        task.slow(*tensor_trees.copy_inputs(pool[0]))
        return Ratio(timer.seconds / worked_s)
    if math.isnan(ratio.value):
        raise TaskFailed(
            f"The results are right, but at size {task.race_size:,} one call takes {comparison.first_call_s('yours'):.1f} s, "
            "longer than the whole race may last; does its work, or its memory, grow faster than the input?"
        )
    return ratio


def _at_least(ratio: Ratio) -> float:
    """Return the least ratio that the rounds leave possible; NaN if there was no round."""
    return ratio.value / _GENEROUS if ratio.low is None else ratio.low


def _compare(task: Task, target: float, answer: Answer, pool: list[tuple], race_s: float) -> Comparison:
    """Return the comparison of the answer with the slow loop.

    Each call gets new values in the same tensors, so that an answer that caches results by its inputs' identity gains
    nothing.
    """
    sets, raced = cycle(pool), tensor_trees.copy_inputs(pool[0])
    enough, looks = threading.Event(), list(_LOOKS)

    def next_inputs() -> tuple:
        return tensor_trees.overwrite(raced, next(sets))

    def look(share: float, so_far: Callable[[], Comparison]) -> None:
        if looks and share >= looks[0]:
            looks[:] = [later for later in looks if later > share]
            ratio = so_far().ratio("yours")
            is_surely_fast = _at_least(ratio) >= target and (ratio.low is not None or share >= _FEW_ROUNDS)
            is_far_below = share >= _FIRST_REFUSAL and ratio.high is not None and _FAR * ratio.high < target
            if is_surely_fast or is_far_below:
                enough.set()

    contenders: dict[str, Any] = {"slow loop": task.slow, "yours": answer.function}
    try:
        with confine(4 * race_s + task.timeout_s):
            comparison = compare(
                contenders,
                next_inputs,
                baseline="slow loop",
                budget_s=race_s,
                min_rounds=_MIN_ROUNDS,
                on_progress=look,
                cancel=enough,
                calls_per_block=1,
            )
    except TimeLimitReached:
        raise TaskFailed(
            f"At size {task.race_size:,}, {task.id} did not return in time; does its time grow without end?"
        ) from None
    if "yours" in comparison.errors:
        raise TaskFailed(f"While it was timed, {comparison.errors['yours'].replace(repr('yours'), task.id, 1)}.")
    return comparison
