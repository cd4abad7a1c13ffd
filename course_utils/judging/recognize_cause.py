"""Recognizes why a result is wrong: a common mistake, a result of an earlier call, a lower precision, a new NaN."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from course_utils import frameworks
from course_utils.core.wording import format_number
from course_utils.frameworks import tensor_trees
from course_utils.frameworks.tensor_trees import dtype_name, to_numpy
from course_utils.judging.difference import Difference, difference, has_no_values, tolerance_of
from course_utils.judging.infinity_remark import explain_new_nan
from course_utils.judging.oracle import Expected
from course_utils.judging.output_arguments import explain_untouched
from course_utils.judging.rounding import PRECISION, Tolerance, largest
from course_utils.judging.verdict import TaskFailed
from course_utils.tasks import Mistake

if TYPE_CHECKING:
    from course_utils.judging.case_checker import CaseChecker

EARLIER_CALL = "This is the result of an earlier call: the function keeps something from one call to the next."
OTHER_EACH_TIME = (
    "A second call with the same input returns another result: the function keeps something from one call to the next, draws "
    "random numbers, or reads memory that it hasn't filled."
)
LOWER_PRECISION = (
    "something is computed in a lower precision or rounded, a small number such as 1e-8 is added, or the formula is only an "
    "approximation, for example because terms or steps are missing."
)
UNDRAWN = "The function draws nothing from its generator: pass it on, as in torch.randint(…, generator=generator)."

# On this many larger inputs, a common mistake must give the answer's results; random draws often give similar digits.
_LARGER, _LARGER_DRAWN = 3, 12
_MORE = 16  # Up to this many more inputs decide between several mistakes that explain the results.
_NO_CHANCE = 4  # This many different floats repeat only if the answer stored them.
# Roundings make some values too large and others too small, or add up to errors that differ widely. If the mean error
# exceeds this many standard deviations, a formula is wrong, unless it only adds a small number.
_ONE_SIDED = 2.0
_NO_SMALL_NUMBER = 0.02  # A small number changes all values in one direction, by at most this part of a rounding.
_MANY = 8  # Fewer roundings may all go in one direction by chance.
# Each of many values may be off by a few roundings. In a result of few values, an error of more than two roundings has another cause.
_MOST_ROUNDINGS, _MOST_OF_FEW = 4, 2
# The result of a common mistake may differ by this much, because a loop, for example of tanh, can enlarge rounding errors.
_ROUGHLY = Tolerance(3e-5)

Seen = list[tuple[tuple, Any]]
"""Inputs and the answer's results on them."""


def recognize_cause(
    checker: CaseChecker, given: Any, inputs_after: tuple, expected: Expected, different: Difference
) -> str:
    """Return a sentence on the likely cause of a wrong result; "" if none is recognized.

    Args:
        given: the result.
        inputs_after: the inputs as the answer left them.
        different: how the result differs.
    """
    return (
        _mistake(checker, given, expected)
        or explain_untouched(checker.task, expected, inputs_after)
        or explain_new_nan(checker.answer, different.values, expected.inputs)
        or (UNDRAWN if _leaves_generator(expected.inputs, inputs_after) else "")
    )


def _mistake(checker: CaseChecker, given: Any, expected: Expected) -> str:
    """Return the name of the mistake if it explains the result here and on larger inputs."""
    task = checker.task
    if task.same is not None:
        return ""
    generator = checker.generator_for_causes()

    def on_a_larger_input() -> tuple[tuple, Any]:
        larger = task.inputs(task.sizes[-1], generator)
        return larger, checker.answer(larger, "a larger input")[0]

    seen: Seen = [(expected.inputs, given)]
    try:
        seen += [on_a_larger_input() for _ in range(_LARGER_DRAWN if _draws(expected.inputs) else _LARGER)]
        # The input that failed comes last: at a counted size a mistake that is a loop takes seconds.
        explaining = [
            mistake
            for mistake in task.mistakes
            if all(_gives(checker, mistake, *each) for each in seen[::-1]) and _is_wrong(checker, mistake, expected)
        ]
        for _ in range(_MORE):
            if len(explaining) < 2:
                break
            one_more = on_a_larger_input()
            explaining = [mistake for mistake in explaining if _gives(checker, mistake, *one_more)]
    except TaskFailed:  # it fails there in another way, so the message is about this case alone
        return ""
    if explaining:
        return explaining[0].name
    if _came_before(checker, seen):
        return EARLIER_CALL
    if not _is_less_precise(checker, seen):
        return ""
    if differs_each_time(checker, given, expected.inputs):
        return OTHER_EACH_TIME
    is_wide = "float64" in map(dtype_name, tensor_trees.tensors(expected.native))
    advice = frameworks.by_name(task.framework).remedy_words.float64_number if is_wide else ""
    return f"{_median_error(given, expected)}: {LOWER_PRECISION} {advice}".rstrip()


def _median_error(given: Any, expected: Expected) -> str:
    """Return the median relative error of the values that differ, as the beginning of a sentence.

    All values are finite. Near zero, a relative error can be large although the precision is not low.
    """
    errors: list[float] = []
    for result, truth in zip(tensor_trees.tensors(given), tensor_trees.tensors(expected.exact)):
        if tuple(result.shape) != tuple(truth.shape) or has_no_values(result):
            continue
        value, right = (to_numpy(each).astype(np.float64) for each in (result, truth))
        counted = np.isfinite(right) & (right != 0) & (value != right)
        errors += (abs(value[counted] - right[counted]) / abs(right[counted])).tolist()
    return f"The median relative error is {format_number(float(np.median(errors)) if errors else 0.0, 2)}"


def differs_each_time(checker: CaseChecker, given: Any, inputs: tuple) -> bool:
    """Return whether another call with ``inputs`` returns another result than ``given``, beyond rounding."""
    try:
        again = checker.answer(inputs, "a second call with the same input")[0]
    except TaskFailed:  # It fails there in another way, so the message is about the first call alone.
        return False
    return difference(again, Expected(given, inputs), tolerance_of(checker.task)) is not None


def _gives(checker: CaseChecker, mistake: Mistake, inputs: tuple, given: Any) -> bool:
    try:
        result_of_mistake = checker.oracle.of_mistake(checker.task, mistake, inputs)
    except Exception:  # noqa: BLE001 - this mistake cannot be made on this input
        return False
    return difference(given, result_of_mistake, _ROUGHLY) is None


def _is_wrong(checker: CaseChecker, mistake: Mistake, expected: Expected) -> bool:
    """Return whether this mistake gives a wrong result on this input."""
    made = checker.oracle.of_mistake(checker.task, mistake, expected.inputs)
    return difference(made.native, expected, tolerance_of(checker.task)) is not None


def _came_before(checker: CaseChecker, seen: Seen) -> bool:
    """Return whether the result repeats an earlier one; integers and constants repeat by chance and do not count."""
    earlier = list(checker.earlier)
    most_values = 0
    for index, (inputs, given) in enumerate(seen):
        if all(difference(given, Expected(before, ())) is not None for before in earlier):
            return index > 0 and most_values >= _NO_CHANCE
        earlier.append(given)
        most_values = max(most_values, _distinct_values(given, inputs))
    return most_values > 1


def _distinct_values(result: Any, inputs: tuple) -> int:
    """Return the number of distinct values in a floating tensor of the result; other tensors count as 2 at most.

    Values of the inputs don't count: two calls that copy the same value from their inputs give it twice.
    """
    most = 0
    copied = {
        value for tensor in tensor_trees.tensors(inputs) if not has_no_values(tensor) for value in to_numpy(tensor).flat
    }
    for tensor in tensor_trees.tensors(result):
        if not has_no_values(tensor):
            values = len(set(to_numpy(tensor).flat) - copied)
            most = max(most, values if frameworks.of(tensor).is_floating(tensor) else min(values, 2))
    return most


def _is_less_precise(checker: CaseChecker, seen: Seen) -> bool:
    """Return whether most of the wrong results look less precise; one may be far off, such as a small difference of
    large sums."""
    if _draws(seen[0][0]):  # If random numbers are drawn, even right results differ in their digits.
        return False
    if checker.task.writes and any(frameworks.of(value).is_module(value) for value in seen[0][0]):
        return False  # a step changes only the last digits of a model's parameters
    results = [(given, checker.oracle(checker.task, inputs)) for inputs, given in seen]
    tolerance = tolerance_of(checker.task)
    wrong = [(pair, difference(*pair, tolerance)) for pair in results]
    looks = [
        result.values is not None and looks_like_lower_precision(*pair) for pair, result in wrong if result is not None
    ]
    return 2 * sum(looks) > len(looks)


def looks_like_lower_precision(given: Any, expected: Expected) -> bool:
    """Return whether ``given``, which is wrong, looks like the right result computed in the next lower precision.

    Most values are then off, each by a few roundings of that precision. A wrong formula is off by more, or makes all values
    too large or too small, and a few wrong rows leave the other values exact.
    """
    results, native = tensor_trees.tensors(given), tensor_trees.tensors(expected.native)
    if len(results) != len(native) or not native or any(map(has_no_values, [*results, *native])):
        return False
    errors = []
    for result, native_part, truth in zip(results, native, tensor_trees.tensors(expected.exact)):
        lower = {"float64": PRECISION["float32"], "float32": PRECISION["bfloat16"]}.get(dtype_name(native_part))
        if (
            lower is None
            or dtype_name(result) != dtype_name(native_part)
            or tuple(result.shape) != tuple(native_part.shape)
        ):
            return False
        with np.errstate(all="ignore"):  # uninitialized memory may hold any bits
            value, right = (to_numpy(each).astype(np.float64).ravel() for each in (result, truth))
            # Near zero, a sum of larger terms has larger errors than its own value explains.
            finite = np.isfinite(right)
            scale = np.sign(right) * (abs(right) + largest(right) / 4) * lower
            errors.append((value - right)[finite & (right != 0)] / scale[finite & (right != 0)])
    error = np.concatenate(errors)
    most = _MOST_ROUNDINGS if error.size >= _MANY else _MOST_OF_FEW
    if not error.size or not np.isfinite(error).all() or abs(error).max() > most:
        return False
    typical = np.median(abs(error))
    is_one_sided = error.size >= _MANY and abs(error.mean()) > _ONE_SIDED * error.std()
    return bool(typical > 1e-4 and not (is_one_sided and typical > _NO_SMALL_NUMBER))


def _draws(inputs: tuple) -> bool:
    return any(map(tensor_trees.is_generator, inputs))


def _leaves_generator(before: tuple, after: tuple) -> bool:
    """Return whether a generator among the inputs is unchanged."""
    pairs = ((old, new) for old, new in zip(before, after) if tensor_trees.is_generator(old))
    return any(bool((old.get_state() == new.get_state()).all()) for old, new in pairs)
