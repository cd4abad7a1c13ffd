"""Correct: the slow loop's results on fresh random inputs and on every edge case, and no harm done on the way.

It counts nothing and times nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from course_utils import frameworks
from course_utils.frameworks import devices, runtime, tensor_trees
from course_utils.frameworks.tensor_trees import to_numpy
from course_utils.judging import describe, infinity_remark
from course_utils.judging.answer import Answer
from course_utils.judging.difference import difference, has_no_values, is_of_lower_precision, task_difference
from course_utils.judging.gradients import check_gradients
from course_utils.judging.judged_output import judged_function
from course_utils.judging.oracle import Expected, Oracle
from course_utils.judging.verdict import TaskFailed
from course_utils.judging.written_arguments import check_same_memory, explain_untouched
from course_utils.tasks.task import Case, Generator, Task

LOWER_PRECISION = (
    "The first digits are right and the last ones are not: something is computed in a lower precision, or rounded, or a "
    "small number such as 1e-8 is added."
)

UNDRAWN = "Nothing is drawn from the generator that is given: pass it on, as in torch.randint(…, generator=generator)."

# Larger inputs on which a usual mistake must come to the same; of random draws two ways often come to the same digits.
_LARGER, _LARGER_DRAWN = 3, 12
# A usual mistake is known by this much: where rounding grows, as in a loop of tanh, no two ways make it to the digit.
_ROUGHLY = 3e-5


def check_correct(task: Task, answer: Answer, generator: Generator, oracle: Oracle) -> None:
    """Try every case; the sizes come first, small ones before large ones, so that the first failure is a small one.

    Raises:
        TaskFailed: for the first case that goes wrong.
    """
    trial = _Trial(task, answer, generator, oracle)
    for size in task.sizes:
        trial.right(f"a random input of size {size}", task.inputs(size, generator))
    for case in (*task.edge_cases, *task.worst_cases):
        trial.right(case.name, case.make(generator))
    for case, error in task.raises:
        trial.refused(case, error)
    trial.repeatable()
    if not frameworks.by_name(task.framework).places_automatically:
        trial.kept_on_device()
    if task.writes:
        check_same_memory(task, answer, task.inputs(task.sizes[-1], generator))
    if task.gradients:
        check_gradients(task, answer, generator)


class _Trial:
    """One answer's way through the cases; remembers earlier results, to know one that comes again."""

    def __init__(self, task: Task, answer: Answer, generator: Generator, oracle: Oracle) -> None:
        self.task = task
        self.oracle = oracle
        self.answer = answer
        self.generator = generator
        self.earlier: list[Any] = []

    def right(self, case: str, inputs: tuple, caller: Callable[..., Any] | None = None) -> Any:
        """The result, when it is right and nothing else was touched; ``caller`` as an ``Answer`` takes it."""
        wanted = self.oracle(self.task, inputs)
        given, used = self.answer(inputs, case, caller)
        self._same(case, given, used, wanted)
        self._inputs_kept(case, inputs, used)
        self._own_memory(case, given, used)
        self.earlier.append(given)
        return given

    def refused(self, case: Case, error: type[Exception]) -> None:
        """An input that must raise ``error``, with a message."""

        def attempt(function: Any, *used: Any) -> Exception | None:
            try:
                function(*used)
            except Exception as raised:  # noqa: BLE001 - whatever it is, it is told below
                return raised
            return None

        inputs = case.make(self.generator)
        shown = describe.describe_inputs(self.task.slow, inputs)
        raised, _ = self.answer(inputs, case.name, attempt)
        if isinstance(raised, NotImplementedError) or not isinstance(raised, error):
            instead = "it raised nothing" if raised is None else describe.describe_error(raised, self.answer.function)
            raise TaskFailed(
                f"For {case.name}, {self.task.id} should raise {error.__name__}; {describe.end_sentence(instead)}\n{shown}"
            )
        if not str(raised).strip():
            raise TaskFailed(
                f"For {case.name}, {self.task.id} raises {error.__name__} as it should, but without a message that says "
                f"what is wrong.\n{shown}"
            )

    def repeatable(self) -> None:
        """Call again: the same input, another one of that shape, and another one in the very same tensors."""
        size = self.task.sizes[-1]
        first, second = (self.task.inputs(size, self.generator) for _ in range(2))
        result = self.right(f"a random input of size {size}", first)
        kept = tensor_trees.detached_copy(result)
        self.right(f"the same input of size {size}, when called again", first)
        self.right(f"another random input of size {size}", second)
        if self.task.same is None and difference(tensor_trees.detached_copy(result), Expected(kept, ())) is not None:
            raise TaskFailed(
                f"A later call of {self.task.id} changed the result of an earlier one; "
                "each call must return a tensor of its own."
            )
        self._new_values_in_old_tensors(first, second)

    def kept_on_device(self) -> None:
        """On each accelerator that is here; where there is none, by watching where tensors are made."""
        from course_utils.judging.on_device import check_device

        inputs = self.task.inputs(self.task.sizes[-1], self.generator)
        if _draws(inputs):
            return  # a generator lives on one device, and each draws other numbers: one at a time or at once, too
        check_device(self.task, self.answer, inputs)
        for device in devices.available(self.task.framework)[1:]:
            call = partial(runtime.call_and_synchronize, device)
            with runtime.full_precision():
                self.right(f"a random input on {device}", tensor_trees.to_device(inputs, device), call)

    def _new_values_in_old_tensors(self, first: tuple, second: tuple) -> None:
        """Whoever keeps answers by the identity of a tensor gives the old one for the new values."""
        if not tensor_trees.tensors(first):
            return

        def twice(function: Any, *inputs: Any) -> tuple[Any, tuple]:
            function(*inputs)
            renewed = tensor_trees.overwrite(inputs, tensor_trees.copy_inputs(second))
            return function(*renewed), renewed

        case = "new values in the same tensors"
        (given, used), _ = self.answer(first, case, twice)
        self._same(case, given, used, self.oracle(self.task, second))

    def _same(self, case: str, given: Any, used: tuple, wanted: Expected) -> None:
        different = task_difference(self.task, given, wanted, used)
        if different is None:
            return
        joint = ":" if self.task.same else ","  # the author's sentence begins with a capital, ours does not
        lines = [f"For {case}{joint} {describe.end_sentence(different.sentence)}"]
        lines += [describe.describe_inputs(self.task.slow, wanted.inputs)]
        lines += [] if different.values is None else [describe.expected_and_given(different.values)]
        lines += [
            explain_untouched(self.task, wanted.inputs, used)
            or self._mistake(given, wanted)
            or infinity_remark.explain_new_nan(different.values, wanted.inputs)
            or (UNDRAWN if _is_undrawn(wanted.inputs, used) else "")
        ]
        raise TaskFailed("\n".join(line for line in lines if line))

    def _mistake(self, given: Any, wanted: Expected) -> str | None:
        """The name of the mistake, where the result is that of a usual one, there and on larger inputs."""
        if self.task.same is not None:
            return None
        seen = [(wanted.inputs, given)]
        try:
            for _ in range(_LARGER_DRAWN if _draws(wanted.inputs) else _LARGER):
                larger = self.task.inputs(self.task.sizes[-1], self.generator)
                seen.append((larger, self.answer(larger, "a larger input")[0]))
        except TaskFailed:  # it fails elsewhere in another way; the case at hand is told
            return None
        for mistake in self.task.mistakes:
            if all(self._is(mistake.wrong, *each) for each in seen) and self._shows(mistake.wrong, wanted):
                return mistake.name
        if self._came_before(given):
            return "This is the answer of an earlier call: something is kept from one call to the next."
        return LOWER_PRECISION if self._is_of_lower_precision(seen) else None

    def _is_of_lower_precision(self, seen: list[tuple[tuple, Any]]) -> bool:
        """Whether most of the results that are wrong look like it: where a small difference is left, one may be far off."""
        if _draws(seen[0][0]):  # other draws give other digits, and of many draws almost the same
            return False
        results = [(given, self.oracle(self.task, inputs)) for inputs, given in seen]
        looks = [is_of_lower_precision(*pair) for pair in results if difference(*pair, self.task.tolerance) is not None]
        return 2 * sum(looks) > len(looks)

    def _came_before(self, given: Any) -> bool:
        """Whether an earlier call returned the same values; a constant may come twice by itself."""
        if all(difference(given, Expected(before, ())) is not None for before in self.earlier):
            return False
        return any(
            tensor_trees.element_count(tensor) > 1 and not has_no_values(tensor) and len(set(to_numpy(tensor).flat)) > 1
            for tensor in tensor_trees.tensors(given)
        )

    def _shows(self, wrong: Any, wanted: Expected) -> bool:
        """Whether this mistake, which can be made on this input, makes a difference there."""
        result = judged_function(self.task, wrong)(*tensor_trees.copy_inputs(wanted.inputs))
        return difference(result, wanted, self.task.tolerance) is not None

    def _is(self, wrong: Any, inputs: tuple, given: Any) -> bool:
        try:
            result = judged_function(self.task, wrong)(*tensor_trees.copy_inputs(inputs))
        except Exception:  # noqa: BLE001 - this mistake cannot be made on this input
            return False
        return difference(given, Expected(result, inputs), _ROUGHLY) is None

    def _inputs_kept(self, case: str, inputs: tuple, used: tuple) -> None:
        for name, before, after in zip(describe.argument_names(self.task.slow), inputs, used):
            if name in self.task.writes:
                continue
            old, new = dict(tensor_trees.leaves(before, name)), dict(tensor_trees.leaves(after, name))
            changed = [
                path
                for path in old
                if tensor_trees.is_tensor(old[path]) and tensor_trees.has_changed(old[path], new.get(path))
            ]
            if old.keys() != new.keys():  # a list or a dict got longer or shorter
                changed.insert(0, name)
            if changed:
                instead = (
                    f"write into {' and '.join(self.task.writes)} only" if self.task.writes else "return a new tensor"
                )
                raise TaskFailed(
                    f"For {case}, {self.task.id} changed its input {changed[0]}; leave inputs as they are and {instead}.\n"
                    f"{describe.describe_inputs(self.task.slow, inputs)}"
                )

    def _own_memory(self, case: str, given: Any, used: tuple) -> None:
        if self.task.may_alias:
            return
        for name, argument in zip(describe.argument_names(self.task.slow), used):
            for tensor in [] if name in self.task.writes else tensor_trees.tensors(argument):
                if any(tensor_trees.shares_memory(tensor, result) for result in tensor_trees.tensors(given)):
                    raise TaskFailed(
                        f"For {case}, the result is a view of the input {name}: whoever changes the one changes the "
                        "other; return a tensor with memory of its own."
                    )


def _draws(inputs: tuple) -> bool:
    return any(map(tensor_trees.is_generator, inputs))


def _is_undrawn(before: tuple, after: tuple) -> bool:
    """Whether a generator among the inputs is as it was."""
    pairs = ((old, new) for old, new in zip(before, after) if tensor_trees.is_generator(old))
    return any(bool((old.get_state() == new.get_state()).all()) for old, new in pairs)
