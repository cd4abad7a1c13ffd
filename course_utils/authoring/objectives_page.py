"""The table in docs/objectives.md: what makes a learner practice each objective of a lesson.

The lesson's first cell lists the objectives. ``unloop.objectives`` in its metadata has a list of names for each of them:
exercises, practice tasks, and predictions.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from course_utils import tasks
from course_utils.authoring import lesson_metadata
from course_utils.core.wording import pluralize

_INTRODUCTION = (
    "# Objectives\n\n"
    "What a learner can do after each lesson, and the exercises, practice tasks and predictions that require it. `make readme`\n"
    "writes this page from the lessons.\n\n"
)


def page(root: Path) -> str:
    """Return the objectives of the lessons in ``root/notebooks`` as a Markdown page, empty if there are none.

    Raises:
        LessonIncomplete: if a lesson's metadata does not have one list per objective.
    """
    rows = [row for lesson in lesson_metadata.lessons(root) for row in _rows(lesson)]
    head = ["| Lesson | You can then | Exercises | Practice | Predictions |", "|---|---|---|---|---|"]
    return _INTRODUCTION + "\n".join([*head, *rows]) + "\n" if rows else ""


def update(root: Path) -> list[Path]:
    """Write the page under ``root``, and return it if it changed."""
    path, text = root / "docs" / "objectives.md", page(root)
    if not text or (path.exists() and path.read_text(encoding="utf-8") == text):
        return []
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return [path]


def _rows(lesson: lesson_metadata.Lesson) -> Iterator[str]:
    if len(lesson.exercised_by) != len(lesson.objectives):
        raise lesson_metadata.LessonIncomplete(
            f"{lesson.path.name} has {pluralize(len(lesson.objectives), 'objective')}, and its metadata has "
            f"{pluralize(len(lesson.exercised_by), 'list')} under 'objectives'; write one list of names per objective."
        )
    exercises, practice = tasks.names(), tasks.names("practice")
    for objective, names in zip(lesson.objectives, lesson.exercised_by):
        kinds = (
            [name for name in names if name in exercises],
            [name for name in names if name in practice],
            [name for name in names if name not in exercises and name not in practice],
        )
        columns = (", ".join(f"`{name}`" for name in kind) for kind in kinds)
        text = " ".join(objective.split()).rstrip(";.").replace("|", r"\|")
        yield f"| [{lesson.number}](../notebooks/{lesson.path.name}) | {text} | {' | '.join(columns)} |"
