"""nbgrader's gradebook: the marks replace those of ``nbgrader autograde``, so that its feedback and export show them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from course_utils.core.errors import CourseError
from course_utils.grading.notebook_marks import GradedNotebook


class GradebookRefused(CourseError):
    """nbgrader's gradebook cannot take the marks."""


def check_gradebook(path: Path) -> None:
    """Check that ``path`` is a gradebook and nbgrader is installed.

    Raises:
        GradebookRefused: it is not.
    """
    if not path.is_file():
        raise GradebookRefused(
            f"There is no gradebook {str(path)!r}; `nbgrader generate_assignment` creates it in the course's folder."
        )
    closing(_open(path)).__exit__(None, None, None)


def fill_gradebook(path: Path, graded: Sequence[GradedNotebook]) -> list[str]:
    """Write the marks into the gradebook, and return sentences on marks that the gradebook has no cell for.

    A task that could not be judged waits for a grade by hand.

    Raises:
        GradebookRefused: the file is not a gradebook.
    """
    from nbgrader.api import MissingEntry

    notes = []
    with closing(_open(path)) as book:
        for each in graded:
            work, assignment = each.notebook, each.notebook.assignment
            try:
                notebook = book.find_notebook(work.lesson, assignment)
            except MissingEntry:
                notes.append(
                    f"The gradebook has no notebook {work.lesson!r} in an assignment {assignment!r}: {work.path}."
                )
                continue
            points = {cell.name: cell for cell in notebook.grade_cells}
            book.update_or_create_student(work.sender.student)
            with book.db.no_autoflush:  # SQLAlchemy would warn of incomplete objects
                book.update_or_create_submission(assignment, work.sender.student)
            for mark in each.marks:
                name = f"{mark.task_id.replace('_', '-')}-check"
                if name not in points:
                    notes.append(
                        f"The gradebook has no cell {name!r} in {work.lesson!r}; release the assignment again."
                    )
                    continue
                grade: Any = book.find_grade(name, work.lesson, assignment, work.sender.student)
                judged = mark.verdict != "refused"
                grade.auto_score = mark.points if judged else None
                grade.needs_manual_grade = not judged
            book.db.commit()
    return notes


def _open(path: Path) -> Any:
    try:
        from nbgrader.api import Gradebook
    except ModuleNotFoundError:
        raise GradebookRefused(
            "The option --gradebook needs nbgrader, which is not installed; `pip install nbgrader` installs it."
        ) from None
    try:
        return Gradebook(f"sqlite:///{path}")
    except Exception as error:  # noqa: BLE001 - SQLAlchemy's errors
        raise GradebookRefused(f"{str(path)!r} is not a gradebook of nbgrader ({type(error).__name__}).") from None
