"""Lets an answer compile before it is timed or measured; compiling does not count toward the time limit of its
calls."""

from __future__ import annotations

from course_utils.core.errors import USER_CODE_ERRORS
from course_utils.frameworks import tensor_trees
from course_utils.judging.answer import Answer
from course_utils.judging.verdict import TaskFailed
from course_utils.timing.first_call import CompileFailed, time_first_call


def compile_before_timing(answer: Answer, inputs: tuple) -> None:
    """Call the answer once, which compiles it for inputs like these if it is compiled at all.

    Raises:
        TaskFailed: when it cannot be compiled.
    """
    if not answer.may_compile():
        return
    used = tensor_trees.copy_inputs(inputs)
    try:
        time_first_call(lambda: answer.call_first(used), answer.task.id)
    except CompileFailed as failed:
        raise TaskFailed(f"The results are right, but {failed}") from None
    except USER_CODE_ERRORS:
        return  # the judged call raises it again
