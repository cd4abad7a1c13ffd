"""Calls an answer again: a call must not depend on earlier ones, and each result must have memory of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from course_utils.frameworks import tensor_trees
from course_utils.judging.difference import difference
from course_utils.judging.oracle import Expected
from course_utils.judging.side_effects import check_gradient_mode, check_left_state, check_written_inputs
from course_utils.judging.verdict import TaskFailed

if TYPE_CHECKING:
    from course_utils.judging.case_checker import CaseChecker

_OWN_MEMORY = "each call must return a tensor with memory of its own."


def check_repeated_calls(checker: CaseChecker) -> None:
    """Call with the same input, with another one of the same shape, and with new values in the same tensors.

    Raises:
        TaskFailed: when a call depends on an earlier one, or changes its result.
    """
    task = checker.task
    size = task.sizes[-1]
    first, second, third = (task.inputs(size, checker.generator) for _ in range(3))
    checker.answer.announce([first, first, second])
    result, used = checker.check(f"a random input of size {size}", first)
    copy = tensor_trees.detached_copy(result)
    checker.check(f"the same input of size {size}, in a second call", first)
    checker.check(f"another random input of size {size}", second)
    if task.same is None and difference(tensor_trees.detached_copy(result), Expected(copy, ())) is not None:
        raise TaskFailed(f"A later call of {task.id} changed the result of an earlier one; {_OWN_MEMORY}")
    check_left_state(task, used, checker.oracle(task, first))
    check_gradient_mode(task, checker.answer, f"a random input of size {size}", first)
    has_tensors = bool(tensor_trees.tensors(first))
    # Immutable tensors, as in TensorFlow, are not copied, so the calls above already had the very same tensors.
    if has_tensors and tensor_trees.copy_inputs(first) is not first:
        _check_same_tensors(checker, first, third)
        return
    if any(isinstance(value, list) for value in first):
        _check_new_values_in_old_arguments(checker, first, third, "new values in the same list")
    if tensor_trees.tensors(result) and not has_tensors:
        _check_same_arguments_twice(checker, first, "equal arguments")


def _check_same_tensors(checker: CaseChecker, first: tuple, third: tuple) -> None:
    """Check further calls with the tensors of an earlier call, with other values in them and with the same ones."""
    task = checker.task
    # No earlier call had these values, so a cache whose key is the id of a freed tensor can't hold their result.
    _check_new_values_in_old_arguments(checker, first, third, "new values in the same tensors")
    if task.writes:
        _check_new_values_in_old_arguments(
            checker, first, first, "a second call with the same tensors, filled as before"
        )
    if task.run is None:  # A call in a special way may write as well, as it does to send a tensor to another process.
        check_written_inputs(task, checker.answer, f"a random input of size {task.sizes[-1]}", first)
    _check_same_arguments_twice(checker, first, "the very same tensors")


def _check_same_arguments_twice(checker: CaseChecker, inputs: tuple, arguments: str) -> None:
    """Call twice with the same arguments: an answer that caches results by its inputs returns one tensor twice.

    Args:
        arguments: what a message calls them.
    """
    task = checker.task
    if task.writes:
        return
    draws = any(map(tensor_trees.is_generator, inputs))

    def twice(function: Any, *used: Any) -> tuple[Any, Any]:
        return function(*used), function(*used)

    case = f"two calls with {arguments}"
    results, used = checker.answer(inputs, case, twice)
    # The second call draws other numbers; an author's own comparison may expect the traces of one call.
    for result in () if draws or task.same is not None else results:
        checker.check_result(case, result, used, checker.oracle(task, inputs))
    one, other = map(tensor_trees.tensors, results)
    given = tensor_trees.tensors(used) if task.may_alias else []
    own = [pair for pair in zip(one, other) if not any(tensor_trees.shares_memory(pair[0], tensor) for tensor in given)]
    if any(tensor_trees.shares_memory(*pair) for pair in own):
        raise TaskFailed(f"Two calls of {task.id} with {arguments} return the same memory; {_OWN_MEMORY}")


def _check_new_values_in_old_arguments(checker: CaseChecker, first: tuple, second: tuple, case: str) -> None:
    """Write new values into used arguments and call again: a cache by the inputs' identity would return the old result.

    If the values are the same, an answer that remembers which arguments it has written would not write them again. The
    check does not rewrite a tensor that still holds the same values, because its version counter would show the write.
    """

    def rewritten(function: Any, *inputs: Any) -> tuple[Any, tuple]:
        function(*inputs)
        renewed = tuple(
            old if second is first and not tensor_trees.has_changed(new, old) else tensor_trees.overwrite(old, new)
            for old, new in zip(inputs, tensor_trees.copy_inputs(second))
        )
        return function(*renewed), renewed

    (given, used), _ = checker.answer(first, case, rewritten)
    checker.check_result(case, given, used, checker.expected(case, second))
