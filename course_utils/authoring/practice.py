"""The three cells of a practice task in its lesson: what to do, the stub with its check, and the solution, folded.

It reads notebooks and writes none; what the cells must be is held by the tests.
"""

from __future__ import annotations

import re

from nbformat import NotebookNode

from course_utils.authoring import canonical

_FOLDED = re.compile(r"<details>\s*<summary>.+?</summary>\s*```python\n(.+?)```\s*(.*)</details>", re.DOTALL)


def ids(task_id: str) -> tuple[str, str, str]:
    """The ids of a practice task's cells, in order: ``"turn-first-above-text"``, ``"turn-first-above"``, ``"…-solution"``."""
    name = f"turn-{canonical.slug(task_id)}"
    return f"{name}-text", name, f"{name}-solution"


def is_of_practice(cell: NotebookNode) -> bool:
    """Whether a cell belongs to a practice task, by its id."""
    return str(cell.id).startswith("turn-")


def folded_code(cell: NotebookNode) -> str | None:
    """The Python code that the cell folds away, None where it folds none."""
    found = _FOLDED.search(cell.source)
    return None if found is None else found[1]
