"""The child process of a ``GradingProcess``: it grades the tasks that it reads from stdin and answers with their marks.

Run as ``python -m course_utils.grading.worker MODULE PARENT [--uncaged]``, where PARENT is the parent's process id: on
Linux it ends when the parent is killed, elsewhere at the next mark.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from functools import partial

from course_utils.core.errors import summarize_error
from course_utils.core.plain_data import from_data, to_data
from course_utils.core.processes import Json, start_answering
from course_utils.grading.cage import die_with_parent
from course_utils.grading.grade_submission import CageMissing
from course_utils.grading.mark import TaskMark
from course_utils.grading.submission import Submission


def main() -> None:
    """Answer ``{"mark": …}`` after each task of a job and ``{"done": true}`` after the last one.

    ``{"failed": …}`` ends a job whose grading fails, ``{"no_cage": …}`` the process.
    """
    die_with_parent(int(sys.argv[2]))
    answer = start_answering()
    grader = importlib.import_module(sys.argv[1])
    with grader.Zygotes(caged="--uncaged" not in sys.argv[3:]) as zygotes:
        # This thread reads the jobs itself, because the number of threads reveals an answer that starts one.
        for line in sys.stdin:
            job = json.loads(line)
            try:
                submission, wanted = from_data(Submission, job["submission"]), tuple(job["tasks"])
                grader.grade(submission, zygotes=zygotes, tasks=wanted, on_mark=partial(_answer_mark, answer))
                answer({"done": True})
            except CageMissing as missing:
                answer({"no_cage": str(missing)})
                return
            except Exception as error:  # noqa: BLE001 - such as a framework that is not installed here
                answer({"failed": summarize_error(error)})


def _answer_mark(answer: Callable[[Json], None], mark: TaskMark) -> None:
    answer({"mark": to_data(mark)})


if __name__ == "__main__":
    main()
