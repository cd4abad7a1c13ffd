"""The lessons in order, with their titles and metadata: the source of the README's table and of lesson 00's map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_utils.core.errors import CourseError

MAP_CELL = "map-lessons"
"""The id of the cell in lesson 00 that lists the lessons."""


class LessonIncomplete(CourseError):
    """A lesson's metadata lacks an entry that the table needs."""


@dataclass(frozen=True)
class Lesson:
    """One lesson.

    Attributes:
        number: ``"03"`` or ``"03b"``.
        slow: the slow code that the lesson starts from, in Markdown.
        fast: the fast code that it ends with, in Markdown.
    """

    path: Path
    number: str
    title: str
    minutes: int
    slow: str
    fast: str

    def table_row(self, link: str, *more_columns: str) -> str:
        """The lesson's row in a Markdown table; ``link`` is the title's target."""
        columns = (self.number, f"[{self.title}]({link})", str(self.minutes), self.slow, self.fast, *more_columns)
        return f"| {' | '.join(columns)} |"


def lessons(root: Path) -> Iterator[Lesson]:
    """The lessons in ``root/notebooks``, in order.

    Raises:
        LessonIncomplete: if a lesson's metadata lacks ``minutes``, ``slow`` or ``fast``.
    """
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        metadata = notebook.metadata.get("unloop", {})
        for key in ("minutes", "slow", "fast"):
            if not metadata.get(key):
                raise LessonIncomplete(f"The metadata of {path.name} lacks {key!r}; add it under metadata.unloop.")
        number = path.stem.split("_")[0]
        title = notebook.cells[0].source.split("\n")[0].lstrip("# ").removeprefix(number).lstrip(" ·:.—")
        yield Lesson(path, number, title, metadata["minutes"], metadata["slow"], metadata["fast"])


def course_map(root: Path) -> str:
    """The lessons as a Markdown table for lesson 00; its links are relative to the folder ``notebooks``."""
    head = ["| | Lesson | Minutes | Slow | Fast |", "|---|---|---|---|---|"]
    return "\n".join([*head, *(lesson.table_row(lesson.path.name) for lesson in lessons(root))])


def update_map(notebook: NotebookNode, root: Path) -> None:
    """Write the table into the notebook's map cell; a notebook without one stays as it is."""
    for cell in notebook.cells:
        if cell.get("id") == MAP_CELL:
            cell.source = course_map(root)
