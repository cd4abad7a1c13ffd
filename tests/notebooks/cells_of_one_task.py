"""A pytest plugin for `make task`: nbval runs only the cells of one task and the cells that they need.

An exercise's cells are in the solutions. Practice is in its lesson, and needs the lesson's imports.
"""

import ast

import pytest

from cell_source import python_source
from course_utils import tasks
from course_utils.authoring import task_cell_ids

NEEDED_CELLS = ("setup", "imports")


def pytest_addoption(parser):
    parser.addoption("--task", required=True, help="the task's id, such as tiled_add")


def pytest_collection_modifyitems(config, items):
    task_id = config.getoption("--task")
    try:
        notebook = f"{tasks.lesson_of(task_id)}.ipynb"
        kind = tasks.kind_of(task_id)
    except tasks.TaskMissing as missing:
        raise pytest.UsageError(str(missing)) from missing
    folder, cell_ids = {
        "task": ("solutions", task_cell_ids.exercise_ids),
        "practice": ("notebooks", task_cell_ids.practice_ids),
    }[kind]
    wanted = {*NEEDED_CELLS, *cell_ids(task_id)}
    selected = [
        item
        for item in items
        if (item.path.parent.name, item.path.name) == (folder, notebook)
        and (item.cell.id in wanted or (kind == "practice" and only_imports(item.cell.source)))
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in selected])
    items[:] = selected


def only_imports(source):
    return all(
        isinstance(statement, (ast.Import, ast.ImportFrom)) for statement in ast.parse(python_source(source)).body
    )
