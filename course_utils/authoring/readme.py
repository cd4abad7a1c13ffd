"""The README's parts that follow from elsewhere: the lesson table and the address to clone.

The table stands between two markers and comes from the lessons' own titles and metadata; the rest of the README is
written by hand and left alone.
"""

from __future__ import annotations

import re
from pathlib import Path

from course_utils.authoring import badges, listing

_TABLE = re.compile(r"(?<=<!-- lessons -->\n).*?(?=<!-- end of lessons -->)", re.DOTALL)
_CLONE = re.compile(r"(?<=git clone )\S+")


def table(root: Path, address: str) -> str:
    """The table of the lessons in ``root/notebooks``, one row a lesson.

    Raises:
        LessonIncomplete: when a lesson says no minutes, nothing slow or nothing fast.
    """
    rows = ["| | Lesson | Minutes | Slow | Fast | Open in |", "|---|---|---|---|---|---|"]
    for lesson in listing.lessons(root):
        rows.append(lesson.row(f"notebooks/{lesson.path.name}", badges.pictures(lesson.path, address)))
    return "\n".join(rows) + "\n"


def write(root: Path, address: str) -> bool:
    """Renew the table and the address in ``root/README.md``; True when that changed the file."""
    path = root / "README.md"
    before = path.read_text(encoding="utf-8")
    after = _TABLE.sub(lambda _: table(root, address), _CLONE.sub(address, before))
    path.write_text(after, encoding="utf-8")
    return after != before
