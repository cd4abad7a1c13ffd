"""``grade_task``: what a worker of Dask runs. The process that grades lives as long as the worker."""

from __future__ import annotations

import json
import threading
from functools import cache

from course_utils.core.plain_data import from_data, to_data
from course_utils.grading.submission import Submission
from course_utils.grading.workers import GradingProcess

_one_at_a_time = threading.Lock()


def grade_task(submission: str, task_id: str, caged: bool, grader: str) -> str:
    """Return the mark of one task as a JSON object.

    Args:
        submission: the ``Submission`` as a JSON object.
        task_id: the task.
        caged: whether learners' code is caged.
        grader: the name of the module that grades.

    Raises:
        CageMissing: this machine offers no cage.
    """
    with _one_at_a_time:
        process = _grading_process(caged, grader)
        (mark,) = process.marks(from_data(Submission, json.loads(submission)), (task_id,))
    return json.dumps(to_data(mark))


@cache
def _grading_process(caged: bool, grader: str) -> GradingProcess:
    """Return this worker's grading process, which ends when the worker's end of the pipe closes."""
    return GradingProcess(caged, grader)
