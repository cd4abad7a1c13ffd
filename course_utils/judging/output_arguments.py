"""Whether an answer writes into the memory of the arguments that its task names.

A new tensor under an argument's name, or new memory under its tensor, does not reach the caller's buffer.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from course_utils import frameworks
from course_utils.frameworks import tensor_trees
from course_utils.judging import describe
from course_utils.judging.answer import Answer
from course_utils.judging.oracle import Expected
from course_utils.judging.verdict import TaskFailed
from course_utils.tasks import Task


def explain_untouched(task: Task, expected: Expected, inputs_after: tuple) -> str:
    """Return a sentence on the first argument that the slow loop changes and the answer does not; "" if there is none.

    Args:
        inputs_after: the inputs after the answer's call.
    """
    arguments = zip(describe.argument_names(task.slow), expected.inputs, inputs_after, expected.inputs_after)
    for name, before, after, after_loop in arguments:
        if name not in task.writes or tensor_trees.has_changed(before, after):
            continue
        if not tensor_trees.has_changed(before, after_loop):
            continue
        if any(
            frameworks.of(tensor).is_floating(tensor) and _holds_nan(tensor) for tensor in tensor_trees.tensors(after)
        ):
            return (
                f"{name} is as it was before, full of NaN. 0 · NaN is NaN, so a product or a sum with its old values stays NaN: "
                f"write into {name} first, as {name}.copy_(x) and {name}.zero_() do."
            )
        return (
            f"Nothing was written into {name}: a new tensor, even one that you name {name}, is not the caller's. "
            f"torch.add(x, 1, out={name}), {name}.add_(1) and {name}.copy_(x) write into its memory."
        )
    return ""


def check_same_memory(task: Task, answer: Answer, case: str, inputs: tuple) -> None:
    """Call the answer once more, and compare the addresses of the arguments that it must write.

    Raises:
        TaskFailed: when one has other memory, another shape or other strides after the call.
    """

    def watched(function: Callable[..., Any], *used: Any) -> list[str]:
        pairs = zip(describe.argument_names(task.slow), used)
        before = {name: _copies(value) for name, value in pairs if name in task.writes}
        written = function(*used)
        return [name for name, tensors in before.items() if not all(map(_is_same, tensors, _copies(written[name])))]

    replaced, _ = answer(inputs, case, watched)
    for name in replaced:
        if frameworks.of(value := dict(zip(describe.argument_names(task.slow), inputs))[name]).is_module(value):
            raise TaskFailed(
                f"{task.id} puts another memory under a parameter of {name}, as `p.data = …` does, so a tensor that shares the old memory "
                "does not change. Write into the parameter as it is: `p.copy_(…)` inside `torch.no_grad()` does."
            )
        raise TaskFailed(
            f"{task.id} puts another memory, or another shape, under {name}, so the caller's buffer does not change. Write into "
            f"{name} as it is: {name}.copy_(x) does."
        )


def _holds_nan(tensor: Any) -> bool:
    values = tensor_trees.to_numpy(tensor)
    return bool((values != values).any())  # noqa: PLR0124 - only NaN differs from itself


def _copies(value: Any) -> list[Any]:
    """Return the tensors of an argument, as objects of their own over the same memory."""
    return [copy.copy(tensor) for tensor in tensor_trees.tensors(value)]


def _is_same(before: Any, after: Any) -> bool:
    framework = frameworks.of(before)
    return framework.layout(before) == framework.layout(after) and tensor_trees.shares_memory(before, after)
