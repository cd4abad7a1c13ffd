"""The step *unlooped*: what one call does, counted at two sizes. No clock is read, so every machine gives the same verdict."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from course_utils import frameworks
from course_utils.counting import Counts, count
from course_utils.counting.graphs import GraphReport, count_graphs
from course_utils.frameworks import tensor_trees
from course_utils.judging.answer import Answer
from course_utils.judging.correct import Trial
from course_utils.judging.verdict import TaskFailed
from course_utils.tasks.budget import Budget, Call
from course_utils.tasks.task import Task

_COUNTED_AS_WRITTEN = {"ops"}
_AS_WRITTEN = (
    "Operations of compiled code count as you wrote them: write the function within the limit first, and then compile it if "
    "you like."
)
_MEMORY = {"bytes", "peak bytes"}
# A counted operation takes many times as long as another one, so an answer that is stopped here need not be endless.
_MANY = "while its operations were counted one by one; does a loop over the values remain, perhaps in a graph?"
_ENOUGH_S = 1.0  # Once a limit is passed, a larger size that will take longer than this tells nothing new.


def check_unlooped(trial: Trial) -> dict[int, Counts]:
    """Count at both sizes, and compare the results there; returns size → counts of one call.

    Raises:
        WrongResult: when a result is wrong at a counted size.
        TaskFailed: when a limit is passed at either size.
    """
    task, answer = trial.task, trial.answer
    # What a framework loads at the first counted operation must not use up the answer's time.
    count(task.slow, *task.inputs(task.sizes[0], trial.generator))
    # Operations first: a loop allocates too much as well, and memory would be the wrong hint.
    limits = sorted(task.limits, key=lambda limit: limit.kind in _MEMORY)
    calls: dict[int, list[Call]] = {}
    for size in task.count_sizes:
        start = perf_counter()
        calls[size] = [_call(trial, size, turn == 0) for turn in range(max(limit.calls for limit in limits))]
        if size == task.count_sizes[0] and _is_hopeless(task, calls[size], perf_counter() - start):
            break
    counted = {size: each[-1].counts for size, each in calls.items()}
    for limit in limits:
        message = next(filter(None, (limit.after_size(*each) for each in calls.items())), None)
        _raise(limit, message or limit.after_all(task.id, counted), answer, calls[task.count_sizes[0]][0].inputs)
    return counted


def _is_hopeless(task: Task, calls: list[Call], seconds: float) -> bool:
    """Whether the smaller size passes a limit already and the larger one would take long."""
    small, large = task.count_sizes
    passed = any(limit.after_all(task.id, {small: calls[-1].counts}) for limit in task.limits)
    return passed and seconds * large / small > _ENOUGH_S


def _call(trial: Trial, size: int, compare: bool) -> Call:
    """One counted call; ``compare``: whether its result is compared with the slow loop's."""
    task, answer = trial.task, trial.answer
    inputs = task.inputs(size, trial.generator)
    counted = tensor_trees.map_leaves(inputs, _trainable) if task.gradients else inputs
    case = f"a random input of size {size}"
    (result, counts), used = answer(counted, case, count, _MANY)
    if counts.threads:
        raise TaskFailed(
            f"{task.id} starts threads, and what runs in them cannot be counted; one operation on the whole input replaces many "
            "at a time."
        )
    for limit in task.limits:
        message = limit.after_call(counts, bool(tensor_trees.tensors(result)))
        if message is not None:
            raise TaskFailed(message)
    if compare:
        trial.check_result(case, result, used, trial.oracle(task, inputs, at_count_size=True))
    return Call(inputs, counts, _graphs(answer, inputs, size))


def _graphs(answer: Answer, inputs: tuple, size: int) -> GraphReport | None:
    """What a compiler makes of one call, if the task limits graphs; a counted call runs as it is written."""
    if all(limit.kind != "graphs" for limit in answer.task.limits):
        return None
    return _graphs_of(answer, inputs, f"a random input of size {size}")


def _raise(limit: Budget, message: str | None, answer: Answer, small: tuple) -> None:
    """Raise the message, and add how compiled code counts if that matters; ``small``: inputs of the smaller size."""
    if message is not None:
        compiled = limit.kind in _COUNTED_AS_WRITTEN and _is_compiled(answer, small)
        raise TaskFailed(f"{message} {_AS_WRITTEN}" if compiled else message)


def _is_compiled(answer: Answer, inputs: tuple) -> bool:
    """Whether a compiler takes any of it."""
    try:
        return _graphs_of(answer, inputs, "a small input").ran > 0
    except TaskFailed:
        return False


def _graphs_of(answer: Answer, inputs: tuple, case: str) -> GraphReport:
    traced = lambda function, *used: count_graphs(function, used)
    (_, found), _ = answer(inputs, case, traced, _MANY)
    return found


def _trainable(leaf: Any) -> Any:
    return frameworks.of(leaf).trainable(leaf)
