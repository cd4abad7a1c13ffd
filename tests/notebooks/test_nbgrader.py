"""nbgrader releases the solutions as our exercises, and gives each submission the points that it earns.

The steps for instructors in the README and in docs/instructors.md are run as they are written.
"""

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from course_utils import tasks
from course_utils.authoring import canonical_form, task_cell_ids

ROOT = Path(__file__).resolve().parents[2]
LESSON = "11_tensorflow_loops"  # TensorFlow writes to stderr, for which nbgrader would take all points.
ASSIGNMENT = "unloop"
SOLVED = "scale_by"  # the only answer that is handed in for this lesson
GRADED = "03_element_loops"  # the lesson that the steps for instructors name, in PyTorch
CLASS_LESSON = "00_start_here"  # the lesson that the steps of the README grade

pytestmark = pytest.mark.timeout(600)


def nbgrader(course, command, *options):
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", command, ASSIGNMENT, f"--course-dir={course}", *options],
        cwd=course,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Return a course whose notebook is released, and graded for a student who solved one exercise."""
    course = tmp_path_factory.mktemp("course")
    source = course / "source" / ASSIGNMENT
    source.mkdir(parents=True)
    (source / f"{LESSON}.ipynb").write_bytes((ROOT / "solutions" / f"{LESSON}.ipynb").read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)  # nbgrader starts commands by name
        patch.setenv("UNLOOP_HOME", str(course / "home"))
        nbgrader(course, "generate_assignment")
        _, _, _, answer, _ = task_cell_ids.exercise_ids(SOLVED)
        file = course / "submitted" / "solver" / ASSIGNMENT / f"{LESSON}.ipynb"
        submit(released(course), file, {answer: solutions(LESSON)[answer]})
        nbgrader(course, "autograde", "--ExecutePreprocessor.timeout=300")  # as docs/instructors.md says
        yield course


def released(course):
    return nbformat.read(course / "release" / ASSIGNMENT / f"{LESSON}.ipynb", as_version=4)


def solutions(lesson):
    """Return cell id → source of each answer."""
    cells = nbformat.read(ROOT / "solutions" / f"{lesson}.ipynb", as_version=4).cells
    return {cell.id: cell.source for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")}


def submit(notebook, file, answers):
    """Write a released notebook to a student's file, with the answers, which replace cells by their ids."""
    for cell in notebook.cells:
        cell.source = answers.get(cell.id, cell.source)
    file.parent.mkdir(parents=True)
    nbformat.write(notebook, file)


def gradebook(course):
    """Return nbgrader's gradebook, for a with statement."""
    from nbgrader.api import Gradebook  # Its import takes a second, and every test process collects this module.

    return Gradebook(f"sqlite:///{course / 'gradebook.db'}")


def test_release_equals_our_exercises(course):
    assert canonical_form.text(released(course)) == (ROOT / "exercises" / f"{LESSON}.ipynb").read_text("utf-8")


def test_only_solved_exercises_get_points(course):
    with gradebook(course) as book:
        graded = book.find_submission_notebook(LESSON, ASSIGNMENT, "solver")
        most = sum(map(tasks.points_of, tasks.ids(LESSON)))
        assert (graded.score, graded.max_score) == (tasks.points_of(SOLVED), most)


def test_autograde_writes_no_progress(course):
    assert not (course / "home" / "progress.json").exists()


def shell_blocks(file, heading):
    """Return the commands below a heading, one string per block."""
    section = re.search(rf"^## {heading}$(.*?)(^## |\Z)", (ROOT / file).read_text("utf-8"), re.DOTALL | re.MULTILINE)[1]
    return re.findall(r"^```\n(.*?)^```", section, re.DOTALL | re.MULTILINE)


def run_in_shell(commands, folder):
    done = subprocess.run(["bash", "-euc", commands], cwd=folder, check=False, capture_output=True, text=True)
    if "This machine offers no cage" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stdout + done.stderr


def rows(file):
    with open(file, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """Return a folder like a clone of the course after `make lab`, next to the instructor's other folders."""
    monkeypatch.setenv("PIP_DISABLE_PIP_VERSION_CHECK", "1")
    monkeypatch.setenv("PIP_NO_DEPS", "1")  # Everything is installed; pip needs seconds to compare all versions.
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path / "home"))
    clone = tmp_path / "unloop"
    clone.mkdir()
    for name, target in {
        ".venv": sys.prefix,
        "solutions": ROOT / "solutions",
        "constraints.txt": ROOT / "constraints.txt",
    }.items():
        (clone / name).symlink_to(target)
    return clone


def test_readme_grades_a_class(clone):
    submission = clone.parent / "class" / "Doe, Jane" / "mine.ipynb"
    submission.parent.mkdir(parents=True)
    submission.write_bytes((ROOT / "solutions" / f"{CLASS_LESSON}.ipynb").read_bytes())
    (block,) = shell_blocks("README.md", "For instructors")
    run_in_shell(block, clone)
    report = clone.parent / "report"
    assert [(row["student"], row["task"], row["verdict"]) for row in rows(report / "grades.csv")] == [
        ("Doe, Jane", task_id, "right") for task_id in tasks.ids(CLASS_LESSON)
    ]
    assert (report / "index.html").exists() and (report / "Doe, Jane.html").exists()


def test_the_steps_for_nbgrader_release_grade_and_export(clone):
    release, grade = shell_blocks("docs/instructors.md", "nbgrader")
    run_in_shell(release, clone)
    course = clone.parent / "course"
    released = nbformat.read(course / "release" / "week1" / f"{GRADED}.ipynb", as_version=4)
    assert canonical_form.text(released) == (ROOT / "exercises" / f"{GRADED}.ipynb").read_text("utf-8")
    forgery = {"tiled-add-answer": "check = print\n\n\ndef tiled_add(a, b):\n    return a"}
    for student, answers in {"forger": forgery, "solver": solutions(GRADED)}.items():
        submit(released, course / "submitted" / student / "week1" / f"{GRADED}.ipynb", answers)
    run_in_shell(f'export PATH="{Path(sys.executable).parent}:$PATH"\n{grade}', course)
    most = sum(map(tasks.points_of, tasks.ids(GRADED)))
    totals = {row["student_id"]: (float(row["score"]), float(row["max_score"])) for row in rows(course / "grades.csv")}
    assert totals == {"solver": (most, most), "forger": (0, most)}
    with gradebook(course) as book:
        assert not book.find_submission("week1", "solver").needs_manual_grade
    assert not (clone.parent / "home" / "progress.json").exists()
