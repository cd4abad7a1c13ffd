"""The lessons in order, with their titles and metadata: the source of the README's table, of lesson 00's map and of the
list of objectives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_utils.authoring import minutes
from course_utils.core.errors import CourseError

MAP_CELL = "map-lessons"
"""The id of the cell in lesson 00 that lists the lessons."""

_OBJECTIVES = re.compile(r"you can:\n\n(?P<list>(?:- .*\n?(?:  .*\n?)*)+)")
_TIME_NEEDED = re.compile(r"(?<=\*\*Time needed:\*\* )\d+")


class LessonIncomplete(CourseError):
    """A lesson's metadata lacks an entry that the table needs."""


@dataclass(frozen=True)
class Lesson:
    """One lesson.

    Attributes:
        number: ``"03"`` or ``"03b"``.
        slow: the slow code that the lesson starts from, in Markdown.
        fast: the fast code that it ends with, in Markdown.
        objectives: what a learner can do after it, in Markdown: the items of the list in the first cell.
        exercised_by: the names of the tasks and predictions that exercise each objective.
    """

    path: Path
    number: str
    title: str
    minutes: int
    slow: str
    fast: str
    objectives: tuple[str, ...]
    exercised_by: tuple[tuple[str, ...], ...]

    def table_row(self, link: str, *more_columns: str) -> str:
        """Return the lesson's row in a Markdown table; ``link`` is the title's target."""
        columns = (self.number, f"[{self.title}]({link})", str(self.minutes), self.slow, self.fast, *more_columns)
        return f"| {' | '.join(columns)} |"


def lessons(root: Path) -> Iterator[Lesson]:
    """Yield the lessons in ``root/notebooks``, in order.

    Raises:
        LessonIncomplete: if a lesson's metadata lacks ``minutes``, ``slow`` or ``fast``.
    """
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        metadata = notebook.metadata.get("unloop", {})
        for key in ("minutes", "slow", "fast"):
            if not metadata.get(key):
                about = f", about {minutes.estimate(notebook)}," if key == "minutes" else ""
                raise LessonIncomplete(
                    f"The metadata of {path.name} lacks {key!r}; add it{about} under metadata.unloop."
                )
        number = path.stem.split("_")[0]
        first = notebook.cells[0].source
        title = first.split("\n")[0].lstrip("# ").removeprefix(number).lstrip(" ·:.—")
        exercised_by = tuple(tuple(names) for names in metadata.get("objectives", ()))
        yield Lesson(
            path,
            number,
            title,
            metadata["minutes"],
            metadata["slow"],
            metadata["fast"],
            _objectives(first),
            exercised_by,
        )


def _objectives(first_cell: str) -> tuple[str, ...]:
    """Return the items of the list that follows "you can:"."""
    match = _OBJECTIVES.search(first_cell)
    items = re.split(r"^- ", match["list"], flags=re.MULTILINE)[1:] if match else []
    return tuple(item.rstrip() for item in items)


def course_map(root: Path) -> str:
    """Return the lessons as a Markdown table for lesson 00; its links are relative to the folder ``notebooks``."""
    head = ["| | Lesson | Minutes | Slow | Fast |", "|---|---|---|---|---|"]
    return "\n".join([*head, *(lesson.table_row(lesson.path.name) for lesson in lessons(root))])


def update_map(notebook: NotebookNode, root: Path) -> None:
    """Write the table into the notebook's map cell; a notebook without one stays as it is."""
    for cell in notebook.cells:
        if cell.get("id") == MAP_CELL:
            cell.source = course_map(root)


def update_minutes(notebook: NotebookNode) -> None:
    """Write the minutes of the notebook's metadata into its first cell; a notebook without them stays as it is."""
    stated = notebook.metadata.get("unloop", {}).get("minutes")
    if stated:
        notebook.cells[0].source = _TIME_NEEDED.sub(str(stated), notebook.cells[0].source, count=1)
