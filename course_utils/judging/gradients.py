"""Whether gradients flow through an answer as they do through the slow loop. For tasks that ask for it."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from course_utils import frameworks
from course_utils.frameworks import tensor_trees
from course_utils.judging import describe
from course_utils.judging.answer import Answer
from course_utils.judging.difference import Values, difference
from course_utils.judging.oracle import Expected
from course_utils.judging.verdict import TaskFailed
from course_utils.tasks.task import Case, Generator, Task

NAN_REPLACED = (
    "A nan that comes up on the way and is replaced afterwards leaves its mark: the gradient is 0 times nan there, which is nan. "
    "Replace it before anything is multiplied by it."
)


def check_gradients(task: Task, answer: Answer, generator: Generator) -> None:
    """Compare the gradients of a randomly weighted sum of the result.

    Raises:
        TaskFailed: when a gradient is missing or wrong.
    """
    size = task.sizes[-1]
    drawn = Case(f"a random input of size {size}", partial(task.inputs, size))
    chosen = task.gradients if isinstance(task.gradients, Case) else drawn
    inputs, case = chosen.make(generator), f"the gradients of {chosen.name}"
    seed = int(generator.integers(2**31))

    def gradients(function: Any, *used: Any) -> list[Any]:
        return frameworks.by_name(task.framework).gradients(
            lambda *each: tensor_trees.tensors(function(*each)), used, seed
        )

    native = gradients(task.slow, *tensor_trees.copy_inputs(inputs))
    exact = gradients(task.slow, *tensor_trees.upcast(inputs))
    given, _ = answer(inputs, case, gradients)
    shown = describe.describe_inputs(task.slow, inputs)
    for name, one, wanted, truth in zip(describe.argument_names(task.slow), given, native, exact):
        if wanted is None:
            continue
        if one is None:
            raise TaskFailed(
                f"For {case}, none reaches {name}: something on the way cuts the result off from it "
                f"(`.item()`, `.detach()`, a tensor made anew).\n{shown}"
            )
        found = difference(one, Expected(wanted, inputs, partial(_same, truth)), task.tolerance)
        if found is not None:
            values = "" if found.values is None else f"\n{describe.expected_and_given(found.values)}"
            why = f"\n{NAN_REPLACED}" if found.values is not None and _has_new_nan(found.values) else ""
            raise TaskFailed(
                f"For {case}, {found.sentence.replace('the result', f'that of {name}', 1)}.\n{shown}{values}{why}"
            )


def _has_new_nan(values: Values) -> bool:
    """Whether a finite number is wanted and nan is given."""
    return bool((np.isnan(values.given) & np.isfinite(values.expected)).any())


def _same(value: Any) -> Any:
    return value
