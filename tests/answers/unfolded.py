"""The solution that a lesson unfolds below its practice, as a function: what a reader finds there is proven like any answer."""

from __future__ import annotations

import ast
import json
import linecache
from collections.abc import Callable
from pathlib import Path
from typing import Any

from answers.table import TableError
from course_utils import tasks
from course_utils.authoring import task_cells

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
LABEL = "as the lesson unfolds it"


def solution(task_id: str) -> Callable[..., Any]:
    """The function in the cell ``turn-NAME-solution`` of the task's lesson; it has what the lesson imported above, and no more.

    Raises:
        TableError: when there is no such cell, or it folds no function of that name.
    """
    path = NOTEBOOKS / f"{tasks.lesson_of(task_id)}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    *_, wanted = task_cells.practice_ids(task_id)
    place = next((place for place, cell in enumerate(cells) if cell["id"] == wanted), 0)
    code = task_cells.folded_code("".join(cells[place]["source"]))
    names: dict[str, Any] = {"__name__": f"{path.stem}: {wanted}"}
    if code is not None:
        _execute(_imports(cells[:place]), f"<{path.stem}: imports>", names)
        _execute(code, f"<{path.stem}: {wanted}>", names)
    if not callable(names.get(task_id)):
        raise TableError(f"The cell {wanted!r} of {path.name} folds no Python code with a function {task_id}.")
    return names[task_id]


def _imports(cells: list[dict[str, Any]]) -> str:
    """What the code cells import, as source; TensorFlow is imported silence_stderr, in a ``with``."""
    trees = [ast.parse("".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]
    # Also within a block: TensorFlow is imported `with silence_stderr()`.
    found = [node for tree in trees for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return "\n".join(dict.fromkeys(map(ast.unparse, found)))


def _execute(source: str, name: str, names: dict[str, Any]) -> None:
    # TensorFlow's AutoGraph reads a function's source again.
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    exec(compile(source, name, "exec"), names)  # noqa: S102 - the course's own lesson
