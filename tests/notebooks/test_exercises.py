"""Exercises follow from solutions, and both follow from the tasks; nothing is written twice, nothing is given away."""

import ast
import shutil
from pathlib import Path

import nbformat
import pytest

from course_utils import tasks
from course_utils.authoring import generate_exercises, task_cells

ROOT = Path(__file__).resolve().parents[2]
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))
STUB = ["# YOUR CODE HERE", "raise NotImplementedError()"]
MARKERS = ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "BEGIN MARK SCHEME")


def cells(folder, name):
    return {cell.id: cell for cell in nbformat.read(ROOT / folder / name, as_version=4).cells}


def tasks_of(path):
    return tasks.ids(path.stem)


def each_notebook(test):
    return pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)(test)


def test_every_lesson_with_tasks_has_solutions_and_exercises():
    lessons = {f"{lesson}.ipynb" for lesson in tasks.lessons()}
    assert lessons == {path.name for path in SOLUTIONS}
    assert lessons == {path.name for path in (ROOT / "exercises").glob("*.ipynb")}


@pytest.mark.parametrize("task_id", tasks.names())
def test_a_task_says_all_that_a_learner_needs(task_id):
    task = tasks.load(task_id)
    assert f"`{task_id}(" in task.story
    assert task.rules.startswith("- ")
    assert len(task.hints) == 3
    assert task.slow.__doc__


def test_regenerating_changes_nothing(tmp_path):
    for folder in ("solutions", "exercises"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    changed = [path.relative_to(tmp_path).as_posix() for path in generate_exercises.generate(tmp_path)]
    assert not changed, f"run `make exercises`: it changes {', '.join(changed)}"


@each_notebook
def test_no_exercise_gives_its_solution_away(path):
    for cell in cells("exercises", path.name).values():
        assert not any(marker in cell.source for marker in MARKERS), cell.id
        assert not cell.get("outputs"), cell.id


@each_notebook
def test_a_reader_sees_story_loop_what_counts_place_and_check_and_nothing_else(path):
    wanted = [
        "title",
        "setup",
        "imports",
        *(cell for task_id in tasks_of(path) for cell in task_cells.exercise_ids(task_id)),
    ]
    assert list(cells("exercises", path.name)) == wanted


@each_notebook
def test_the_title_links_back_to_the_lesson(path):
    assert f"](../notebooks/{path.name})" in cells("exercises", path.name)["title"].source


@each_notebook
def test_lesson_and_exercises_tell_the_same_time(path):
    minutes = nbformat.read(path, as_version=4).metadata.unloop.minutes
    assert f"**Time needed:** {minutes} minutes" in cells("exercises", path.name)["title"].source
    assert f"and {minutes} for the exercise" in cells("notebooks", path.name)["title"].source


@each_notebook
def test_every_check_is_a_locked_grade_cell_worth_the_points_of_its_task(path):
    for task_id in tasks_of(path):
        cell = cells("exercises", path.name)[task_cells.exercise_ids(task_id)[-1]]
        assert cell.source.endswith(f"check({task_id})")
        about = cell.metadata["nbgrader"]
        assert about["grade"] and about["locked"] and not about["solution"]
        assert about["points"] == tasks.load(task_id).points > 0
        assert cell.metadata["editable"] is False and cell.metadata["deletable"] is False


@each_notebook
def test_every_stub_has_a_task_and_nothing_that_the_solution_lacks(path):
    solved = cells("solutions", path.name)
    stubs = {id: cell for id, cell in cells("exercises", path.name).items() if "NotImplementedError()" in cell.source}
    answers = {task_cells.exercise_ids(task_id)[3]: task_id for task_id in tasks_of(path)}
    assert stubs.keys() - {"title"} == answers.keys()
    for id, task_id in answers.items():
        assert f"def {task_id}(" in stubs[id].source
        assert set(map(str.strip, stubs[id].source.splitlines())) - set(STUB) <= set(
            map(str.strip, solved[id].source.splitlines())
        )


@each_notebook
def test_a_stub_takes_the_arguments_of_the_slow_loop(path):
    for task_id in tasks_of(path):
        stub = ast.parse(cells("exercises", path.name)[task_cells.exercise_ids(task_id)[3]].source).body[-1]
        slow = tasks.load(task_id).slow.__code__
        assert [each.arg for each in stub.args.args] == list(slow.co_varnames[: slow.co_argcount])
