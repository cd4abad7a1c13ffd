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
from course_utils.authoring import canonical, task_cells

ROOT = Path(__file__).resolve().parents[2]
LESSONS = ["00_start_here", "11_tensorflow_loops"]  # One per framework; nbgrader treats the others the same way.
ASSIGNMENT = "unloop"
SOLVED = "scale_by"  # the only answer that the solver hands in for the second lesson
GRADED = "03_element_loops"  # the lesson that the steps for instructors name

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
    """Return a course whose notebooks are released and graded, for two students: a solver and a forger."""
    course = tmp_path_factory.mktemp("course")
    source = course / "source" / ASSIGNMENT
    source.mkdir(parents=True)
    for lesson in LESSONS:
        (source / f"{lesson}.ipynb").write_bytes((ROOT / "solutions" / f"{lesson}.ipynb").read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)  # nbgrader starts commands by name
        patch.setenv("UNLOOP_HOME", str(course / "home"))
        nbgrader(course, "generate_assignment")
        submit(course, "solver", LESSONS[0], solutions(LESSONS[0]))
        _, _, _, answer, _ = task_cells.exercise_ids(SOLVED)
        submit(course, "solver", LESSONS[1], {answer: solutions(LESSONS[1])[answer]})
        submit(course, "forger", LESSONS[0], {"double-answer": "check = print\n\n\ndef double(x):\n    return x"})
        nbgrader(course, "autograde")
        yield course


def released(course, lesson):
    return nbformat.read(course / "release" / ASSIGNMENT / f"{lesson}.ipynb", as_version=4)


def solutions(lesson):
    """Return cell id → source of each answer."""
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


def gradebook(course):
    """Return nbgrader's gradebook, for a with statement."""
    from nbgrader.api import Gradebook  # Its import takes a second, and every test process collects this module.

    return Gradebook(f"sqlite:///{course / 'gradebook.db'}")


def points(course, student, lesson):
    """Return the points given and the points possible."""
    with gradebook(course) as book:
        graded = book.find_submission_notebook(lesson, ASSIGNMENT, student)
        return graded.score, graded.max_score


@pytest.mark.parametrize("lesson", LESSONS)
def test_release_equals_our_exercises(course, lesson):
    assert canonical.text(released(course, lesson)) == (ROOT / "exercises" / f"{lesson}.ipynb").read_text("utf-8")


def test_solutions_get_all_points(course):
    most = sum(map(tasks.points_of, tasks.ids(LESSONS[0])))
    assert points(course, "solver", LESSONS[0]) == (most, most)


def test_untouched_exercises_get_no_points(course):
    most = sum(map(tasks.points_of, tasks.ids(LESSONS[1])))
    assert points(course, "solver", LESSONS[1]) == (tasks.points_of(SOLVED), most)


def test_answer_that_replaces_the_check_gets_no_points(course):
    assert points(course, "forger", LESSONS[0])[0] == 0


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
    submission.write_bytes((ROOT / "solutions" / f"{LESSONS[0]}.ipynb").read_bytes())
    (block,) = shell_blocks("README.md", "For instructors")
    run_in_shell(block, clone)
    report = clone.parent / "report"
    assert [(row["student"], row["task"], row["verdict"]) for row in rows(report / "grades.csv")] == [
        ("Doe, Jane", task_id, "right") for task_id in tasks.ids(LESSONS[0])
    ]
    assert (report / "index.html").exists() and (report / "Doe, Jane.html").exists()


def test_the_steps_for_nbgrader_release_grade_and_export(clone):
    release, grade = shell_blocks("docs/instructors.md", "nbgrader")
    run_in_shell(release, clone)
    course = clone.parent / "course"
    released = nbformat.read(course / "release" / "week1" / f"{GRADED}.ipynb", as_version=4)
    assert canonical.text(released) == (ROOT / "exercises" / f"{GRADED}.ipynb").read_text("utf-8")
    for student, answers in {"sleeper": {}, "solver": solutions(GRADED)}.items():
        for cell in released.cells:
            cell.source = answers.get(cell.id, cell.source)
        folder = course / "submitted" / student / "week1"
        folder.mkdir(parents=True)
        nbformat.write(released, folder / f"{GRADED}.ipynb")
    run_in_shell(f'export PATH="{Path(sys.executable).parent}:$PATH"\n{grade}', course)
    most = sum(map(tasks.points_of, tasks.ids(GRADED)))
    totals = {row["student_id"]: (float(row["score"]), float(row["max_score"])) for row in rows(course / "grades.csv")}
    assert totals == {"solver": (most, most), "sleeper": (0, most)}
    with gradebook(course) as book:
        assert not book.find_submission("week1", "solver").needs_manual_grade
    assert not (clone.parent / "home" / "progress.json").exists()
