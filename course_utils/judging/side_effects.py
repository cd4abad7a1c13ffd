"""What a call must leave alone: its inputs and their memory, modules' modes, optimizers, and the framework's settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from course_utils import frameworks
from course_utils.core.wording import enumerate_words, pluralize
from course_utils.frameworks import tensor_trees
from course_utils.judging import describe, measured_calls
from course_utils.judging.answer import Answer
from course_utils.judging.difference import difference, tolerance_of
from course_utils.judging.oracle import Expected
from course_utils.judging.return_or_written_arguments import RETURN_VALUE
from course_utils.judging.verdict import TaskFailed, WrongCall
from course_utils.tasks import Task

_WITHOUT_A_TRACE = "torch.autograd.grad returns gradients without a trace"


def check_side_effects(
    task: Task, answer: Answer, case: str, given: Any, inputs_after: tuple, expected: Expected
) -> None:
    """Compare everything but the result with what the slow loop leaves.

    Args:
        given: the answer's result.
        inputs_after: the inputs as the answer left them.

    Raises:
        TaskFailed: for the first thing that differs.
    """
    for fault in _faults(task, answer, given, inputs_after, expected):
        raise WrongCall(f"For {case}, {fault}\n{describe.describe_inputs(task.slow, expected.inputs)}".rstrip())


def check_inputs_unchanged(task: Task, case: str, inputs_after: tuple, expected: Expected) -> None:
    """Compare only the inputs with their earlier values, at a size at which everything else was already compared.

    Raises:
        TaskFailed: for the first input that has changed.
    """
    for name, before, after in zip(describe.argument_names(task.slow), expected.inputs, inputs_after):
        for fault in _changed_input(task, name, before, after) if name not in task.writes else ():
            raise WrongCall(f"For {case}, {fault}")


def check_written_inputs(task: Task, answer: Answer, case: str, inputs: tuple) -> None:
    """Call the answer once more, and look for inputs that it writes into and restores.

    Raises:
        TaskFailed: for the first such input.
    """
    (_, written), _ = answer(inputs, case, measured_calls.find_writes)
    names = describe.argument_names(task.slow)
    for name in (names[position] for position in written if names[position] not in task.writes):
        raise TaskFailed(
            f"For {case}, {task.id} writes into its input {name} and leaves it with its old values. Other code that uses "
            f"{name} during the call, or a gradient that needs it, finds that it has changed; work on a copy."
        )


def check_gradient_mode(task: Task, answer: Answer, case: str, inputs: tuple) -> None:
    """Call the answer once more without gradients, and check whether it turns them on, like an answer that turns them off
    and on again.

    Raises:
        TaskFailed: if it does.
    """
    without_gradients = frameworks.by_name(task.framework).without_gradients()
    if without_gradients is None or not answer.is_here:
        return
    with without_gradients:
        try:
            answer(inputs, case)
        except TaskFailed:  # an answer that trains needs gradients
            return
    for fault in _changed_settings(task, answer):
        raise TaskFailed(f"Under `torch.no_grad()`, {fault}")


def check_left_state(task: Task, inputs_after: tuple, expected: Expected) -> None:
    """Compare generators, and the gradients of inputs that a call may only read, with what the slow loop leaves.

    Raises:
        TaskFailed: for the first one that differs.
    """
    for name, now, after_loop in zip(describe.argument_names(task.slow), inputs_after, expected.inputs_after):
        if tensor_trees.is_generator(now) and bool((now.get_state() != after_loop.get_state()).any()):
            raise TaskFailed(
                f"{task.id} leaves {name} in another state than the slow loop does: draw from {name} itself, and as many values "
                "as the loop."
            )
        known = dict(_states(after_loop, name))
        for path in (path for path, _ in _states(now, name) if path.endswith(".grad") and path not in known):
            if not task.writes:
                raise TaskFailed(f"{task.id} leaves a gradient in {path}; {_WITHOUT_A_TRACE}.")


def _faults(task: Task, answer: Answer, given: Any, inputs_after: tuple, expected: Expected) -> Iterator[str]:
    arguments = list(zip(describe.argument_names(task.slow), expected.inputs, inputs_after, expected.inputs_after))
    # A list that got longer comes first, because its new parts have a state, too. Then comes a module's mode, because a wrong
    # mode also changes statistics that would be reported instead.
    for name, before, after, _ in arguments:
        if name not in task.writes and _has_other_parts(name, before, after):
            yield from _changed_input(task, name, before, after)
    for name, _, after, after_loop in arguments:
        yield from _changed_state(task, name, after, after_loop)
    for name, before, after, _ in arguments:
        if name not in task.writes:
            yield from _changed_input(task, name, before, after)
    if not task.may_alias:
        for name, _, after, _ in arguments:
            if name not in task.writes and _shares_memory(after, given):
                yield (
                    f"the result shares memory with the input {name}: a change of one changes the other; return a tensor with "
                    "memory of its own."
                )
    if task.returns:
        for name, _, after, after_loop in arguments:
            if (
                name in task.writes
                and _shares_memory(after_loop, expected.native[RETURN_VALUE])
                and not _shares_memory(after, given[RETURN_VALUE])
            ):
                yield f"{task.id} returns a copy of {name}: return {name} itself."
    yield from _changed_settings(task, answer)


def _changed_settings(task: Task, answer: Answer) -> Iterator[str]:
    block = frameworks.by_name(task.framework).remedy_words.block
    for setting, value in answer.changed_settings.items():
        yield (
            f"{task.id} leaves {setting} at {value}: restore the setting before you return."
            + (f" If it has a `with` block, such as `{block}`, the block restores it." if block else "")
        )


def _changed_input(task: Task, name: str, before: Any, after: Any) -> Iterator[str]:
    old, new = dict(tensor_trees.leaves(before, name)), dict(tensor_trees.leaves(after, name))
    changed = [path for path in old if _has_changed(old[path], new.get(path))]
    has_other_parts = _has_other_parts(name, before, after)
    if has_other_parts:
        changed.insert(0, name)
    if changed:
        # A longer or shorter list of tensors needs a new list, not a new tensor.
        copy = "return a new tensor" if tensor_trees.tensors(before) and not has_other_parts else "work on a copy"
        instead = f"write into {enumerate_words(task.writes)} only" if task.writes else copy
        yield f"{task.id} changed its input {changed[0]}; leave inputs as they are and {instead}."


def _has_other_parts(name: str, before: Any, after: Any) -> bool:
    """Return whether a list or a dict got longer or shorter."""
    return dict(tensor_trees.leaves(before, name)).keys() != dict(tensor_trees.leaves(after, name)).keys()


def _has_changed(before: Any, after: Any) -> bool:
    if tensor_trees.is_tensor(before):
        return tensor_trees.has_changed(before, after)
    return isinstance(before, (float, int, str)) and before == before and before != after  # noqa: PLR0124 - NaN is as it was


def _changed_state(task: Task, name: str, after: Any, after_loop: Any) -> Iterator[str]:
    """Yield how modes, ``requires_grad``, gradients and an optimizer's state differ from what the slow loop leaves."""
    one, other = dict(_states(after, name)), dict(_states(after_loop, name))
    for path, state in other.items():
        mode = f"{path.rpartition('.')[0]}.training"
        if path not in one and (path.endswith(".requires_grad") or (mode in other and mode not in one)):
            continue  # the tensor or module is missing, and another message reports that
        now = one.get(path)
        if tensor_trees.is_tensor(state) and tensor_trees.is_tensor(now):
            different = difference(now, Expected(state, ()), tolerance_of(task))
            if different is not None:
                hint = f" {_WITHOUT_A_TRACE}." if path.endswith(".grad") and not task.writes else ""
                wrong = different.sentence.replace("the result", path, 1)
                yield f"{wrong} after the call; the slow loop leaves other values.{hint}"
        elif tensor_trees.is_tensor(state) or tensor_trees.is_tensor(now) or now != state:
            yield f"{path} is {_state_phrase(now)} after the call; the slow loop leaves {_state_phrase(state)}."
    for path in (path for path in one if path not in other):
        if path.endswith(".grad"):
            continue  # compared after all cases: a named mistake may explain gradients that add up
        if path.endswith(".hooks"):
            yield (
                f"{task.id} leaves {pluralize(one[path], 'hook')} on {path.removesuffix('.hooks')}, which later calls would run: "
                "call .remove() on the handle that the registration returns."
            )
            continue
        yield f"{path} is {_state_phrase(one[path])} after the call; the slow loop leaves none."


def _state_phrase(state: Any) -> str:
    return "a tensor" if tensor_trees.is_tensor(state) else str(state)


def _states(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (tuple, list)):
        for index, part in enumerate(value):
            yield from _states(part, f"{path}[{index}]")
    else:
        yield from ((f"{path}{part}", state) for part, state in frameworks.of(value).mutable_state(value).items())


def _shares_memory(argument: Any, result: Any) -> bool:
    return any(
        tensor_trees.shares_memory(tensor, part)
        for tensor in tensor_trees.tensors(argument)
        for part in tensor_trees.tensors(result)
    )
