"""The generated parts of the README: the lesson table, the address after ``git clone``, and the picture.

The site's first page repeats the address.
"""

from __future__ import annotations

import base64
import re
from pathlib import Path

import nbformat

from course_utils.authoring import badges, lesson_metadata

_TABLE = re.compile(r"(?<=<!-- lessons -->\n).*?(?=<!-- end of lessons -->)", re.DOTALL)
_CLONE_ADDRESS = re.compile(r"(?<=git clone --depth 1 )\S+")
_PICTURE_NOTEBOOK, _PICTURE_CELL = "03_element_loops.ipynb", "race-broadcast"


def table(root: Path, address: str) -> str:
    """Return the lessons in ``root/notebooks`` as a Markdown table, one row per lesson.

    Raises:
        LessonIncomplete: if a lesson's metadata lacks ``minutes``, ``slow`` or ``fast``.
    """
    rows = ["| | Lesson | Minutes | Slow | Fast | Open in |", "|---|---|---|---|---|---|"]
    for lesson in lesson_metadata.lessons(root):
        rows.append(lesson.table_row(f"notebooks/{lesson.path.name}", badges.readme_badges(lesson.path, address)))
    return "\n".join(rows) + "\n"


def picture(root: Path) -> bytes:
    """Return the stored chart of a race, as PNG; empty if ``root/notebooks`` has no such cell with a chart."""
    for path in (root / "notebooks").glob(_PICTURE_NOTEBOOK):
        cells = {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}
        for output in cells[_PICTURE_CELL].outputs if _PICTURE_CELL in cells else ():
            if "image/png" in output.get("data", {}):
                return base64.b64decode(output.data["image/png"])
    return b""


def update(root: Path, address: str) -> list[Path]:
    """Update README.md, its picture and the site's first page under ``root``, and return the files that changed."""
    readme, chart = root / "README.md", root / "docs" / "race.png"
    pages = [readme, *(root / "site").glob("index.md")]
    texts = {page: _CLONE_ADDRESS.sub(address, page.read_text(encoding="utf-8")) for page in pages}
    texts[readme] = _TABLE.sub(lambda _: table(root, address), texts[readme])
    new = {page: text.encode() for page, text in texts.items()}
    if chart_bytes := picture(root):
        new[chart] = chart_bytes
    changed = [path for path, content in new.items() if not path.exists() or path.read_bytes() != content]
    for path in changed:
        path.write_bytes(new[path])
    return changed
