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
_STUB = re.compile(r"raise NotImplementedError\(\)\s*\Z")
_SUFFIXES = ("", "-slow", "-counts", "-answer", "-check")
_SETUP = "# Setup: this cell installs the course"


class NotebookRefused(ValueError):
    """The notebook cannot be graded; the message is a sentence for the instructor and the student."""


class ForeignNotebook(NotebookRefused):
    """The notebook is whole, but holds no exercise of this course."""


def read_notebook(content: bytes) -> tuple[str, tuple[AnswerCell, ...]]:
    """Return the lesson that the notebook belongs to, and its code cells in their order, without setup cells and
    checks.

    A cell answers the task whose function it defines; otherwise nbgrader's name or the cell's id names the task.

    Raises:
        ForeignNotebook: it holds no exercise of this course.
        NotebookRefused: it is not a notebook.
    """
    task_of_name = {task_id.replace("_", "-") + suffix: task_id for task_id in tasks.names() for suffix in _SUFFIXES}
    task_ids = set(task_of_name.values())
    answers: list[AnswerCell] = []
    lessons: Counter[str] = Counter()
    cells = _cells(content)
    for index, (kind, names, source) in enumerate(cells):
        named = next(((name, task_of_name[name]) for name in names if name in task_of_name), ("", ""))
        defined = list(dict.fromkeys(each for each in _DEFINITION.findall(source) if each in task_ids))
        lessons.update(tasks.lesson_of(each) for each in (named[1], *defined) if each)
        if kind != "code" or source.startswith(_SETUP) or (named[0].endswith("-check") and not defined):
            continue
        own = defined or [named[1] if named[0].endswith("-answer") else ""]
        answers += [AnswerCell(task_id, source, index) for task_id in own]  # a cell may answer several tasks
    if not lessons:
        if any(name.startswith("turn-") for _, names, _ in cells for name in names):
            raise ForeignNotebook(
                "This is the notebook of a lesson, not the one of its exercises, which is in the folder `exercises`."
            )
        raise ForeignNotebook("The notebook holds no exercise of this course.")
    return lessons.most_common(1)[0][0], tuple(_without_spare_stubs(answers))


def _cells(content: bytes) -> list[tuple[str, list[str], str]]:
    """Return kind, names and source of each cell; a cell's names are nbgrader's, its id, and the id that Colab
    gives."""
    if not content.strip():
        raise NotebookRefused("The file is empty.")
    try:
        notebook = json.loads(content)
    except (ValueError, RecursionError):
        raise NotebookRefused("The file is not a notebook: its text is damaged or incomplete.") from None
    if isinstance(notebook, dict) and "worksheets" in notebook:
        raise NotebookRefused("The notebook has Jupyter's old format 3; open it in JupyterLab and save it again.")
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise NotebookRefused("The file is not a notebook: it has no cells.")
    return [_cell(each) for each in notebook["cells"] if isinstance(each, dict)]


def _cell(cell: dict[str, Any]) -> tuple[str, list[str], str]:
    metadata = _as_dict(cell.get("metadata"))
    names = [_as_dict(metadata.get("nbgrader")).get("grade_id"), cell.get("id"), metadata.get("id")]
    source = cell.get("source", "")
    lines = source if isinstance(source, list) else [source]
    return (
        str(cell.get("cell_type")),
        [name for name in names if isinstance(name, str)],
        "".join(line for line in lines if isinstance(line, str)),
    )


def _as_dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _without_spare_stubs(cells: list[AnswerCell]) -> list[AnswerCell]:
    """Return the cells without a task's untouched copies, which would replace its answer when they run."""
    written = {cell.task_id for cell in cells if not _STUB.search(cell.source)}
    return [cell for cell in cells if not cell.task_id or cell.task_id not in written or not _STUB.search(cell.source)]
