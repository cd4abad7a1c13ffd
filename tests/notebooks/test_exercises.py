"""Exercises are generated from solutions, and both from the tasks; no exercise holds its solution."""

import ast
import builtins
import shutil
import symtable
from functools import cache
from pathlib import Path

import nbformat
import pytest

from course_utils import tasks
from course_utils.authoring import generate_exercises, task_cell_ids

ROOT = Path(__file__).resolve().parents[2]
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))
STUB = ["# YOUR CODE HERE", "raise NotImplementedError()"]
MARKERS = ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "BEGIN MARK SCHEME")


@cache
def cells(folder, name):
    return {cell.id: cell for cell in nbformat.read(ROOT / folder / name, as_version=4).cells}


def tasks_of(path):
    return tasks.ids(path.stem)


def global_names(table):
    """Return the names that the code of a symbol table and of all tables inside takes from its module."""
    inside = [name for child in table.get_children() for name in global_names(child)]
    return {*inside, *(symbol.get_name() for symbol in table.get_symbols() if symbol.is_global())}


def each_notebook(test):
    return pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)(test)


def test_lessons_with_tasks_have_solutions_and_exercises():
    lessons = {f"{lesson}.ipynb" for lesson in tasks.lessons()}
    assert lessons == {path.name for path in SOLUTIONS}
    assert lessons == {path.name for path in (ROOT / "exercises").glob("*.ipynb")}


@pytest.mark.parametrize("task_id", tasks.names())
def test_task_has_story_rules_hints_and_docstring(task_id):
    task = tasks.load(task_id)
    assert f"`{task_id}(" in task.story
    assert task.rules.startswith("- ")
    assert len(task.hints) == 3
    assert task.slow.__doc__


def test_exercises_are_up_to_date(tmp_path):
    for folder in ("solutions", "exercises"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    changed = [path.relative_to(tmp_path).as_posix() for path in generate_exercises.generate(tmp_path)]
    assert not changed, f"run `make exercises`: it changes {', '.join(changed)}"


@each_notebook
def test_exercise_holds_no_solution(path):
    for cell in cells("exercises", path.name).values():
        assert not any(marker in cell.source for marker in MARKERS), cell.id
        assert not cell.get("outputs"), cell.id


@each_notebook
def test_each_task_has_its_five_cells(path):
    wanted = [
        "title",
        "setup",
        "imports",
        *(cell for task_id in tasks_of(path) for cell in task_cell_ids.exercise_ids(task_id)),
    ]
    assert list(cells("exercises", path.name)) == wanted


@each_notebook
def test_title_links_to_the_lesson(path):
    assert f"](../notebooks/{path.name})" in cells("exercises", path.name)["title"].source


@each_notebook
def test_lesson_and_exercises_show_the_same_minutes(path):
    minutes = nbformat.read(path, as_version=4).metadata.unloop.minutes
    assert f"**Time needed:** {minutes} minutes" in cells("exercises", path.name)["title"].source
    assert f"and {minutes} for the exercise" in cells("notebooks", path.name)["title"].source


@each_notebook
def test_check_cells_are_locked_and_carry_the_points(path):
    for task_id in tasks_of(path):
        cell = cells("exercises", path.name)[task_cell_ids.exercise_ids(task_id)[-1]]
        assert cell.source.endswith(f"check({task_id})")
        metadata = cell.metadata["nbgrader"]
        assert metadata["grade"] and metadata["locked"] and not metadata["solution"]
        assert metadata["points"] == tasks.load(task_id).points > 0
        assert cell.metadata["editable"] is False and cell.metadata["deletable"] is False


@each_notebook
def test_stubs_are_the_solutions_without_their_code(path):
    solved = cells("solutions", path.name)
    stubs = {id: cell for id, cell in cells("exercises", path.name).items() if "NotImplementedError()" in cell.source}
    answers = {task_cell_ids.exercise_ids(task_id)[3]: task_id for task_id in tasks_of(path)}
    assert stubs.keys() - {"title"} == answers.keys()
    for id, task_id in answers.items():
        assert f"def {task_id}(" in stubs[id].source
        assert set(map(str.strip, stubs[id].source.splitlines())) - set(STUB) <= set(
            map(str.strip, solved[id].source.splitlines())
        )


@each_notebook
def test_stub_has_the_parameters_of_the_slow_loop(path):
    for task_id in tasks_of(path):
        stub = ast.parse(cells("exercises", path.name)[task_cell_ids.exercise_ids(task_id)[3]].source).body[-1]
        slow = tasks.load(task_id).slow.__code__
        assert [each.arg for each in stub.args.args] == list(slow.co_varnames[: slow.co_argcount])


@each_notebook
def test_sheet_defines_every_name_that_its_slow_loops_use(path):
    sheet = cells("exercises", path.name)
    slow_loops = [sheet[task_cell_ids.exercise_ids(task_id)[1]].source for task_id in tasks_of(path)]
    table = symtable.symtable("\n\n".join([sheet["imports"].source, *slow_loops]), path.name, "exec")
    assert global_names(table) <= {*table.get_identifiers(), *vars(builtins)}
