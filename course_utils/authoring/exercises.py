"""Derives ``exercises/`` from ``solutions/`` with nbgrader's own preprocessors.

What the tasks say themselves (story, slow loop, what counts, points) is written into the solutions first, so that
nobody writes a text twice. Nothing here runs a notebook.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from course_utils import tasks
from course_utils.authoring import canonical
from course_utils.core.wording import pluralize
from course_utils.tasks import Task
from course_utils.tasks.task import LEVELS

# What `nbgrader generate_assignment` does, in its order, but for its database and its generated tests.
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

_FIRST_CELLS = 3  # title, set-up, imports
_BEGIN, _END = "### BEGIN SOLUTION", "### END SOLUTION"


def ids(task_id: str) -> tuple[str, str, str, str, str]:
    """The ids of a task's cells: the story, the slow loop, what counts, the answer, the check."""
    name = canonical.slug(task_id)
    return name, f"{name}-slow", f"{name}-counts", f"{name}-answer", f"{name}-check"


def fill(notebook: NotebookNode, lesson: str) -> None:
    """Write what the tasks of ``lesson`` say into the cells of a solutions notebook that stand for them.

    A task that has no cells yet gets its five, in its place, with an answer that is still to be written.

    Args:
        notebook: changed in place.
        lesson: the lesson's file name without suffix, ``"03_element_loops"``.
    """
    before = _FIRST_CELLS
    for number, task_id in enumerate(tasks.ids(lesson), start=1):
        task = tasks.load(task_id)
        if canonical.slug(task_id) not in {cell.id for cell in notebook.cells}:
            notebook.cells[before:before] = _new_cells(task)
        before += len(ids(task_id))
        cells = {cell.id: cell for cell in notebook.cells}
        points = pluralize(task.points, "point")
        story, slow, counts, answer, check = ids(task_id)
        cells[
            story
        ].source = f"## {number} · {task.title}\n\n*Level {task.level}: {LEVELS[task.level]}.*\n\n{task.story}"
        cells[slow].source = inspect.getsource(task.slow).rstrip("\n")
        cells[counts].source = f"**What counts** ({points})\n\n{task.rules}"
        cells[answer].metadata["nbgrader"] = _nbgrader(answer, solution=True)
        cells[check].source = f"from course_utils import check\n\ncheck({task_id})"
        cells[check].metadata["nbgrader"] = _nbgrader(check, grade=True, locked=True, points=task.points)


def _new_cells(task: Task) -> list[NotebookNode]:
    """The five cells of a task, of which ``fill`` writes all but the answer."""
    stub = f"def {task.id}{inspect.signature(task.slow)}:\n    {_BEGIN}\n    raise NotImplementedError()\n    {_END}"
    story, slow, counts, answer, check = ids(task.id)
    return [
        new_markdown_cell(id=story),
        new_code_cell(id=slow),
        new_markdown_cell(id=counts),
        new_code_cell(stub, id=answer),
        new_code_cell(id=check),
    ]


def derive(notebook: NotebookNode) -> NotebookNode:
    """The exercise that belongs to a solutions notebook, which is not changed."""
    from nbgrader import preprocessors  # it takes seconds to import, and those who ask for a cell's id need none of it

    exercise: NotebookNode = nbformat.from_dict(notebook)
    resources: dict[str, Any] = {}
    for name in _PREPROCESSORS:
        exercise, resources = getattr(preprocessors, name)().preprocess(exercise, resources)
    return exercise


def write(root: Path) -> list[Path]:
    """Bring ``root/solutions`` up to date with the tasks and ``root/exercises`` with the solutions.

    Returns the files that changed.
    """
    changed = []
    for solution in sorted((root / "solutions").glob("*.ipynb")):
        notebook = nbformat.read(solution, as_version=4)
        fill(notebook, solution.stem)
        for path, derived in ((solution, notebook), (root / "exercises" / solution.name, derive(notebook))):
            after = canonical.text(derived)
            if not path.exists() or path.read_text(encoding="utf-8") != after:
                path.parent.mkdir(exist_ok=True)
                path.write_text(after, encoding="utf-8")
                changed.append(path)
    return changed


def _nbgrader(grade_id: str, **given: bool | int) -> dict[str, bool | int | str]:
    rest = {"grade": False, "locked": False, "solution": False, "task": False, "schema_version": 3}
    return rest | {"grade_id": grade_id} | given
