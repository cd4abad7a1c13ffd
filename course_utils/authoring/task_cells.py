"""The cells of a task in its notebook: their ids, and the code that a practice task's solution folds away."""

from __future__ import annotations

import re

_FOLDED = re.compile(r"<details>\s*<summary>.+?</summary>\s*```python\n(.+?)```\s*(.*)</details>", re.DOTALL)


def exercise_ids(task_id: str) -> tuple[str, str, str, str, str]:
    """Return the ids of an exercise's cells: the story, the slow loop, what counts, the answer, the check.

    >>> exercise_ids("clip_and_scale")[:2]
    ('clip-and-scale', 'clip-and-scale-slow')
    """
    name = task_id.replace("_", "-")
    return name, f"{name}-slow", f"{name}-counts", f"{name}-answer", f"{name}-check"


def practice_ids(task_id: str) -> tuple[str, str, str]:
    """Return the ids of a practice task's cells: the text, the stub with its check, the folded solution.

    >>> practice_ids("first_above")
    ('turn-first-above-text', 'turn-first-above', 'turn-first-above-solution')
    """
    name = f"turn-{task_id.replace('_', '-')}"
    return f"{name}-text", name, f"{name}-solution"


def is_practice(cell_id: str) -> bool:
    """Return whether a practice task's cell has this id."""
    return cell_id.startswith("turn-")


def folded_code(source: str) -> str | None:
    """Return the Python code in the folded block of a Markdown cell, None if there is none."""
    match = _FOLDED.search(source)
    return None if match is None else match[1]
