"""The three cells of a practice task in its lesson: the text, the stub with its check, and the folded solution."""

from __future__ import annotations

import re

from nbformat import NotebookNode

from course_utils.authoring import canonical

_FOLDED = re.compile(r"<details>\s*<summary>.+?</summary>\s*```python\n(.+?)```\s*(.*)</details>", re.DOTALL)


def cell_ids(task_id: str) -> tuple[str, str, str]:
    """The ids of a practice task's cells, in order.

    >>> cell_ids("first_above")
    ('turn-first-above-text', 'turn-first-above', 'turn-first-above-solution')
    """
    name = f"turn-{canonical.slug(task_id)}"
    return f"{name}-text", name, f"{name}-solution"


def is_practice_cell(cell: NotebookNode) -> bool:
    """Whether the cell's id is that of a practice task."""
    return str(cell.id).startswith("turn-")


def folded_code(cell: NotebookNode) -> str | None:
    """The Python code in the cell's folded block, None if there is none."""
    match = _FOLDED.search(cell.source)
    return None if match is None else match[1]
