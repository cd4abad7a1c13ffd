"""``read_class``: what each student of a class handed in, one submission for each student and lesson."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from course_utils import tasks
from course_utils.core.wording import count_times
from course_utils.grading.notebook import ForeignNotebook, NotebookRefused, read_notebook
from course_utils.grading.read_class_files import ClassFile, ClassUnreadable, read_class_files
from course_utils.grading.student_from_path import Sender, normalize_name, read_sender
from course_utils.grading.submission import AnswerCell, Submission


@dataclass(frozen=True)
class SubmittedNotebook:
    """The notebook of a student that counts for a lesson.

    Attributes:
        sender: the student.
        path: the file's path in the class's folder or zip.
        lesson: the lesson's name; "" if neither the content nor the file's name shows it.
        cells: the code cells to run.
        problem: why it cannot be graded, as a sentence; "" if it can.
    """

    sender: Sender
    path: str
    lesson: str
    cells: tuple[AnswerCell, ...] = ()
    problem: str = ""

    @property
    def submission(self) -> Submission:
        """Return the student, the lesson and the cells."""
        return Submission(self.sender.student, self.lesson, self.cells)

    @property
    def digest(self) -> str:
        """Return a hash of the cells, so that marks of an earlier version are not reused."""
        return hashlib.sha256(repr((self.lesson, self.cells)).encode("utf-8", "backslashreplace")).hexdigest()[:16]

    @property
    def assignment(self) -> str:
        """Return the folder between the student and the notebook, which is nbgrader's assignment; "" if there is none."""
        parts = self.path.split("/")
        return parts[1] if len(parts) == 3 else ""


_Version = tuple[tuple[object, ...], SubmittedNotebook]
"""A key that sorts a notebook's versions by time, and one version."""


@dataclass(frozen=True)
class ClassWork:
    """A class's submissions, ordered by student and lesson, and sentences on what was left out."""

    notebooks: tuple[SubmittedNotebook, ...]
    notes: tuple[str, ...] = ()


def read_class(folder_or_zip: Path, one_student: str = "") -> ClassWork:
    """Return the submissions in a folder of students, nbgrader's folder ``submitted/``, or a zip of Canvas or Moodle.

    Args:
        folder_or_zip: the class.
        one_student: if given, all notebooks belong to this student.

    Raises:
        ClassUnreadable: there is no such folder or zip, it is damaged, or it holds no student's file.
    """
    versions: dict[tuple[str, str], list[_Version]] = defaultdict(list)
    others: dict[str, list[SubmittedNotebook]] = defaultdict(list)
    notes = []
    for file in read_class_files(folder_or_zip):
        sender = Sender(one_student) if one_student else read_sender(file.path)
        if sender is None:
            if file.is_notebook:
                notes.append(f"{normalize_name(file.path)} is in no student's folder, so it was left out.")
            continue
        work, is_ours = _read(sender, file)
        if is_ours:
            # A damaged file whose lesson is unknown never replaces another file.
            key = sender.student, work.lesson or f"?{work.path}"
            versions[key].append(((sender.attempt, file.modified, _numbers(file.path)), work))
        elif file.is_notebook or not others[sender.student]:
            others[sender.student].append(work)
    if not versions and not others:
        raise ClassUnreadable(
            f"{str(folder_or_zip)!r} holds no file of a student; give a folder with one folder per student, "
            "nbgrader's folder `submitted`, or the zip of Canvas or Moodle."
        )
    counted = []
    for (student, lesson), candidates in versions.items():
        *earlier, (_, last) = sorted(candidates, key=lambda candidate: candidate[0])
        counted.append(last)
        if earlier:
            notes.append(
                f"{student} handed in {lesson} {count_times(len(candidates))}: {last.path} counts, because it is the "
                f"last one; not {', '.join(work.path for _, work in earlier)}."
            )
        if last.sender.late:
            notes.append(f"{student} handed in {last.path} late.")
    for student, works in others.items():
        if student in {work.sender.student for work in counted}:
            notes += [f"{work.path} was left out: {work.problem}" for work in works if work.path.endswith(".ipynb")]
        else:
            counted += works
    counted.sort(key=lambda work: (work.sender.student.casefold(), work.sender.student, work.lesson, work.path))
    return ClassWork(tuple(counted), tuple(notes))


def _read(sender: Sender, file: ClassFile) -> tuple[SubmittedNotebook, bool]:
    """Return the file's content, and whether it is, or may be, a notebook of the course."""
    path = normalize_name(file.path)
    problem, is_ours = file.problem, file.is_notebook
    if not problem:
        try:
            lesson, cells = read_notebook(file.content)
            return SubmittedNotebook(sender, path, lesson, cells), True
        except NotebookRefused as refused:
            problem, is_ours = str(refused), not isinstance(refused, ForeignNotebook)
    return SubmittedNotebook(sender, path, _lesson_in_name(path) if is_ours else "", problem=problem), is_ours


def _lesson_in_name(path: str) -> str:
    """Return the lesson in a file's name, as in ``doejane_12_34_03_element_loops-1.ipynb``; "" if there is none."""
    name = path.rpartition("/")[2].lower()
    return max((lesson for lesson in tasks.lessons() if lesson in name), key=len, default="")


def _numbers(path: str) -> tuple[list[int], str]:
    """Return a key that sorts ``answers-2.ipynb`` after ``answers.ipynb`` and before ``answers-10.ipynb``."""
    stem = path.rpartition("/")[2].rpartition(".")[0]
    return [int(number) for number in re.findall(r"[-( ](\d{1,9})\)?$", stem)], path
