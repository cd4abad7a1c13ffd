"""A pytest plugin for `make task`: of the solutions' cells that nbval would run, keep those of one task and what they need."""

import pytest

from course_utils import tasks
from course_utils.authoring import exercises

NEEDED = ("setup", "imports")


def pytest_addoption(parser):
    parser.addoption("--task", required=True, help="the task's id, such as tiled_add")


def pytest_collection_modifyitems(config, items):
    task_id = config.getoption("--task")
    try:
        notebook = f"{tasks.lesson_of(task_id)}.ipynb"
    except tasks.TaskMissing as missing:
        raise pytest.UsageError(str(missing)) from missing
    wanted = {*NEEDED, *exercises.ids(task_id)}
    kept = [item for item in items if item.path.name == notebook and item.cell.id in wanted]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept
