"""Lets an answer compile before it is timed or measured, outside of the time of its other calls."""

from __future__ import annotations

from course_utils import frameworks
from course_utils.core.errors import USER_CODE_ERRORS
from course_utils.frameworks import tensor_trees
from course_utils.judging.answer import Answer
from course_utils.judging.verdict import TaskFailed
from course_utils.sandbox.confine import confine
from course_utils.timing.first_call import COMPILE_LIMIT_S, CompileFailed, time_first_call


def compile_answer(answer: Answer, inputs: tuple) -> None:
    """Call the answer once, which compiles it for inputs like these if it is compiled at all.

    Raises:
        TaskFailed: when it cannot be compiled.
    """
    if not any(framework.compiler.is_loaded() for framework in frameworks.loaded()):
        return
    used = tensor_trees.copy_inputs(inputs)

    def call() -> None:
        with confine(COMPILE_LIMIT_S + answer.task.timeout_s):
            answer.function(*used)

    try:
        time_first_call(call, answer.task.id)
    except CompileFailed as failed:
        raise TaskFailed(f"The results are right, but {failed}") from None
    except USER_CODE_ERRORS:
        return  # the judged call raises it again
