"""``examine_class``: reads the ``unloop doctor --json`` files of a class and shows which people can run the lessons."""

from __future__ import annotations

import codecs
import importlib.metadata
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from course_utils.core.errors import CourseError
from course_utils.core.plain_data import from_data
from course_utils.core.wording import format_bytes
from course_utils.doctor import Report
from course_utils.frameworks import NAMES, by_name

MOST_BYTES = 2**20
"""The most bytes of a report, which usually has a few kilobytes."""

AGAIN = "ask for the output of `unloop doctor --json` again"

# The byte order marks that PowerShell writes when its output goes to a file, and their encodings.
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16", codecs.BOM_UTF8: "utf-8-sig"}


class PreflightError(CourseError):
    """There are no reports to read."""


@dataclass(frozen=True)
class Person:
    """One person of the class.

    Attributes:
        name: the name of the person's file, without its suffix.
        frameworks: the frameworks that work, as titles; empty if no lesson runs.
        actions: what the person must do, a sentence each.
        unreadable: whether the file could not be read, so that nothing else is known.
    """

    name: str
    frameworks: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    unreadable: bool = False

    @property
    def can_work(self) -> str:
        """Return the answer in a word or two: "yes", "no", "torch only", or "?" if the file cannot be read."""
        if self.unreadable:
            return "?"
        if not self.frameworks:
            return "no"
        return "yes" if len(self.frameworks) == len(NAMES) else f"{self.frameworks[0]} only"


def examine_class(folder: Path) -> list[Person]:
    """Return everyone whose file is in ``folder``: first people who can't work, then people with something to do, each
    by name.

    Raises:
        PreflightError: if the folder does not exist or holds no file.
    """
    if not folder.is_dir():
        raise PreflightError(f"There is no folder {str(folder)!r}; name the one with the files of your class.")
    paths = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    if not paths:
        raise PreflightError(
            f"The folder {str(folder)!r} holds no files; ask everyone for the output of `unloop doctor --json`."
        )
    people = [_person(path) for path in paths]
    return sorted(people, key=lambda person: (bool(person.frameworks), not person.actions))


def _person(path: Path) -> Person:
    name = _printable(path.stem)
    try:
        report = _read(path)
    except ValueError as error:
        return Person(name, actions=(f"{_printable(path.name)} {_printable(str(error))}; {AGAIN}.",), unreadable=True)
    usable = {each.name for each in report.frameworks if each.version and not each.error}
    titles = tuple(by_name(each).title for each in NAMES if each in usable) if report.can_learn else ()
    return Person(name, titles, tuple(_actions(report)))


def _read(path: Path) -> Report:
    """Return the report in a file.

    Raises:
        ValueError: the file cannot be read; the message continues a sentence that begins with the file's name.
    """
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= MOST_BYTES else b""
    except OSError as error:
        raise ValueError(f"cannot be opened ({error.strerror})") from error
    if size > MOST_BYTES:
        raise ValueError(f"has {format_bytes(size)}, too much for a report")
    encoding = next((name for mark, name in _MARKS.items() if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding).strip()
    except UnicodeDecodeError:
        raise ValueError("is not text") from None
    if not text:
        raise ValueError("is empty")
    try:
        data = json.loads(text if text.startswith("[") else _without_terminal_lines(text))
    except (ValueError, RecursionError):
        start = text.split("\n")[0][:30]
        raise ValueError(f"is not JSON (it begins with {start!r})") from None
    if not isinstance(data, dict) or "can_learn" not in data:
        raise ValueError("is JSON, but no report of `unloop doctor`")
    try:
        return from_data(Report, {name: value for name, value in data.items() if name != "can_learn"})
    except ValueError:
        raise ValueError("was written by another version of the course") from None


def _without_terminal_lines(text: str) -> str:
    """Return the JSON object in a text that was copied from a terminal, with the command before it and a prompt after
    it.
    """
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text


def _actions(report: Report) -> Iterator[str]:
    """Yield what the owner of a report must do, the most urgent first."""
    own = importlib.metadata.version("unloop")
    if report.course != own:
        versions = f"The course is version {_printable(report.course)} and yours is {own}"
        yield f"{versions}; update it with `git pull`, then install it again."
    for problem in sorted(report.problems, key=lambda problem: not problem.blocks_learning):
        if not problem.is_note:
            yield _printable(problem.sentence)


def _printable(text: str) -> str:
    """Return the text without control characters, which could change the terminal."""
    return "".join(character for character in text if character.isprintable())
