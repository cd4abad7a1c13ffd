"""The repository's address: pyproject.toml holds it, and ``update_files`` writes it wherever the course repeats it.

Until the course has a public home, its owner is ``_owner_``. GitHub allows no such name, so no learner can install a
stranger's package by accident.
"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat

from course_utils.authoring import badges, canonical_form, claims, lesson_metadata, objectives_page, readme, setup_cell
from course_utils.core.errors import CourseError

_LINE = re.compile(r'^Repository = "(?P<address>[^"]*)"$', re.MULTILINE)
_ADDRESS = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+")


class InvalidAddress(CourseError):
    """pyproject.toml names no repository for the badges and the setup cell."""


def read_address(root: Path) -> str:
    """Return the repository's address in ``root/pyproject.toml``, such as ``https://github.com/_owner_/unloop``.

    Raises:
        InvalidAddress: if the line is missing or names no repository on GitHub.
    """
    line = _LINE.search((root / "pyproject.toml").read_text(encoding="utf-8"))
    address = line["address"] if line else ""
    if not _ADDRESS.fullmatch(address):
        raise InvalidAddress(f"pyproject.toml has Repository = {address!r}; write https://github.com/OWNER/NAME.")
    return address


def update_files(root: Path) -> list[Path]:
    """Write the address and the lesson tables into all files under ``root``, and return the files that changed."""
    address = read_address(root)
    changed = []
    for path in canonical_form.notebook_paths(root):
        before = path.read_text(encoding="utf-8")
        notebook = nbformat.reads(before, as_version=4)
        setup_cell.update(notebook, address)
        # A solution's title cell is copied into its exercise, so its badges open the exercise.
        folder = "notebooks" if path.parent.name == "notebooks" else "exercises"
        badges.update_badges(notebook, Path(folder) / path.name, address)
        badges.update_colab_links(notebook, address)
        lesson_metadata.update_minutes(notebook)
        lesson_metadata.update_map(notebook, root)
        after = canonical_form.text(notebook)
        if after != before:
            path.write_text(after, encoding="utf-8")
            changed.append(path)
    return changed + claims.update(root) + readme.update(root, address) + objectives_page.update(root)
