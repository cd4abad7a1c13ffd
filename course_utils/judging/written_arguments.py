"""Whether an answer writes where it should: into the memory of the arguments that its task names.

A new tensor in the place of one, or another memory under it, is lost on whoever holds the buffer.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from course_utils import frameworks
from course_utils.frameworks import tensor_trees
from course_utils.judging import describe
from course_utils.judging.answer import Answer
from course_utils.judging.verdict import TaskFailed
from course_utils.tasks import Task


def explain_untouched(task: Task, inputs: tuple, used: tuple) -> str | None:
    """The sentence on the first argument that is to be written and is as it was; None where there is none.

    Args:
        inputs: what a call was given, untouched.
        used: what the call left of it.
    """
    for name, before, after in zip(describe.argument_names(task.slow), inputs, used):
        if name in task.writes and not tensor_trees.has_changed(before, after):
            return (
                f"Nothing was written into {name}: a tensor of your own, also one called {name}, is not the one that was "
                f"given. torch.add(x, 1, out={name}), {name}.add_(1) and {name}.copy_(x) write into its memory."
            )
    return None


def check_same_memory(task: Task, answer: Answer, inputs: tuple) -> None:
    """Call the answer once more and see whether the arguments to be written still lie where they lay.

    Raises:
        TaskFailed: when one has got another memory, another shape or other strides.
    """

    def watched(function: Callable[..., Any], *used: Any) -> list[str]:
        pairs = zip(describe.argument_names(task.slow), used)
        held = {name: _copies(value) for name, value in pairs if name in task.writes}
        written = function(*used)
        return [name for name, tensors in held.items() if not all(map(_is_still, tensors, _copies(written[name])))]

    replaced, _ = answer(inputs, f"a random input of size {task.sizes[-1]}", watched)
    for name in replaced:
        raise TaskFailed(
            f"{task.id} puts another memory, or another shape, under {name}: whoever holds the buffer sees nothing of what "
            f"is written there. Leave {name} where it lies and write into it, as {name}.copy_(x) does."
        )


def _copies(value: Any) -> list[Any]:
    """The tensors of an argument, as objects of their own over the same memory."""
    return [copy.copy(tensor) for tensor in tensor_trees.tensors(value)]


def _is_still(before: Any, after: Any) -> bool:
    one = frameworks.of(before)
    return one.layout(before) == one.layout(after) and tensor_trees.shares_memory(before, after)
