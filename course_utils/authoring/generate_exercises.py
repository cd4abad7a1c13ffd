"""Generation of ``exercises/`` from ``solutions/`` with nbgrader's own preprocessors.

First the text of the tasks (story, slow loop, what counts, points) is copied into the solutions, so that no text is
written twice. No notebook is executed.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from course_utils import tasks
from course_utils.authoring import canonical_form
from course_utils.authoring.task_cell_ids import exercise_ids
from course_utils.core.wording import pluralize
from course_utils.frameworks.load_order import load_triton_first
from course_utils.tasks import Task
from course_utils.tasks.task import LEVELS
from course_utils.tasks.what_counts import what_counts

# The steps of `nbgrader generate_assignment`, in its order, without its database and its generated tests.
_PREPROCESSORS = (
    "IncludeHeaderFooter",
    "LockCells",
    "ClearSolutions",
    "ClearOutput",
    "CheckCellMetadata",
    "ClearHiddenTests",
    "ClearMarkScheme",
    "ComputeChecksums",
    "CheckCellMetadata",
)

_FIRST_CELLS = 3  # title, setup, imports
_BEGIN, _END = "### BEGIN SOLUTION", "### END SOLUTION"


def fill_in_tasks(notebook: NotebookNode, lesson: str) -> None:
    """Copy the text of the tasks of ``lesson`` into their cells of a solutions notebook.

    A task that has no cells yet gets its five cells, in the order of the lesson's tasks, with a stub as the answer.

    Args:
        notebook: the solutions; changed in place.
        lesson: the lesson's file name without suffix, ``"03_element_loops"``.
    """
    before = _FIRST_CELLS
    for number, task_id in enumerate(tasks.ids(lesson), start=1):
        task = tasks.load(task_id)
        if exercise_ids(task_id)[0] not in {cell.id for cell in notebook.cells}:
            notebook.cells[before:before] = _new_cells(task)
        before += len(exercise_ids(task_id))
        cells = {cell.id: cell for cell in notebook.cells}
        points = pluralize(task.points, "point")
        story, slow, counts, answer, check = exercise_ids(task_id)
        level = f"*Level {task.level}: {LEVELS[task.level]}.*"
        cells[story].source = f"## {number} · {task.title}\n\n{level}\n\n{task.story}"
        cells[slow].source = inspect.getsource(task.slow).rstrip("\n")
        cells[counts].source = f"**What counts** ({points})\n\n{what_counts(task)}"
        cells[answer].metadata["nbgrader"] = _nbgrader(answer, solution=True)
        cells[check].source = f"from course_utils import check\n\ncheck({task_id})"
        cells[check].metadata["nbgrader"] = _nbgrader(check, grade=True, locked=True, points=task.points)


def _new_cells(task: Task) -> list[NotebookNode]:
    """Return the five cells of a task; ``fill_in_tasks`` then writes all of them except the answer."""
    stub = f"def {task.id}{inspect.signature(task.slow)}:\n    {_BEGIN}\n    raise NotImplementedError()\n    {_END}"
    story, slow, counts, answer, check = exercise_ids(task.id)
    return [
        new_markdown_cell(id=story),
        new_code_cell(id=slow),
        new_markdown_cell(id=counts),
        new_code_cell(stub, id=answer),
        new_code_cell(id=check),
    ]


def exercise_from(solution: NotebookNode) -> NotebookNode:
    """Return the exercise that belongs to a solutions notebook; ``solution`` itself does not change."""
    from nbgrader import preprocessors  # Its import takes seconds, and only this function needs it.

    exercise: NotebookNode = nbformat.from_dict(solution)
    resources: dict[str, Any] = {}
    for name in _PREPROCESSORS:
        exercise, resources = getattr(preprocessors, name)().preprocess(exercise, resources)
    return exercise


def generate(root: Path) -> list[Path]:
    """Update ``root/solutions`` from the tasks, then ``root/exercises`` from those; return the changed files."""
    load_triton_first()  # The tasks load both frameworks.
    changed = []
    for solution in sorted((root / "solutions").glob("*.ipynb")):
        notebook = nbformat.read(solution, as_version=4)
        fill_in_tasks(notebook, solution.stem)
        exercise = root / "exercises" / solution.name
        for path, content in ((solution, notebook), (exercise, exercise_from(notebook))):
            after = canonical_form.text(content)
            if not path.exists() or path.read_text(encoding="utf-8") != after:
                path.parent.mkdir(exist_ok=True)
                path.write_text(after, encoding="utf-8")
                changed.append(path)
    return changed


def _nbgrader(grade_id: str, **values: bool | int) -> dict[str, bool | int | str]:
    """Return a cell's metadata for nbgrader; ``values`` replace the defaults."""
    defaults = {"grade": False, "locked": False, "solution": False, "task": False, "schema_version": 3}
    return defaults | {"grade_id": grade_id} | values
