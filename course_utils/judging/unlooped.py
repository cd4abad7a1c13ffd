"""Unlooped: what one call does, counted at two sizes. No clock is read, so the verdict is the same on every machine."""

from __future__ import annotations

from typing import Any

from course_utils.counting import Counts, count
from course_utils.counting.tally import PRINTED, REBUILT
from course_utils.frameworks import tensor_trees
from course_utils.ground.wording import how_often
from course_utils.judging.answer import Answer
from course_utils.judging.verdict import TaskFailed
from course_utils.tasks.task import Generator, Task

_TRACED_CALLS = 4


def check_unlooped(task: Task, answer: Answer, generator: Generator) -> dict[int, Counts]:
    """Count at both sizes; returns size → counts of one call.

    Raises:
        TaskFailed: when a limit is passed, at either size.
    """
    # What a framework loads at the first operation that is counted must not use up the answer's time.
    count(task.slow, *task.inputs(task.sizes[0], generator))
    counted: dict[int, Counts] = {}
    for size in task.count_sizes:
        calls = _TRACED_CALLS if task.max_traces is not None else 1
        inputs = [task.inputs(size, generator) for _ in range(calls)]
        counts = [_count(answer, each, size) for each in inputs]
        counted[size] = counts[-1]
        traces = sum(each.traces for each in counts)
        if task.max_traces is not None and traces > task.max_traces:
            raise TaskFailed(
                f"Four calls with new values of one shape were traced {traces} times; at most {task.max_traces} is "
                "allowed. A new Python number or a new function makes a new trace, a tensor does not."
            )
        _check_bytes(task, inputs[-1], counts[-1], size)
    _check_ops(task, counted)
    _check_launches(task, counted)
    _check_syncs(task, counted)
    _check_transfers(task, counted)
    return counted


def _count(answer: Answer, inputs: tuple, size: int) -> Counts:
    (result, counts), _ = answer(inputs, f"a random input of size {size}", count)
    if answer.task.max_syncs is not None and counts.whole_tensors and tensor_trees.tensors(result):
        verb = "takes" if len(counts.whole_tensors) == 1 else "take"
        raise TaskFailed(
            f"{' and '.join(counts.whole_tensors)} {verb} the values out of a tensor, to work on them in Python; "
            "keep the work in tensor operations."
        )
    if counts.threads:
        raise TaskFailed(
            f"{answer.task.id} starts threads, and what runs in them cannot be counted; find one operation that does the "
            "work of all, instead of many at a time."
        )
    return counts


def _check_ops(task: Task, counted: dict[int, Counts]) -> None:
    (small, few), (large, many) = counted.items()
    if task.max_ops is None or max(few.ops, many.ops) <= task.max_ops:
        return
    told = f"Size {small} takes {few.ops} tensor operations, size {large} takes {many.ops}"
    if many.ops > few.ops:
        raise TaskFailed(
            f"{told}: the number grows with the input, so a loop still runs over it. "
            f"At most {task.max_ops} are allowed, at every size."
        )
    raise TaskFailed(f"{told}; at most {task.max_ops} are allowed. Which of them are not needed?")


def _check_launches(task: Task, counted: dict[int, Counts]) -> None:
    size, counts = max(counted.items(), key=lambda item: item[1].launches)
    if task.max_launches is not None and counts.launches > task.max_launches:
        raise TaskFailed(
            f"Python starts {counts.launches} operations in one call at size {size}; at most {task.max_launches} are "
            "allowed. A graph is started once, with all the operations in it: make one of the steps."
        )


def _check_syncs(task: Task, counted: dict[int, Counts]) -> None:
    (small, few), (large, many) = counted.items()
    if task.max_syncs is None or max(few.syncs, many.syncs) <= task.max_syncs:
        return
    ways = f" ({', '.join(many.escapes)})" if many.escapes else ""
    advice = "Keep the work in tensor operations."
    if not many.escapes:
        advice = "What picks by a mask waits to learn how many values there are; torch.where, value by value, does not."
    if many.escapes == (REBUILT,):
        advice = "torch.stack and torch.cat join tensors without a wait."
    if many.escapes == (PRINTED,):
        advice = "To print a tensor is to wait for it; take the print out when you have seen enough."
    allowed = "none is allowed" if task.max_syncs == 0 else f"at most {task.max_syncs} is allowed"
    raise TaskFailed(
        f"Python waits for values {how_often(few.syncs)} at size {small} and {how_often(many.syncs)} at size {large}{ways}; "
        f"{allowed}. {advice}"
    )


def _check_transfers(task: Task, counted: dict[int, Counts]) -> None:
    most = max(counts.transfers for counts in counted.values())
    if task.max_transfers is not None and most > task.max_transfers:
        raise TaskFailed(
            f"{task.id} asks for {most} transfers; at most {task.max_transfers} "
            f"{'is' if task.max_transfers == 1 else 'are'} allowed. Which tensor is sent again although it has not changed? "
            "Send it once, before the loop."
        )


def _check_bytes(task: Task, inputs: tuple, counts: Counts, size: int) -> None:
    limit: Any = task.max_bytes(*inputs) if callable(task.max_bytes) else task.max_bytes
    if limit is not None and counts.bytes > limit:
        raise TaskFailed(
            f"At size {size} it allocates {counts.bytes:,} bytes; at most {limit:,} are allowed. "
            "Which tensor in between is larger than the result?"
        )
