"""``read_class_files``: reads the files in a class's folder or zip, without writing a file or following a link.

Zips are read in memory, member by member and up to a size, so that a member's path leads nowhere and a zip bomb stays
small. A student may hand in a zip; one inside that zip is not opened.
"""

from __future__ import annotations

import io
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from course_utils.core.errors import CourseError
from course_utils.core.wording import MIB, format_bytes

NOTEBOOK_BYTES = 20 * MIB
ZIP_BYTES = 100 * MIB
"""The most bytes of a zip that a student handed in, packed and unpacked."""
ZIP_MEMBERS = 10_000

_DRIVE = re.compile("[A-Za-z]:")
_IGNORED_FOLDERS = {"__MACOSX", ".ipynb_checkpoints", ".git", "__pycache__"}
# What zipfile raises for members that are damaged, encrypted or compressed in a way that it does not know.
_UNREADABLE = (OSError, EOFError, RuntimeError, ValueError, zipfile.BadZipFile, zlib.error)


class ClassUnreadable(CourseError):
    """The class's folder or zip cannot be read."""


@dataclass(frozen=True)
class ClassFile:
    """A file as it was handed in; only notebooks are read.

    Attributes:
        path: its path in the class's folder or zip, with "/" between folders.
        content: its bytes; empty if there is a problem.
        problem: why the content was not read, as a sentence; "" if it was.
        is_notebook: whether the file's name is the name of a notebook, or of a zip that may contain one.
        modified: a number that grows with the time at which the file was changed.
    """

    path: str
    content: bytes = b""
    problem: str = ""
    modified: float = 0.0
    is_notebook: bool = True


def read_class_files(folder_or_zip: Path) -> Iterator[ClassFile]:
    """Yield each file of a class.

    Raises:
        ClassUnreadable: there is no such folder or zip, or the zip is damaged.
    """
    if folder_or_zip.is_dir():
        submitted = folder_or_zip / "submitted"
        yield from _in_folder(submitted if submitted.is_dir() else folder_or_zip)
    elif folder_or_zip.is_file():
        try:
            archive = zipfile.ZipFile(folder_or_zip)
        except (OSError, zipfile.BadZipFile) as error:
            raise ClassUnreadable(
                f"{str(folder_or_zip)!r} is not a readable zip ({error}); download it again."
            ) from None
        with archive:
            yield from _in_zip(archive, "", nested=False)
    else:
        raise ClassUnreadable(f"There is no folder or zip {str(folder_or_zip)!r}; give the path of the submissions.")


def _in_folder(root: Path) -> Iterator[ClassFile]:
    for folder, subfolders, names in os.walk(root):  # follows no link to a folder
        subfolders[:] = sorted(name for name in subfolders if name not in _IGNORED_FOLDERS)
        for name in [*subfolders, *sorted(names)]:
            file = Path(folder, name)
            path = file.relative_to(root).as_posix()
            if file.is_symlink():
                if _is_notebook(name) or file.is_dir():
                    yield ClassFile(path, problem="It is a symbolic link, which is not followed.")
            elif _is_notebook(name):
                yield _read_file(file, path)
            elif name.lower().endswith(".zip") and file.is_file():
                yield from _zip_file(file, path)
            elif name not in subfolders:
                yield _other_file(path)


def _other_file(path: str) -> ClassFile:
    return ClassFile(path, problem="It is not a notebook.", is_notebook=False)


def _read_file(file: Path, path: str) -> ClassFile:
    try:
        state = file.stat()
        if not stat.S_ISREG(state.st_mode):
            return ClassFile(path, problem="It is not a file.")
        if state.st_size > NOTEBOOK_BYTES:
            return ClassFile(path, problem=_too_large(state.st_size, NOTEBOOK_BYTES), modified=state.st_mtime)
        return ClassFile(path, file.read_bytes(), modified=state.st_mtime)
    except OSError as error:
        return ClassFile(path, problem=f"It cannot be read ({error.strerror}).")


def _zip_file(file: Path, path: str) -> Iterator[ClassFile]:
    """Yield the notebooks in a student's zip."""
    try:
        archive = zipfile.ZipFile(file)
    except (OSError, zipfile.BadZipFile):
        yield ClassFile(path, problem="It is not a readable zip.", modified=file.stat().st_mtime)
        return
    with archive:
        yield from _in_zip(archive, f"{path}/", nested=True)


def _in_zip(archive: zipfile.ZipFile, prefix: str, nested: bool) -> Iterator[ClassFile]:
    members = archive.infolist()
    if nested and (len(members) > ZIP_MEMBERS or sum(each.file_size for each in members) > ZIP_BYTES):
        yield ClassFile(prefix.rstrip("/"), problem="The zip unpacks to more files or bytes than a submission has.")
        return
    shared = _shared_folder(members)
    for member in sorted(members, key=lambda member: member.filename):
        name = _name(member)
        parts = name.split("/")
        if member.is_dir() or not _IGNORED_FOLDERS.isdisjoint(parts):
            continue
        is_zip = name.lower().endswith(".zip") and not nested
        modified = _seconds(member)
        path = prefix + name.removeprefix(shared)
        if not (_is_notebook(parts[-1]) or is_zip):
            yield _other_file(path)
            continue
        if name.startswith("/") or ".." in parts or _DRIVE.match(name):
            problem = "Its path in the zip leads out of the zip's folder."
        elif stat.S_ISLNK(member.external_attr >> 16):
            problem = "It is a symbolic link, which is not followed."
        elif is_zip:
            yield from _zip_in_zip(archive, member, path)
            continue
        else:
            yield _read_member(archive, member, path, NOTEBOOK_BYTES)
            continue
        safe = "/".join(part for part in parts if part not in ("", ".", ".."))
        yield ClassFile(prefix + safe, problem=problem, modified=modified)


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: str, most: int) -> ClassFile:
    modified = _seconds(member)
    if member.file_size > most:
        return ClassFile(path, problem=_too_large(member.file_size, most), modified=modified)
    try:
        with archive.open(member) as stream:
            content = stream.read(most + 1)  # the size in the zip's directory may be forged
    except NotImplementedError:
        return ClassFile(path, problem="The zip is compressed in a way that Python cannot read.", modified=modified)
    except _UNREADABLE as error:
        return ClassFile(path, problem=f"It cannot be read from the zip ({error}).", modified=modified)
    if len(content) > most:
        return ClassFile(path, problem=_too_large(len(content), most), modified=modified)
    return ClassFile(path, content, modified=modified)


def _zip_in_zip(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: str) -> Iterator[ClassFile]:
    outer = _read_member(archive, member, path, ZIP_BYTES)
    if outer.problem:
        yield outer
        return
    try:
        inner = zipfile.ZipFile(io.BytesIO(outer.content))
    except zipfile.BadZipFile:
        yield ClassFile(path, problem="It is not a readable zip.", modified=outer.modified)
        return
    with closing(inner):
        yield from _in_zip(inner, f"{path}/", nested=True)


def _name(member: zipfile.ZipInfo) -> str:
    """Return the member's path. Some programs write UTF-8 without the flag that says so, which Python reads as code
    page 437.
    """
    name = member.filename
    if not member.flag_bits & 0x800:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/")


def _shared_folder(members: list[zipfile.ZipInfo]) -> str:
    """Return the zip's only top-level folder if it is ``submitted/`` or has two subfolders or more; else ""."""
    parts = [_name(member).split("/") for member in members if not member.is_dir()]
    parts = [each for each in parts if _IGNORED_FOLDERS.isdisjoint(each)]
    shared = {each[0] for each in parts}
    inside = {each[1] for each in parts if len(each) > 2}
    return f"{shared.pop()}/" if len(shared) == 1 and (len(inside) > 1 or shared == {"submitted"}) else ""


def _is_notebook(name: str) -> bool:
    return name.lower().endswith(".ipynb") and not name.startswith("._")  # macOS stores icons in files called ._name


def _seconds(member: zipfile.ZipInfo) -> float:
    """Return a number that grows with the member's date; a zip stores no time zone."""
    years, months, days, hours, minutes, seconds = member.date_time
    return (((years * 12 + months) * 31 + days) * 24 + hours) * 3600.0 + minutes * 60 + seconds


def _too_large(size: int, most: int) -> str:
    return f"It has {format_bytes(size)}, and may have at most {format_bytes(most)}."
