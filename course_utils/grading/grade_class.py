"""``grade_class``: grades a class into a report, and continues a run that was interrupted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from course_utils import tasks
from course_utils.core.errors import CourseError
from course_utils.core.files import write_atomically
from course_utils.grading.grades_csv import grades_csv
from course_utils.grading.gradescope import gradescope_results
from course_utils.grading.intake import SubmittedNotebook, read_class
from course_utils.grading.journal import Journal
from course_utils.grading.mark import TaskMark
from course_utils.grading.moodle import fill_in, read_worksheet
from course_utils.grading.nbgrader_gradebook import check_gradebook, fill_gradebook
from course_utils.grading.notebook_marks import GradedNotebook, by_student
from course_utils.grading.page_parts import file_names
from course_utils.grading.report_pages import index_page, student_page
from course_utils.grading.workers import GRADER, Job, grade_here, refused_mark


class ReportRefused(CourseError):
    """The report's folder cannot be written, or the options contradict each other."""


@dataclass(frozen=True)
class Options:
    """How a class is graded.

    Attributes:
        workers: the number of processes that grade on this machine.
        scheduler: the address of a Dask scheduler whose workers grade instead; "" for none.
        gradescope: whether the class is one student, and ``results.json`` is written after each task.
        moodle: a grading worksheet of Moodle; the report gets a filled-in copy, ``moodle.csv``.
        gradebook: nbgrader's ``gradebook.db``, which gets the marks.
        caged: whether learners' code is caged.
        grader: the name of the module that grades.
    """

    workers: int = 1
    scheduler: str = ""
    gradescope: bool = False
    moodle: Path | None = None
    gradebook: Path | None = None
    caged: bool = True
    grader: str = GRADER


Progress = Callable[[int, int, str], None]
"""Gets the number of tasks with a mark, the number of all tasks, and the student who was graded last."""


def grade_class(folder_or_zip: Path, out: Path, options: Options, on_progress: Progress) -> list[GradedNotebook]:
    """Grade a class, write the report into ``out``, and return the marks, ordered by student, lesson and task.

    Raises:
        CourseError: the class, the folder, the worksheet, the gradebook or the scheduler cannot be used, or this machine
            offers no cage; nothing that is graded is lost.
    """
    if options.gradescope and options.moodle:
        raise ReportRefused("Gradescope and Moodle need different reports; choose --gradescope or --moodle.")
    worksheet = read_worksheet(options.moodle) if options.moodle else None
    if options.gradebook:
        check_gradebook(options.gradebook)
    work = read_class(folder_or_zip, one_student="submission" if options.gradescope else "")
    try:
        out.mkdir(parents=True, exist_ok=True)
        with Journal(out) as journal:
            for left in _grade(work.notebooks, journal, options, on_progress):
                if options.gradescope:
                    results = gradescope_results(_all_marks(work.notebooks, journal), work.notes, left)
                    write_atomically(out / "results.json", results)
            graded = _all_marks(work.notebooks, journal)
        notes = list(work.notes)
        if worksheet:
            text, further = fill_in(worksheet, graded)
            write_atomically(out / "moodle.csv", text)
            notes += further
        if options.gradebook:
            notes += fill_gradebook(options.gradebook, graded)
        _write_pages(out, graded, notes)
    except OSError as error:
        raise ReportRefused(f"The report cannot be written to {str(out)!r} ({error.strerror or error}).") from None
    return graded


def _grade(
    notebooks: Sequence[SubmittedNotebook], journal: Journal, options: Options, on_progress: Progress
) -> Iterator[int]:
    """Grade what has no mark yet; yield the number of tasks that are left, before the first task and after each one."""
    jobs: list[Job] = []
    most = 0
    for notebook in notebooks:
        if not notebook.problem:
            ids = tasks.ids(notebook.lesson)
            most += len(ids)
            if missing := tuple(task_id for task_id in ids if _must_grade(journal.mark(notebook, task_id))):
                jobs.append((notebook, missing))
    left = sum(len(missing) for _, missing in jobs)
    on_progress(most - left, most, "")
    yield left
    for notebook, mark in _marks(jobs, options):
        journal.add(notebook, mark)
        left -= 1
        on_progress(most - left, most, notebook.sender.student)
        yield left


def _marks(jobs: Sequence[Job], options: Options) -> Iterator[tuple[SubmittedNotebook, TaskMark]]:
    if not jobs:
        return iter(())
    if options.scheduler:
        from course_utils.grading.dask_cluster import grade_on_cluster

        return grade_on_cluster(jobs, options.scheduler, options.caged, options.grader)
    return grade_here(jobs, options.workers, options.caged, options.grader)


def _must_grade(mark: TaskMark | None) -> bool:
    """Return whether a task has no mark, or could not be judged before."""
    return mark is None or mark.verdict == "refused"


def _all_marks(notebooks: Sequence[SubmittedNotebook], journal: Journal) -> list[GradedNotebook]:
    """Return all known marks; a notebook that cannot be graded has a mark for each task of its lesson."""
    graded = []
    for notebook in notebooks:
        ids = tasks.ids(notebook.lesson) if notebook.lesson else ("",)
        if notebook.problem:
            marks = tuple(
                refused_mark(notebook.lesson, task_id, f"{notebook.path}: {notebook.problem}") for task_id in ids
            )
        else:
            marks = tuple(mark for task_id in ids if (mark := journal.mark(notebook, task_id)) is not None)
        graded.append(GradedNotebook(notebook, marks))
    return graded


def _write_pages(out: Path, graded: Sequence[GradedNotebook], notes: Sequence[str]) -> None:
    students = by_student(graded)
    names = file_names(students)
    write_atomically(out / "grades.csv", grades_csv(graded))
    write_atomically(out / "index.html", index_page(graded, notes, names))
    for student, works in students.items():
        write_atomically(out / names[student], student_page(student, works))
