"""nbgrader releases the solutions as our exercises, and gives each submission the points that it earns."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from course_utils import tasks
from course_utils.authoring import canonical

ROOT = Path(__file__).resolve().parents[2]
LESSONS = ["00_start_here", "11_tensorflow_loops"]  # One per framework; nbgrader treats the others the same way.
ASSIGNMENT = "unloop"

pytestmark = pytest.mark.timeout(600)


def nbgrader(course, command):
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", command, ASSIGNMENT, f"--course-dir={course}"],
        cwd=course,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course whose notebooks are released and graded, for three students: a solver, a sleeper and a forger."""
    course = tmp_path_factory.mktemp("course")
    source = course / "source" / ASSIGNMENT
    source.mkdir(parents=True)
    for lesson in LESSONS:
        (source / f"{lesson}.ipynb").write_bytes((ROOT / "solutions" / f"{lesson}.ipynb").read_bytes())
    with pytest.MonkeyPatch.context() as patch:  # nbgrader starts other commands by name.
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
        nbgrader(course, "generate_assignment")
        for lesson in LESSONS:
            submit(course, "solver", lesson, solutions(lesson))
        submit(course, "sleeper", LESSONS[0], {})
        submit(course, "forger", LESSONS[0], {"double-answer": "check = print\n\n\ndef double(x):\n    return x"})
        nbgrader(course, "autograde")
        yield course


def released(course, lesson):
    return nbformat.read(course / "release" / ASSIGNMENT / f"{lesson}.ipynb", as_version=4)


def solutions(lesson):
    """Cell id → source of each answer."""
    cells = nbformat.read(ROOT / "solutions" / f"{lesson}.ipynb", as_version=4).cells
    return {cell.id: cell.source for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")}


def submit(course, student, lesson, answers):
    """Submit the released notebook with the answers, which replace cells by their ids."""
    notebook = released(course, lesson)
    for cell in notebook.cells:
        cell.source = answers.get(cell.id, cell.source)
    folder = course / "submitted" / student / ASSIGNMENT
    folder.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, folder / f"{lesson}.ipynb")


def points(course, student, lesson):
    """The points given and the points possible, from nbgrader's gradebook."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        graded = book.find_submission_notebook(lesson, ASSIGNMENT, student)
        return graded.score, graded.max_score


@pytest.mark.parametrize("lesson", LESSONS)
def test_release_equals_our_exercises(course, lesson):
    assert canonical.text(released(course, lesson)) == (ROOT / "exercises" / f"{lesson}.ipynb").read_text("utf-8")


@pytest.mark.parametrize("lesson", LESSONS)
def test_solutions_get_all_points(course, lesson):
    most = sum(tasks.load(task_id).points for task_id in tasks.ids(lesson))
    assert points(course, "solver", lesson) == (most, most)


def test_untouched_exercise_gets_no_points(course):
    score, most = points(course, "sleeper", LESSONS[0])
    assert score == 0 < most


def test_answer_that_replaces_the_check_gets_no_points(course):
    assert points(course, "forger", LESSONS[0])[0] == 0
