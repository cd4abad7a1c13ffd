"""The step *unlooped*: what one call does, counted at two sizes. No clock is read, so every machine gives the same verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from course_utils import frameworks
from course_utils.counting import Counts, count
from course_utils.counting.graphs import GraphReport
from course_utils.frameworks import tensor_trees
from course_utils.frameworks.runtime_interface import MemoryUse
from course_utils.judging import measured_calls
from course_utils.judging.answer import Answer
from course_utils.judging.case_checker import CaseChecker
from course_utils.judging.compile_before_timing import compile_before_timing
from course_utils.judging.drawn_inputs import cases_of_other_ranks, draw_for_counts
from course_utils.judging.side_effects import check_inputs_unchanged
from course_utils.judging.verdict import TaskFailed, WrongCall
from course_utils.tasks.at_most_ops import GROWS, MostLaunches, MostOps
from course_utils.tasks.call_limit import Call, CallLimit, PartialCounts

_COUNTED_AS_WRITTEN = {"ops"}
_AS_WRITTEN = (
    "Operations of compiled code count as you wrote them: write the function within the limit first, and then compile it if "
    "you like."
)
_MEMORY = {"bytes", "peak bytes"}
_LARGER_CHUNKS = "If the loop runs over chunks, larger chunks take fewer operations."
# Counting makes operations many times as slow, so an answer may be stopped here although it would end.
_MANY = "each operation takes longer while it is counted. Does a loop over the values remain?"
_WARMED_UP: set[str] = set()  # the tasks whose operations have been counted in this process
_CLEAR_GROWTH = 2  # This many times the operations of the smaller size show that the number grows.
_ENOUGH_S = 5.0  # A call at the larger size that runs few but long operations is stopped after this time.


def check_unlooped(checker: CaseChecker) -> dict[int, Counts]:
    """Count at both sizes, compare the results there, and return size → counts of one call.

    Raises:
        WrongResult: when a result is wrong at a counted size.
        TaskFailed: when a limit is passed at either size.
    """
    task, answer = checker.task, checker.answer
    _warm_up_counters(checker)
    # Operations first: a loop allocates too much as well, and memory would be the wrong hint.
    limits = sorted(task.limits, key=lambda limit: limit.kind in _MEMORY)
    small, large = task.count_sizes
    turns = max(limit.calls for limit in limits)
    calls = {small: [_call(checker, small, turn == 0) for turn in range(turns)]}
    if any(limit.after_all(task.id, {small: calls[small][-1].counts}) for limit in limits):
        calls[large] = [_begin_call(checker, large, calls[small][-1].counts)]
    else:
        calls[large] = [_call(checker, large, turn == 0) for turn in range(turns)]
    counted = {size: each[-1].counts for size, each in calls.items()}
    for limit in limits:
        message = _after_sizes(limit, calls)
        if message is not None and limit.kind in _MEMORY and _is_compiled(answer, calls[small][0].inputs):
            message = _after_sizes(limit, {size: [_compiled_call(answer, each[-1])] for size, each in calls.items()})
        _raise(limit, message or limit.after_all(task.id, counted), answer, calls[task.count_sizes[0]][0].inputs)
    _check_other_inputs(checker)
    return counted


def _check_other_inputs(checker: CaseChecker) -> None:
    """Count a call in each other dtype and, if the task limits synchronizations, with each other number of dimensions that it
    allows: an answer may have a branch for them that waits. In another dtype it may also have a loop.
    """
    task, size = checker.task, checker.task.count_sizes[-1]
    for case, inputs in draw_for_counts(task, checker.generator):
        _check_another(checker, case, size, inputs, task.limits)
    waits = [limit for limit in task.limits if limit.kind == "syncs"]
    for case, inputs in cases_of_other_ranks(task, checker.generator) if waits else ():
        longest = max((axis for tensor in tensor_trees.tensors(inputs) for axis in tensor.shape), default=1)
        _check_another(checker, case, longest, inputs, waits)


def _check_another(checker: CaseChecker, case: str, size: int, inputs: tuple, limits: Iterable[CallLimit]) -> None:
    try:
        _, counts, _ = _count(checker, inputs, f"{case} and size {size:,}")
    except WrongCall:  # The size may not fit the dtype, as 800 steps don't fit int8; results were compared before.
        return
    for limit in limits:
        message = limit.after_all(checker.task.id, {size: counts})
        if message is not None:
            raise TaskFailed(f"For {case}: {message}")


def _warm_up_counters(checker: CaseChecker) -> None:
    """Count the slow loop in the task's first check: what a framework loads then must not use up the answer's time."""
    # Each check draws them, so that one seed gives the same inputs in all checks.
    inputs = checker.task.inputs(checker.task.sizes[0], checker.generator)
    if checker.task.id not in _WARMED_UP:
        count(checker.task.slow, *inputs)
        _WARMED_UP.add(checker.task.id)


def is_compiled(checker: CaseChecker, counted: Mapping[int, Counts]) -> bool:
    """Return whether a compiler runs any of the answer; ``counted`` is the result of ``check_unlooped``."""
    if any(counts.ops > counts.launches for counts in counted.values()):  # operations in graphs of TensorFlow
        return True
    return _is_compiled(checker.answer, _inputs(checker, checker.task.count_sizes[0]))


def _after_sizes(limit: CallLimit, calls: dict[int, list[Call]]) -> str | None:
    """Return the message for the first size at which a call exceeds the limit; None if none does. Stopped calls don't count."""
    complete = (each for each in calls.items() if not isinstance(each[1][-1].counts, PartialCounts))
    return next(filter(None, (limit.after_size(*each) for each in complete)), None)


def _compiled_call(answer: Answer, call: Call) -> Call:
    """Return the same call with the memory that it allocates when it runs compiled."""
    compiler = frameworks.by_name(answer.task.framework).compiler
    with compiler.run_compiled():
        compile_before_timing(answer, call.inputs)
        memory = _measure(answer, call.inputs, "a compiled call")
    if memory is not None:
        # Compiled code gets each Python number as a tensor of 8 bytes, which no learner can avoid.
        numbers = 8 * sum(isinstance(value, (int, float)) for value in call.inputs)
        memory = replace(memory, total=max(0, memory.total - numbers), peak=max(0, memory.peak - numbers))
    return replace(call, memory=memory)


def _call(checker: CaseChecker, size: int, compare: bool) -> Call:
    """Return one counted call; ``compare``: whether its result is compared with the slow loop's."""
    task, answer = checker.task, checker.answer
    inputs = _inputs(checker, size)
    case = f"a random input of size {size}"
    # The memory is measured first, because a tensor that the answer keeps from one call to the next is new only once.
    memory = _measure(answer, inputs, case) if any(limit.kind == "peak bytes" for limit in task.limits) else None
    result, counts, used = _count(checker, inputs, case)
    if compare:
        expected = checker.expected(case, inputs, at_count_size=True)
        checker.check_result(case, result, used, expected)
        check_inputs_unchanged(task, case, used, expected)
    return Call(inputs, counts, _graphs(answer, inputs, size), memory)


def _count(checker: CaseChecker, inputs: tuple, case: str) -> tuple[Any, Counts, tuple]:
    """Return the result of one call, its counts, and the inputs as the answer left them."""
    task = checker.task
    (result, counts), used = checker.answer(inputs, case, measured_calls.count_call, _MANY)
    if counts.ops >= measured_calls.MOST_OPS:
        place = ", perhaps in a graph" if counts.ops > counts.launches else ""
        raise TaskFailed(
            f"For {case}, {task.id} was stopped after {counts.ops:,} tensor operations; does a loop over the values "
            f"remain{place}?"
        )
    if counts.threads:
        raise TaskFailed(
            f"{task.id} runs code in other threads or processes, such as an input pipeline's, where it cannot be counted; use one "
            "operation on the whole input instead."
        )
    if counts.custom_operators:
        name = counts.custom_operators[0]  # A higher-order operator, which runs functions, has no namespace.
        kind = "custom" if "::" in name else "higher-order"
        raise TaskFailed(
            f"Code inside the {kind} operator {name} cannot be counted; write the work as operations of the framework."
        )
    for limit in task.limits:
        message = limit.after_call(counts, bool(tensor_trees.tensors(result)))
        if message is not None:
            raise TaskFailed(message)
    return result, counts, used


def _begin_call(checker: CaseChecker, size: int, smaller: Counts) -> Call:
    """Return a counted call that is stopped early, because a message needs only the growth of its numbers.

    Args:
        smaller: the counts at the smaller size.
    """
    inputs, case = _inputs(checker, size), f"a random input of size {size}"
    allowed = (limit.number for limit in checker.task.limits if isinstance(limit, (MostOps, MostLaunches)))
    enough = min(_CLEAR_GROWTH * max(smaller.ops_without_views, *allowed, 0), measured_calls.MOST_OPS)
    count_beginning = next(call for most, call in measured_calls.COUNT_BEGINNING.items() if most >= enough)
    try:
        (_, beginning), _ = checker.answer(inputs, case, count_beginning, at_most_s=_ENOUGH_S)
    except TaskFailed:  # it was stopped before anything was counted
        return Call(inputs, PartialCounts())
    counts = beginning.counts
    return Call(inputs, counts if beginning.is_complete else PartialCounts(**vars(counts)))


def _inputs(checker: CaseChecker, size: int) -> tuple:
    """Return random inputs, which need gradients if the task compares gradients."""
    inputs = checker.task.inputs(size, checker.generator)
    return tensor_trees.map_leaves(inputs, _trainable) if checker.task.gradients else inputs


def _graphs(answer: Answer, inputs: tuple, size: int) -> GraphReport | None:
    """Return what a compiler makes of one call, if the task limits graphs; a counted call runs as it is written."""
    if all(limit.kind != "graphs" for limit in answer.task.limits):
        return None
    return _graphs_of(answer, inputs, f"a random input of size {size}")


def _measure(answer: Answer, inputs: tuple, case: str) -> MemoryUse | None:
    """Return what a call allocates as it runs, inside operations as well; None if the framework does not measure it."""
    if frameworks.by_name(answer.task.framework).measure_memory() is None:
        return None
    memory: MemoryUse | None = answer(inputs, case, measured_calls.measure_memory)[0][1]
    return memory


def _raise(limit: CallLimit, message: str | None, answer: Answer, small: tuple) -> None:
    """Raise the message, with a note on compiled code if the answer is compiled; ``small``: inputs of the smaller
    size."""
    if message is not None:
        compiled = limit.kind in _COUNTED_AS_WRITTEN and _is_compiled(answer, small)
        if limit.kind == "ops" and GROWS in message and any(each.kind == "peak bytes" for each in answer.task.limits):
            message = f"{message} {_LARGER_CHUNKS}"
        raise TaskFailed(f"{message} {_AS_WRITTEN}" if compiled else message)


def _is_compiled(answer: Answer, inputs: tuple) -> bool:
    """Return whether a compiler runs any part of the answer."""
    if not answer.may_compile():
        return False
    try:
        return _graphs_of(answer, inputs, "a small input").ran > 0
    except TaskFailed:
        return False


def _graphs_of(answer: Answer, inputs: tuple, case: str) -> GraphReport:
    report: GraphReport = answer(inputs, case, measured_calls.trace_graphs, _MANY)[0][1]
    return report


def _trainable(leaf: Any) -> Any:
    return frameworks.of(leaf).trainable(leaf)
