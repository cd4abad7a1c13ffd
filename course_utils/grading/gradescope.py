"""``results.json`` for Gradescope: https://gradescope-autograders.readthedocs.io/en/latest/specs/"""

from __future__ import annotations

import json
from collections.abc import Sequence

from course_utils.core.wording import pluralize
from course_utils.grading.mark import TaskMark
from course_utils.grading.notebook_marks import GradedNotebook, total


def gradescope_results(graded: Sequence[GradedNotebook], notes: Sequence[str], tasks_left: int) -> str:
    """Return the results of one student as a JSON object.

    Args:
        graded: the student's notebooks, with the marks that are known.
        notes: sentences on what was left out.
        tasks_left: the number of tasks that have no mark yet; the file is written after each task.
    """
    output = list(notes)
    if tasks_left:
        output.append(f"{pluralize(tasks_left, 'task')} not graded yet.")
    summary = total(graded)
    results = {
        "score": summary.points,
        "execution_time": round(summary.seconds),
        "output": "\n".join(output),
        "output_format": "text",
        "test_output_format": "text",
        "tests": [_test(mark) for each in graded for mark in each.marks],
    }
    return json.dumps(results, indent=1)


def _test(mark: TaskMark) -> dict[str, object]:
    name = f"{mark.lesson}: {mark.task_id}" if mark.task_id else mark.lesson or "notebook"
    test: dict[str, object] = {"name": name, "output": mark.message, "visibility": "visible", "tags": [mark.verdict]}
    if mark.verdict != "refused":
        status = "passed" if mark.verdict == "right" else "failed"
        test |= {"score": mark.points, "max_score": mark.of, "status": status}
    return test
