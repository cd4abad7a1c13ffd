"""The generated parts of README.md: the lesson table between two markers, and the address after ``git clone``."""

from __future__ import annotations

import re
from pathlib import Path

from course_utils.authoring import badges, lesson_table

_TABLE = re.compile(r"(?<=<!-- lessons -->\n).*?(?=<!-- end of lessons -->)", re.DOTALL)
_CLONE_ADDRESS = re.compile(r"(?<=git clone --depth 1 )\S+")


def table(root: Path, address: str) -> str:
    """The lessons in ``root/notebooks`` as a Markdown table, one row per lesson.

    Raises:
        LessonIncomplete: if a lesson's metadata lacks ``minutes``, ``slow`` or ``fast``.
    """
    rows = ["| | Lesson | Minutes | Slow | Fast | Open in |", "|---|---|---|---|---|---|"]
    for lesson in lesson_table.lessons(root):
        rows.append(lesson.table_row(f"notebooks/{lesson.path.name}", badges.readme_badges(lesson.path, address)))
    return "\n".join(rows) + "\n"


def update(root: Path, address: str) -> bool:
    """Update the table and the address in ``root/README.md``, and return whether the file changed."""
    path = root / "README.md"
    before = path.read_text(encoding="utf-8")
    after = _TABLE.sub(lambda _: table(root, address), _CLONE_ADDRESS.sub(address, before))
    path.write_text(after, encoding="utf-8")
    return after != before
