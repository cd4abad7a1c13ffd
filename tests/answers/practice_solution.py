"""The solution that a lesson shows below its practice, as a function: the table tests it like any right answer."""

from __future__ import annotations

import ast
import json
import linecache
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from answers.table import TableError
from cell_source import python_source
from course_utils import tasks
from course_utils.authoring import task_cell_ids

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
LABEL = "the lesson's solution"
_FOLDED = re.compile(r"<details>\s*<summary>.+?</summary>\s*```python\n(.+?)```.*</details>", re.DOTALL)


def load(task_id: str) -> Callable[..., Any]:
    """Return the function in the solution's cell of the task's lesson, with only those names that the lesson imported
    before it.

    Raises:
        TableError: if there is no such cell, or its folded code has no function with the task's name.
    """
    path = NOTEBOOKS / f"{tasks.lesson_of(task_id)}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    *_, cell_id = task_cell_ids.practice_ids(task_id)
    position = next((position for position, cell in enumerate(cells) if cell["id"] == cell_id), 0)
    code = folded_code("".join(cells[position]["source"]))
    names: dict[str, Any] = {"__name__": f"{path.stem}: {cell_id}"}
    if code:
        _execute(_imports(cells[:position]), f"<{path.stem}: imports>", names)
        _execute(code, f"<{path.stem}: {cell_id}>", names)
    if not callable(names.get(task_id)):
        raise TableError(f"The cell {cell_id!r} of {path.name} folds no Python code with a function {task_id}.")
    return names[task_id]


def folded_code(source: str) -> str:
    """Return the Python code in the folded block of a Markdown cell, "" if there is none."""
    match = _FOLDED.search(source)
    return match[1] if match else ""


def _imports(cells: list[dict[str, Any]]) -> str:
    """Return the import statements of the code cells, as source."""
    trees = [ast.parse(python_source("".join(cell["source"]))) for cell in cells if cell["cell_type"] == "code"]
    # Imports are also inside blocks: lessons import TensorFlow in a `with` that silences stderr.
    imports = [node for tree in trees for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return "\n".join(dict.fromkeys(map(ast.unparse, imports)))


def _execute(source: str, name: str, names: dict[str, Any]) -> None:
    # TensorFlow's AutoGraph reads a function's source again.
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    exec(compile(source, name, "exec"), names)  # noqa: S102 - The source is the course's own lesson.
