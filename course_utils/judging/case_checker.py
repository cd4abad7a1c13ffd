"""``CaseChecker``: checks one answer to one task, case by case, against the slow loop."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from course_utils.core.errors import CourseError
from course_utils.judging import describe
from course_utils.judging.answer import Answer
from course_utils.judging.difference import task_difference
from course_utils.judging.oracle import Expected, Oracle
from course_utils.judging.recognize_cause import recognize_cause
from course_utils.judging.side_effects import check_side_effects
from course_utils.judging.verdict import TaskFailed, WrongResult
from course_utils.tasks.task import Generator, Task


class CaseChecker:
    """Checks one answer case by case, and remembers earlier results, to recognize a repeated one."""

    def __init__(self, task: Task, answer: Answer, generator: Generator, oracle: Oracle) -> None:
        self.task = task
        self.oracle = oracle
        self.answer = answer
        self.generator = generator
        self.earlier: list[Any] = []
        self.long_cases: list[tuple[str, tuple]] = []
        self._for_causes, answer.seeds, self.generator_for_derived = generator.spawn(3)

    def generator_for_causes(self) -> Generator:
        """Return a generator for the inputs that find out why a result is wrong.

        It always starts in the same state, so the oracle knows the slow loop's results on them from other answers.
        """
        return copy.deepcopy(self._for_causes)

    def check(
        self,
        case: str,
        inputs: tuple,
        caller: Callable[..., Any] | None = None,
        expected: Expected | None = None,
    ) -> tuple[Any, tuple]:
        """Return the result, and the inputs as the answer left them, if all is right.

        Args:
            caller: as for an ``Answer``.
            expected: the slow loop's result, if it is known.
        """
        expected = expected or self.expected(case, inputs)
        given, inputs_after = self.answer(inputs, case, caller)
        self.check_result(case, given, inputs_after, expected)
        check_side_effects(self.task, self.answer, case, given, inputs_after, expected)
        self.earlier.append(given)
        return given, inputs_after

    def expected(self, case: str, inputs: tuple, at_count_size: bool = False) -> Expected:
        """Return the slow loop's result; ``at_count_size``: as for an ``Oracle``.

        Raises:
            TaskFailed: if the slow loop raises an error, for example because the answer or the notebook changed a global setting.
        """
        try:
            return self.oracle(self.task, inputs, at_count_size)
        except CourseError:
            raise
        except Exception as error:  # a changed setting can cause any error
            raise self.changed_setting(f"For {case}, even the slow loop returns no result", error) from error

    def changed_setting(self, fact: str, error: Exception) -> TaskFailed:
        """Return the failure of a check in which code of the course raises an error."""
        reason = describe.describe_error(error, self.answer.function)
        return TaskFailed(
            f"{fact}: {reason} If you changed a global setting, change it back; otherwise, restart the kernel."
        )

    def check_result(
        self, case: str, given: Any, inputs_after: tuple, expected: Expected, own_errors: float = 0.0
    ) -> None:
        """Raise ``WrongResult`` if ``given`` differs from what is expected.

        Args:
            inputs_after: the inputs after the call.
            own_errors: as in ``Tolerance``.
        """
        different = task_difference(self.task, given, expected, inputs_after, own_errors)
        if different is None:
            return
        joint = ":" if self.task.same else ","  # the author's sentence begins with a capital letter, ours does not
        lines = [f"For {case}{joint} {describe.end_sentence(different.sentence)}"]
        lines.append(describe.describe_inputs(self.task.slow, expected.inputs))
        if different.values is not None:
            lines.append(describe.expected_and_given(different.values))
        elif self.task.same is None:
            lines.append(describe.small_results(expected.native, given))
        cause = recognize_cause(self, given, inputs_after, expected, different)
        lines.append(cause)
        raise WrongResult("\n".join(filter(None, lines)), all(map(describe.is_shown, expected.inputs)), cause)
