"""The README's parts that follow from elsewhere: the lesson table and the address to clone.

The table stands between two markers and comes from the lessons' own titles and metadata; the rest of the README is
written by hand and left alone.
"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat

from course_utils.authoring import badges
from course_utils.ground.errors import CourseError

_TABLE = re.compile(r"(?<=<!-- lessons -->\n).*?(?=<!-- end of lessons -->)", re.DOTALL)
_CLONE = re.compile(r"(?<=git clone )\S+")


class LessonIncomplete(CourseError):
    """A lesson's metadata lack what the README says about it."""


def table(root: Path, address: str) -> str:
    """The table of the lessons in ``root/notebooks``, one row a lesson.

    Raises:
        LessonIncomplete: when a lesson says no minutes, nothing slow or nothing fast.
    """
    rows = ["| | Lesson | Minutes | Slow | Fast | Open in |", "|---|---|---|---|---|---|"]
    rows += [_row(path, address) for path in sorted((root / "notebooks").glob("*.ipynb"))]
    return "\n".join(rows) + "\n"


def write(root: Path, address: str) -> bool:
    """Renew the table and the address in ``root/README.md``; True when that changed the file."""
    path = root / "README.md"
    before = path.read_text(encoding="utf-8")
    after = _TABLE.sub(lambda _: table(root, address), _CLONE.sub(address, before))
    path.write_text(after, encoding="utf-8")
    return after != before


def _row(path: Path, address: str) -> str:
    notebook = nbformat.read(path, as_version=4)
    about = notebook.metadata.get("unloop", {})
    for key in ("minutes", "slow", "fast"):
        if not about.get(key):
            raise LessonIncomplete(f"{path.name} lacks {key!r} in its metadata; put it under metadata.unloop.")
    number = path.stem.split("_")[0]
    title = notebook.cells[0].source.split("\n")[0].lstrip("# ").removeprefix(number).lstrip(" ·:.—")
    link = f"[{title}](notebooks/{path.name})"
    columns = (number, link, about["minutes"], about["slow"], about["fast"], badges.pictures(path, address))
    return f"| {' | '.join(map(str, columns))} |"
