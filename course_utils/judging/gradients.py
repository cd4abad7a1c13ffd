"""Compares the gradients through an answer with those through the slow loop, for tasks that ask for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from course_utils import frameworks
from course_utils.frameworks import tensor_trees
from course_utils.frameworks.tensor_interface import FLOATING
from course_utils.judging import describe
from course_utils.judging.case_checker import CaseChecker
from course_utils.judging.difference import WrongValues, difference, tolerance_of
from course_utils.judging.drawn_inputs import draw_in_dtypes, draw_large
from course_utils.judging.oracle import Expected
from course_utils.judging.verdict import WrongCall
from course_utils.tasks.task import Case

NAN_REPLACED = (
    "If a nan is replaced too late, the gradient of the operation that made it, or of a product with it, is 0 times nan, "
    "which is nan. Replace the values that become nan, before that operation."
)


def check_gradients(checker: CaseChecker) -> None:
    """Compare the gradients of a randomly weighted sum of the result, on random inputs of each dtype and on every
    differentiable case.

    Raises:
        WrongCall: when a gradient is missing or wrong.
    """
    task, generator = checker.task, checker.generator
    size = task.sizes[-1]
    drawn = Case(f"a random input of size {size}", partial(task.inputs, size))
    in_dtypes = [Case(name, partial(_return, inputs)) for name, inputs in draw_in_dtypes(task, generator, FLOATING)]
    for case in (drawn, *in_dtypes, *task.edge_cases, *task.worst_cases):
        if case.differentiable:
            _check_case(checker, case, task.slow)
    floating = [
        place
        for place, value in enumerate(drawn.make(generator))
        if tensor_trees.is_tensor(value) and frameworks.of(value).is_floating(value)
    ]
    names = describe.argument_names(task.slow)
    for place in floating if len(floating) > 1 else ():
        case = Case(f"{drawn.name} if only {names[place]} needs a gradient", drawn.make)
        _check_case(checker, case, task.slow, alone=place)


def check_large_gradients(checker: CaseChecker) -> None:
    """Compare the gradients at a size that no answer can know with the gradients through a fast version, if the task has
    one: the slow loop would take too long.

    Raises:
        WrongCall: when a gradient is missing or wrong.
    """
    task = checker.task
    fast = task.reference or next(iter(task.ways.values()), None)
    if fast is not None:
        for name, inputs in draw_large(task, checker.generator):
            _check_case(checker, Case(name, partial(_return, inputs)), fast)


def _check_case(checker: CaseChecker, case: Case, right: Callable[..., Any], alone: int | None = None) -> None:
    """Compare the gradients through the answer with those through ``right``.

    Args:
        alone: the position of the only argument that needs a gradient; None if all of them do.
    """
    task = checker.task
    inputs = case.make(checker.generator)
    seed = int(checker.generator.integers(2**31))

    def gradients(function: Any, *used: Any) -> list[Any]:
        results = lambda *each: tensor_trees.tensors(function(*_keep_graph_of(alone, each)))
        return frameworks.by_name(task.framework).gradients(results, used, seed)

    through_right = checker.oracle.remember(
        task,
        inputs,
        (right, seed),
        lambda: Expected(
            gradients(right, *tensor_trees.copy_inputs(inputs)),
            inputs,
            lambda: gradients(right, *tensor_trees.upcast(inputs)),
        ),
    )
    native = through_right.native
    if not all(_is_finite(gradient) for gradient in native):
        return  # No finite gradient exists here.
    name_of_case = f"the gradients of {case.name}"
    given, _ = checker.answer(inputs, name_of_case, gradients)
    shown = describe.describe_inputs(task.slow, inputs)
    for name, one, expected, truth in zip(describe.argument_names(task.slow), given, native, through_right.exact):
        if expected is None:
            continue
        if one is None:
            if not tensor_trees.element_count(expected):
                continue
            raise WrongCall(
                f"For {name_of_case}, none reaches {name}: something cuts the result off from it, such as "
                f"{frameworks.by_name(task.framework).remedy_words.cuts}, or a new tensor made of Python numbers.\n{shown}"
            )
        wrong = difference(one, Expected(expected, inputs, partial(_return, truth)), tolerance_of(task))
        if wrong is not None:
            values = "" if wrong.values is None else f"\n{describe.expected_and_given(wrong.values)}"
            why = f"\n{NAN_REPLACED}" if wrong.values is not None and _has_new_nan(wrong.values) else ""
            sentence = wrong.sentence.replace("the result", f"the gradient of {name}", 1)
            raise WrongCall(f"For {name_of_case}, {sentence}.\n{shown}{values}{why}")


def _keep_graph_of(alone: int | None, arguments: tuple) -> tuple:
    """Return the arguments, all of them detached except the one at position ``alone``; unchanged if it is None."""
    if alone is None:
        return arguments
    return tuple(
        value if position == alone else tensor_trees.detached_copy(value) for position, value in enumerate(arguments)
    )


def _is_finite(gradient: Any) -> bool:
    return gradient is None or bool(np.isfinite(tensor_trees.to_numpy(gradient)).all())


def _has_new_nan(values: WrongValues) -> bool:
    """Return whether a nan is given for a finite number."""
    return bool((np.isnan(values.given) & np.isfinite(values.expected)).any())


def _return(value: Any, *_: Any) -> Any:
    return value
