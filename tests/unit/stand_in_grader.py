"""A grader that runs nothing: the comment in an answer names the verdict. The tests of everything around a grader use
it."""

import json
import os
import time
from pathlib import Path

from course_utils import tasks
from course_utils.grading.grade_submission import CageMissing
from course_utils.grading.mark import TaskMark


class Zygotes:
    def __init__(self, *, caged=True):
        self.caged = caged

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


def grade(submission, *, zygotes, tasks, on_mark):
    if zygotes.caged and "STAND_IN_WITHOUT_CAGE" in os.environ:
        raise CageMissing("This machine has no cage.")
    for task_id in tasks:
        on_mark(mark(submission, task_id))


def sleep_in_the_first_worker(file):
    """Sleep in the first process that calls this, and store its id and its parent's; do nothing in the others."""
    own = file.with_suffix(f".{os.getpid()}")
    own.write_text(f"{os.getpid()} {os.getppid()}")
    try:
        os.link(own, file)  # It fails if the file exists.
    except FileExistsError:
        return
    time.sleep(3600)


def mark(submission, task_id):
    source = "\n".join(cell.source for cell in submission.cells if cell.task_id == task_id)
    if log := os.environ.get("STAND_IN_LOG"):  # The log shows which process graded what.
        with open(log, "a", encoding="utf-8") as stream:
            stream.write(json.dumps([submission.student, task_id, os.getpid(), os.getppid()]) + "\n")
    if "# slow" in source:
        time.sleep(float(os.environ["STAND_IN_SLOW_S"]))
    if "# sleeps in the first worker" in source:
        sleep_in_the_first_worker(Path(os.environ["STAND_IN_FIRST_SLEEPS"]))
    if "# dies" in source:
        os._exit(1)
    if "# raises" in source:
        raise RuntimeError("broken grader")
    of = tasks.points_of(task_id)
    if "# right" in source:
        return TaskMark(submission.lesson, task_id, of, of, "right", seconds=0.25)
    if "# wrong: " in source:
        message = source.partition("# wrong: ")[2].splitlines()[0]
        return TaskMark(submission.lesson, task_id, 0, of, "wrong", message, "These are the sums.", 0.5, "child")
    return TaskMark(submission.lesson, task_id, 0, of, "untried", f"{task_id} is not written yet.")
