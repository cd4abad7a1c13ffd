"""What the lessons say about themselves, in the course's order: the README's table and the map in lesson 00 are made of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_utils.core.errors import CourseError

MAP = "map-lessons"
"""The id of the cell of lesson 00 that lists the lessons."""


class LessonIncomplete(CourseError):
    """A lesson's metadata lack what is said about it elsewhere."""


@dataclass(frozen=True)
class Lesson:
    """One lesson: ``number`` is ``"03"`` or ``"03b"``, ``slow`` and ``fast`` are what it starts from and comes to, in Markdown."""

    path: Path
    number: str
    title: str
    minutes: int
    slow: str
    fast: str

    def row(self, link: str, *more: str) -> str:
        """Its row in a table, with what leads to it and further columns."""
        columns = (self.number, f"[{self.title}]({link})", str(self.minutes), self.slow, self.fast, *more)
        return f"| {' | '.join(columns)} |"


def lessons(root: Path) -> Iterator[Lesson]:
    """The lessons in ``root/notebooks``, in order.

    Raises:
        LessonIncomplete: when a lesson says no minutes, nothing slow or nothing fast.
    """
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        about = notebook.metadata.get("unloop", {})
        for key in ("minutes", "slow", "fast"):
            if not about.get(key):
                raise LessonIncomplete(f"{path.name} lacks {key!r} in its metadata; put it under metadata.unloop.")
        number = path.stem.split("_")[0]
        title = notebook.cells[0].source.split("\n")[0].lstrip("# ").removeprefix(number).lstrip(" ·:.—")
        yield Lesson(path, number, title, about["minutes"], about["slow"], about["fast"])


def course_map(root: Path) -> str:
    """The lessons as a table for a lesson's cell; its links hold inside the folder of the lessons."""
    head = ["| | Lesson | Minutes | Slow | Fast |", "|---|---|---|---|---|"]
    return "\n".join([*head, *(lesson.row(lesson.path.name) for lesson in lessons(root))])


def put(notebook: NotebookNode, root: Path) -> None:
    """Give the notebook's map its text; a notebook without one stays as it is."""
    for cell in notebook.cells:
        if cell.get("id") == MAP:
            cell.source = course_map(root)
