"""Unlooped: what one call does, counted at two sizes. No clock is read, so the verdict is the same on every machine."""

from __future__ import annotations

from collections.abc import Iterable

from course_utils.counting import Counts, count
from course_utils.counting.graphs import GraphReport, count_graphs
from course_utils.frameworks import tensor_trees
from course_utils.judging.answer import Answer
from course_utils.judging.verdict import TaskFailed
from course_utils.tasks.budget import Budget, Call
from course_utils.tasks.task import Generator, Task

_COUNTED_AS_WRITTEN = {"ops", "bytes", "peak bytes"}
_AS_WRITTEN = (
    "What is compiled is counted as it is written, operation by operation: write it within the limit first, and then compile "
    "it if you like."
)

# An operation that is counted takes many times as long as one that is not: what came back before need not be endless.
_MANY = "its operations were being counted, one by one: is a loop over the values left, in a graph perhaps?"


def check_unlooped(task: Task, answer: Answer, generator: Generator) -> dict[int, Counts]:
    """Count at both sizes; returns size → counts of one call.

    Raises:
        TaskFailed: when a limit is passed, at either size.
    """
    # What a framework loads at the first operation that is counted must not use up the answer's time.
    count(task.slow, *task.inputs(task.sizes[0], generator))
    counted: dict[int, Counts] = {}
    for size in task.count_sizes:
        inputs = [task.inputs(size, generator) for _ in range(max(limit.calls for limit in task.limits))]
        calls = [Call(each, _count(answer, each, size), _graphs(answer, each, size)) for each in inputs]
        counted[size] = calls[-1].counts
        for limit in task.limits:
            _tell_of(limit, limit.after_size(size, calls), answer, inputs[0], size)
    for limit in task.limits:
        _tell_of(limit, limit.after_all(task.id, counted), answer, inputs[0], size)
    return counted


def _count(answer: Answer, inputs: tuple, size: int) -> Counts:
    (result, counts), _ = answer(inputs, f"a random input of size {size}", count, _MANY)
    holds_tensors = bool(tensor_trees.tensors(result))
    _tell(limit.after_call(counts, holds_tensors) for limit in answer.task.limits)
    if counts.threads:
        raise TaskFailed(
            f"{answer.task.id} starts threads, and what runs in them cannot be counted; find one operation that does the "
            "work of all, instead of many at a time."
        )
    return counts


def _graphs(answer: Answer, inputs: tuple, size: int) -> GraphReport | None:
    """What a compiler makes of one call, where the task asks; a call that is counted runs as it is written."""
    if all(limit.kind != "graphs" for limit in answer.task.limits):
        return None
    return _graphs_of(answer, inputs, size)


def _tell_of(limit: Budget, message: str | None, answer: Answer, inputs: tuple, size: int) -> None:
    """Raise what is wrong, and say so where the answer is compiled and the limit asks for what is written."""
    if message is not None:
        compiled = limit.kind in _COUNTED_AS_WRITTEN and _is_compiled(answer, inputs, size)
        raise TaskFailed(f"{message} {_AS_WRITTEN}" if compiled else message)


def _is_compiled(answer: Answer, inputs: tuple, size: int) -> bool:
    """Whether a compiler takes any of it; asked only where a message depends on it."""
    try:
        return _graphs_of(answer, inputs, size).ran > 0
    except TaskFailed:
        return False


def _graphs_of(answer: Answer, inputs: tuple, size: int) -> GraphReport:
    traced = lambda function, *used: count_graphs(function, used)
    (_, found), _ = answer(inputs, f"a random input of size {size}", traced, _MANY)
    return found


def _tell(found: Iterable[str | None]) -> None:
    """Raise the first that is wrong."""
    for message in found:
        if message is not None:
            raise TaskFailed(message)
