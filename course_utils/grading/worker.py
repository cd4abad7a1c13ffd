"""The child process of a ``GradingProcess``: it grades the tasks that it reads from stdin and answers with their marks.

Run as ``python -m course_utils.grading.worker MODULE [--uncaged]``. It ends when its parent does, also a killed one.
"""

from __future__ import annotations

import importlib
import json
import os
import queue
import sys
import threading
from collections.abc import Callable
from functools import partial

from course_utils.core.errors import summarize_error
from course_utils.core.plain_data import from_data, to_data
from course_utils.core.processes import Json, start_answering
from course_utils.grading.grade import CageMissing
from course_utils.grading.mark import TaskMark
from course_utils.grading.submission import Submission


def _read_jobs(jobs: queue.SimpleQueue[Json]) -> None:
    for line in sys.stdin:
        jobs.put(json.loads(line))
    os._exit(0)  # The parent has ended; the main thread may be in the middle of a task.


def main() -> None:
    """Answer ``{"mark": …}`` after each task of a job and ``{"done": true}`` after the last one.

    ``{"failed": …}`` ends a job whose grading fails, ``{"no_cage": …}`` the process.
    """
    answer = start_answering()
    jobs: queue.SimpleQueue[Json] = queue.SimpleQueue()
    threading.Thread(target=_read_jobs, args=(jobs,), daemon=True).start()
    grader = importlib.import_module(sys.argv[1])
    try:
        with grader.Zygotes(caged="--uncaged" not in sys.argv[2:]) as zygotes:
            while True:
                job = jobs.get()
                try:
                    submission = from_data(Submission, job["submission"])
                    wanted = tuple(job["tasks"])
                    grader.grade(submission, zygotes=zygotes, tasks=wanted, on_mark=partial(_answer_mark, answer))
                    answer({"done": True})
                except CageMissing:
                    raise
                except Exception as error:  # noqa: BLE001 - such as a framework that is not installed here
                    answer({"failed": summarize_error(error)})
    except CageMissing as missing:
        answer({"no_cage": str(missing)})


def _answer_mark(answer: Callable[[Json], None], mark: TaskMark) -> None:
    answer({"mark": to_data(mark)})


if __name__ == "__main__":
    main()
