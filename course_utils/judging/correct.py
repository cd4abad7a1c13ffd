"""The step *correct*: the slow loop's results on new random inputs and on every edge case, and no side effects.

It counts nothing and times nothing.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from course_utils import frameworks
from course_utils.frameworks import across_frameworks, devices, tensor_trees
from course_utils.judging import describe, measured_calls
from course_utils.judging.case_checker import CaseChecker
from course_utils.judging.check_refusal import check_refusal
from course_utils.judging.derived_inputs import OTHER_MAGNITUDE, draw_derived
from course_utils.judging.difference import task_difference
from course_utils.judging.drawn_inputs import (
    Drawn,
    convert_to_integers,
    draw_in_float64,
    draw_large,
    draw_many_integers,
    draw_small,
    draw_with_strides,
)
from course_utils.judging.gradients import check_gradients, check_large_gradients
from course_utils.judging.output_arguments import check_same_memory
from course_utils.judging.recognize_cause import OTHER_EACH_TIME, differs_each_time
from course_utils.judging.repeated_calls import check_repeated_calls
from course_utils.judging.verdict import TaskFailed, WrongResult
from course_utils.tasks.task import Case, Task

# An edge case or a worst case with at most this many values runs again in float64 and on a fake device.
_SMALL = 64
# A case with more values, or in plain Python with a larger integer, waits until the counts have refused loops, if the task's
# reference can replace its slow loop.
_LONG = 4096
# On a derived input, rounding may leave few digits of the slow loop's result, as after steps that saturate a network.
# There, another right formula may be off by this many times the slow loop's own error.
_OWN_ERRORS = 32.0
_REVERSED_S = 2.0  # A call with reversed writes may take this long: a graph that runs eagerly can take far longer.


def check_correct(checker: CaseChecker) -> None:
    """Check every case: small sizes first, so that the first failure shows a small input.

    Raises:
        TaskFailed: for the first case that fails.
    """
    task, answer, generator = checker.task, checker.answer, checker.generator
    drawn = draw_small(task, generator)
    cases = [(case.name, case.make(generator)) for case in (*task.edge_cases, *task.worst_cases)]
    checker.long_cases = [(name, inputs) for name, inputs in cases if _waits_for_counts(task, inputs)]
    now = [(name, inputs) for name, inputs in cases if not _waits_for_counts(task, inputs)]
    answer.announce([inputs for _, inputs in (*drawn, *now)])
    for name, inputs in drawn:
        try:
            checker.check(name, inputs)
        except WrongResult as failed:
            if not failed.shows_inputs:
                _raise_a_smaller_failure(checker, failed, task.edge_cases)
            raise
    for name, inputs in now:
        checker.check(name, inputs)
    _check_derived(checker, cases)
    for case, error in task.raises:
        check_refusal(checker, case, error)
    check_repeated_calls(checker)
    framework = frameworks.by_name(task.framework)
    if not framework.places_automatically:
        _check_devices(checker)
    elif framework is not frameworks.NO_FRAMEWORK:
        _check_write_order(checker)
    _check_dtypes(checker)
    if task.writes:
        for name, inputs in draw_with_strides(task, generator):
            check_same_memory(task, answer, name, inputs)
    if task.gradients:
        check_gradients(checker)


def check_large_inputs(checker: CaseChecker) -> None:
    """Compare the results in long cases and at a size that no answer can know, after the counts have shown that the answer
    has no loop. If the task asks for gradients, compare them at that size too.

    Raises:
        TaskFailed: if they differ.
    """
    task, generator = checker.task, checker.generator
    large = draw_large(task, generator)
    # ``draw_large`` converts to the dtypes of the task if it names any.
    wide = [] if task.dtypes else draw_in_float64(task, large, generator)
    for name, inputs in (*checker.long_cases, *large, *wide, *draw_many_integers(task, generator)):
        checker.check(name, inputs, expected=checker.expected(name, inputs, at_count_size=True))
    if task.gradients:
        check_large_gradients(checker)


def _raise_a_smaller_failure(checker: CaseChecker, failed: WrongResult, cases: tuple[Case, ...]) -> None:
    """Raise the first wrong result whose inputs a message can show, of the same cause if one is recognized."""
    generator = checker.generator_for_causes()
    for case in cases:
        inputs = case.make(generator)
        if not all(map(describe.is_shown, inputs)):
            continue
        try:
            checker.check(case.name, inputs)
        except WrongResult as smaller:
            if failed.cause in ("", smaller.cause):
                raise
        except TaskFailed:
            continue


def _check_derived(checker: CaseChecker, cases: Drawn) -> None:
    """Check the inputs that are derived from a random one; the slow loop decides which of them have a result."""
    try:
        usual, drawn = draw_derived(checker.task, cases, checker.generator_for_derived)
    except Exception as error:  # a changed setting can cause any error
        raise checker.changed_setting("The check cannot create its inputs", error) from error
    compared = []
    for derived in drawn:
        try:
            with np.errstate(all="ignore"):
                expected = checker.oracle(checker.task, derived.inputs)
        except Exception:  # noqa: BLE001, S112 - a slow loop may raise anything on values that its card excludes.
            continue
        if derived.is_comparable(expected, partial(checker.oracle, checker.task, usual)):
            compared.append((derived, expected))
    checker.answer.announce([derived.inputs for derived, _ in compared])
    for derived, expected in compared:
        given, inputs_after = checker.answer(derived.inputs, derived.case)
        try:
            checker.check_result(derived.case, given, inputs_after, expected, _OWN_ERRORS)
        except WrongResult as failed:
            if derived.kind != "magnitude" or failed.cause:
                raise
            remark = OTHER_EACH_TIME if differs_each_time(checker, given, derived.inputs) else OTHER_MAGNITUDE
            raise WrongResult(f"{failed}\n{remark}", failed.shows_inputs) from None


def _check_dtypes(checker: CaseChecker) -> None:
    """Check each small edge case and worst case in float64 and in integers, if the task allows such a dtype: a branch for a
    special case may return float32 or compute in it.
    """
    task = checker.task
    cases = _small_cases(checker)
    if task.same is not None:
        return
    in_integers = []
    for name, inputs in convert_to_integers(task, cases, checker.generator):
        try:
            in_integers.append((name, inputs, checker.oracle(task, inputs)))
        except Exception:  # noqa: BLE001, S112 - a number may be too large for the dtype
            continue
    checker.answer.announce([inputs for _, inputs, _ in in_integers])
    for name, inputs, expected in in_integers:
        checker.check(name, inputs, expected=expected)
    in_float64 = draw_in_float64(task, cases, checker.generator)
    checker.answer.announce([wide for _, wide in in_float64])
    for name, wide in in_float64:
        given, inputs_after = checker.answer(wide, name)
        checker.check_result(name, given, inputs_after, checker.expected(name, wide))


def _small_cases(checker: CaseChecker) -> list[tuple[str, tuple]]:
    """Return the edge cases and worst cases of a few values each, which take an answer's special branches: name and inputs."""
    task = checker.task
    cases = [(case.name, case.make(checker.generator)) for case in (*task.edge_cases, *task.worst_cases)]
    return [
        (name, inputs)
        for name, inputs in cases
        if _value_count(inputs) <= _SMALL and not any(map(tensor_trees.is_generator, inputs))
    ]


def _waits_for_counts(task: Task, inputs: tuple) -> bool:
    if task.framework == "none":
        sizes = [value for value in tensor_trees.values(inputs) if isinstance(value, int)]
    else:
        sizes = [_value_count(inputs)]
    return task.reference is not None and max(sizes, default=0) > _LONG


def _value_count(inputs: tuple) -> int:
    return sum(map(tensor_trees.element_count, tensor_trees.tensors(inputs)))


def _check_write_order(checker: CaseChecker) -> None:
    """Call the answer with TensorFlow's writes to one position in the reverse order, since none is defined."""
    if _call_with_reversed_writes(checker, checker.task.inputs(checker.task.sizes[-1], checker.generator)):
        for _, inputs in _small_cases(checker):
            _call_with_reversed_writes(checker, inputs)


def _call_with_reversed_writes(checker: CaseChecker, inputs: tuple) -> bool:
    """Check the result of one call, and return whether it writes several values to one position."""
    task = checker.task
    try:
        (given, writes), inputs_after = checker.answer(
            inputs, "writes in another order", measured_calls.reverse_writes, at_most_s=_REVERSED_S
        )
    except TaskFailed:  # without its graph, a function may raise an error or take long
        return False
    if writes and task_difference(task, given, checker.oracle(task, inputs), inputs_after) is not None:
        raise TaskFailed(
            f"{task.id} writes several values to one position, by tf.tensor_scatter_nd_update or into a variable: TensorFlow "
            "does not define which of them stays, and with another order the result is wrong. Choose the value first, as "
            "tf.tensor_scatter_nd_min does, or write to each position once."
        )
    return bool(writes)


def _check_devices(checker: CaseChecker) -> None:
    """Check the answer on each accelerator of this machine; without one, follow where the answer creates tensors."""
    from course_utils.judging.check_on_fake_device import check_devices

    inputs = checker.task.inputs(checker.task.sizes[-1], checker.generator)
    if any(map(tensor_trees.is_generator, inputs)):
        return  # a generator belongs to one device, and each device draws other numbers
    small = [each for _, each in _small_cases(checker)]  # a branch for a special case often forgets the device
    check_devices(checker.task, checker.answer, [inputs, *small])
    for device in devices.available(checker.task.framework)[1:]:
        with across_frameworks.full_precision():
            checker.check(
                f"a random input on {device}",
                tensor_trees.to_device(inputs, device),
                partial(across_frameworks.call_and_synchronize, device),
            )
