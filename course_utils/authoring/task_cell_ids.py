"""The ids of a task's cells in its notebook."""

from __future__ import annotations


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
