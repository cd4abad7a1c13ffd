"""Fast: the answer races the slow loop, in pairs. Only what is surely too slow fails; what cannot be told costs nothing."""

from __future__ import annotations

import datetime
import math
import threading
from collections.abc import Callable
from itertools import cycle
from typing import Any

from course_utils import frameworks
from course_utils.core.errors import USER_CODE_ERRORS
from course_utils.core.wording import pluralize
from course_utils.frameworks import devices, tensor_trees
from course_utils.judging import describe
from course_utils.judging.answer import Answer
from course_utils.judging.difference import task_difference
from course_utils.judging.oracle import Oracle
from course_utils.judging.verdict import TaskFailed
from course_utils.sandbox.confine import confine
from course_utils.sandbox.time_limits import TimeLimitReached
from course_utils.tasks.task import Generator, Task
from course_utils.timing import Comparison, Ratio, compare
from course_utils.timing.first_call import COMPILE_LIMIT_S, CompileFailed, time_first_call

_BUDGET_S = 1.6
# Shares of it after which the race may end: most answers are far above their target.
_LOOKS = 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75
_POOL = 4
_MIN_ROUNDS = 5
_GENEROUS = 4  # where calls are too long for the rounds that an interval needs, the ratio may be off by this factor


def check_fast(
    task: Task, target: float, answer: Answer, generator: Generator, oracle: Oracle
) -> tuple[Ratio, bool, str]:
    """Race at ``race_size``; returns the ratio, whether it is inconclusive, and the machine's signature.

    Raises:
        TaskFailed: when the answer is wrong at that size, or surely slower than the target.
    """
    pool = [task.inputs(task.race_size, generator) for _ in range(_POOL)]
    _get_ready(task, answer, pool[0])
    _right_at_full_size(task, answer, pool[0], oracle)
    found = _race(task, target, answer, pool)
    if math.isnan(found.ratio("yours").value):  # one call took all the time, and none was left for the slow loop
        found = _race(task, target, answer, pool)
    ratio = found.ratio("yours")
    if math.isnan(ratio.value):
        raise TaskFailed(
            f"It is right, and no loop over the input is left, but at size {task.race_size} one call takes "
            f"{found.first_call_s('yours'):.1f} s, longer than the whole race may last; does its work, or its memory, "
            "grow faster than the input?"
        )
    at_most = _GENEROUS * ratio.value if ratio.high is None else ratio.high
    if at_most < target:
        raise TaskFailed(
            f"It is right, and no loop over the input is left, but at size {task.race_size} it is {ratio} the slow loop, and "
            f"at least {target:g}× is wanted; which operation does needless work?"
        )
    versions = frameworks.versions()
    used = [f"{name} {versions[name]}" for name in (task.framework,) if name in versions]
    threads = f"cpu, {pluralize(found.threads, 'thread')}"
    signature = " · ".join([devices.describe(), threads, *used, datetime.date.today().isoformat()])
    return ratio, not _surely_fast(ratio, target), signature


def _surely_fast(ratio: Ratio, target: float) -> bool:
    return ratio.low is not None and ratio.low >= target


def _get_ready(task: Task, answer: Answer, inputs: tuple) -> None:
    """Let an answer compile, which may take longer than all of its other calls."""
    if not any(framework.compiler.is_loaded() for framework in frameworks.loaded()):
        return
    used = tensor_trees.copy_inputs(inputs)

    def call() -> None:
        with confine(COMPILE_LIMIT_S + task.timeout_s):
            answer.function(*used)

    try:
        time_first_call(call, task.id)
    except CompileFailed as failed:
        raise TaskFailed(f"It is right, but {failed}") from None
    except USER_CODE_ERRORS:
        return  # the judged call tells it


def _right_at_full_size(task: Task, answer: Answer, inputs: tuple, oracle: Oracle) -> None:
    case = f"a random input of size {task.race_size}"
    given, used = answer(inputs, case)
    different = task_difference(task, given, oracle(task, inputs), used)
    if different is not None:
        raise TaskFailed(f"For {case}, {describe.end_sentence(different.sentence)} Small inputs came out right.")


def _race(task: Task, target: float, answer: Answer, pool: list[tuple]) -> Comparison:
    turns = cycle([tensor_trees.copy_inputs(inputs) for inputs in pool])
    enough, looks = threading.Event(), list(_LOOKS)

    def look(share: float, so_far: Callable[[], Comparison]) -> None:
        if looks and share >= looks[0]:
            looks[:] = [later for later in looks if later > share]
            if _surely_fast(so_far().ratio("yours"), target):
                enough.set()

    contenders: dict[str, Any] = {"slow loop": task.slow, "yours": answer.function}
    try:
        with confine(4 * _BUDGET_S + task.timeout_s):
            found = compare(
                contenders,
                lambda: next(turns),
                baseline="slow loop",
                budget_s=_BUDGET_S,
                min_rounds=_MIN_ROUNDS,
                on_progress=look,
                cancel=enough,
            )
    except TimeLimitReached:
        raise TaskFailed(
            f"At size {task.race_size}, {task.id} did not come back; does its time grow without end?"
        ) from None
    if "yours" in found.errors:
        raise TaskFailed(f"While it was timed, {found.errors['yours'].replace(repr('yours'), task.id, 1)}.")
    return found
