"""Where the course is published: pyproject.toml says it, and ``write`` carries it to every file that repeats it.

Until there is a public home the owner is ``_owner_``, a name that nobody can have, so that no learner installs a
stranger's package. It publishes nothing.
"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat

from course_utils.authoring import badges, canonical, listing, readme, setup_cell
from course_utils.core.errors import CourseError

_LINE = re.compile(r'^Repository = "(?P<address>[^"]*)"$', re.MULTILINE)
_ADDRESS = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+")


class AddressUnclear(CourseError):
    """pyproject.toml names no repository that the badges and the set-up cell could point to."""


def read(root: Path) -> str:
    """The repository's address in ``root/pyproject.toml``, such as ``https://github.com/_owner_/unloop``.

    Raises:
        AddressUnclear: when there is no such line, or it does not name a repository on GitHub.
    """
    found = _LINE.search((root / "pyproject.toml").read_text(encoding="utf-8"))
    address = found["address"] if found else ""
    if not _ADDRESS.fullmatch(address):
        raise AddressUnclear(f"pyproject.toml names {address!r} as Repository; write https://github.com/OWNER/NAME.")
    return address


def write(root: Path) -> list[Path]:
    """Bring README.md and every notebook up to date with pyproject.toml, and return the files that changed."""
    address = read(root)
    changed = []
    for path in canonical.notebooks(root):
        before = path.read_text(encoding="utf-8")
        notebook = nbformat.reads(before, as_version=4)
        setup_cell.put(notebook, address)
        # A solution is the source of its exercise, word for word: its badges open the exercise.
        folder = "notebooks" if path.parent.name == "notebooks" else "exercises"
        badges.put(notebook, Path(folder) / path.name, address)
        badges.put_beside_links(notebook, address)
        listing.put(notebook, root)
        after = canonical.text(notebook)
        if after != before:
            path.write_text(after, encoding="utf-8")
            changed.append(path)
    if readme.write(root, address):
        changed.append(root / "README.md")
    return changed
