"""Checks that an answer refuses an input that the card excludes, by the error that the card names."""

from __future__ import annotations

from typing import Any

from course_utils.core.errors import CourseError
from course_utils.judging import describe
from course_utils.judging.case_checker import CaseChecker
from course_utils.judging.verdict import TaskFailed
from course_utils.tasks.task import Case


def check_refusal(checker: CaseChecker, case: Case, error: type[Exception]) -> None:
    """Check an input that must raise ``error``, with a message.

    Raises:
        TaskFailed: when the answer raises another error, no message, or nothing.
    """

    def attempt(function: Any, *arguments: Any) -> Exception | None:
        try:
            function(*arguments)
        except Exception as raised:  # noqa: BLE001 - whatever it is, the message names it
            return raised
        return None

    inputs = case.make(checker.generator)
    shown = describe.describe_inputs(checker.task.slow, inputs)
    raised, _ = checker.answer(inputs, case.name, attempt)
    if type(raised) is CourseError:  # The task's own ``run`` refuses the call.
        raise TaskFailed(f"For {case.name}: {raised}\n{shown}")
    if isinstance(raised, NotImplementedError) or not isinstance(raised, error):
        instead = "it raised nothing" if raised is None else describe.describe_error(raised, checker.answer.function)
        raise TaskFailed(
            f"For {case.name}, {checker.task.id} should raise {error.__name__}; {describe.end_sentence(instead)}\n{shown}"
        )
    if not str(raised).strip():
        raise TaskFailed(
            f"For {case.name}, {checker.task.id} raises {error.__name__} as it should, but without a message that says "
            f"what is wrong.\n{shown}"
        )
