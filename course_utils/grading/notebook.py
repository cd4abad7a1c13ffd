"""``read_notebook``: the answers in a student's notebook, whatever the student or a platform has done to it.

Points never come from a notebook: they come from the course's tasks.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from course_utils import tasks
from course_utils.grading.submission import AnswerCell

_DEFINITION = re.compile(r"^def\s+(\w+)\s*\(", re.MULTILINE)
_SETUP = "# Set-up: installs the course"
_STUB = re.compile(r"raise NotImplementedError\(\)\s*$")


class NotebookRefused(ValueError):
    """The notebook cannot be graded; the message is a sentence for the instructor and the student."""


def read_notebook(content: bytes) -> tuple[str, tuple[AnswerCell, ...]]:
    """The lesson that the notebook belongs to, and its cells in their order, without set-up cells and checks.

    A cell belongs to the task that nbgrader's name or its id gives, else to the one whose function it defines.

    Raises:
        NotebookRefused: it is no notebook, or holds no exercise of this course.
    """
    code = list(_code_cells(_parse(content)))
    homes = _tasks_of_names()
    answers = []
    found: Counter[str] = Counter()
    for index, names, source in code:
        task_id = next((homes[name] for name in names if name in homes), "")
        defined = [name for name in _DEFINITION.findall(source) if name in homes.values()]
        found.update(tasks.lesson_of(each) for each in {task_id, *defined} - {""})
        if source.startswith(_SETUP) or any(name.endswith("-check") and name[: -len("-check")] + "-answer" in homes for name in names):
            continue
        if not task_id and len(defined) == 1:
            task_id = defined[0]
        answers.append(AnswerCell(task_id, source, index))
    if not found:
        raise NotebookRefused("The notebook holds no exercise of this course.")
    return found.most_common(1)[0][0], tuple(_without_spare_stubs(answers))
