"""The specifications of what learners write, one file per task: ``lesson_03_element_loops/task_2_tiled_add.py``.

The file's name is ``task_`` for an exercise or ``practice_`` for a practice task of the lesson, the task's number in
the lesson, and its id; the file's variable ``TASK`` is the task. So the folders are the index, and there is no other
list. The functions of this module read only the names of files; ``load`` imports a task's file and with it the task's
framework.
"""

from __future__ import annotations

import ast
import difflib
import functools
import importlib
import os
import re
import sys
from pathlib import Path
from typing import Literal

from course_utils.core.wording import pluralize
from course_utils.tasks.loading_errors import FrameworkMissing, TaskInvalid, TaskMissing
from course_utils.tasks.task import Case, Mistake, Task

__all__ = [
    "Case", "FrameworkMissing", "Mistake", "Task", "TaskInvalid", "TaskMissing", "ids", "kind_of", "lesson_of",
    "lessons", "level_of", "load", "names", "points_of",
]  # fmt: skip


Kind = Literal["task", "practice"]
LIKELY, POSSIBLE = 0.85, 0.6
"""How similar two names must be, by difflib: to suggest one name, to suggest several."""


def lessons(kind: Kind = "task") -> tuple[str, ...]:
    """Return the lessons that have tasks of a kind, in the course's order, by the names of their notebooks:
    ``"03_element_loops"``.

    Raises:
        TaskInvalid: the name of a folder or a file lacks a number; the other functions raise it as well.
    """
    return tuple(lesson for lesson, files in _index().items() if _of_kind(kind, files))


def ids(lesson: str, kind: Kind = "task") -> tuple[str, ...]:
    """Return the ids of a lesson's tasks of a kind, in the lesson's order.

    Raises:
        TaskMissing: no lesson of this name has tasks.
    """
    index = _index()
    if lesson not in index:
        raise TaskMissing(
            f"There is no lesson called {lesson!r} with tasks; {_suggest(lesson, tuple(index), 'lessons')}"
        )
    return _of_kind(kind, index[lesson])


def names(kind: Kind = "task") -> tuple[str, ...]:
    """Return the id of every task of a kind, in the course's order."""
    return tuple(task_id for files in _index().values() for task_id in _of_kind(kind, files))


def kind_of(task_id: str) -> Kind:
    """Return whether a task is an exercise, ``"task"``, or a practice task of a lesson, ``"practice"``.

    Raises:
        TaskMissing: no task has this id.
    """
    return "task" if task_id in ids(lesson_of(task_id)) else "practice"


def level_of(task_id: str) -> int:
    """Return the task's level, from the syntax of its file. The file is not imported, because it imports the task's
    framework.

    Raises:
        TaskMissing: no task has that id.
        TaskInvalid: the file's ``TASK`` has no level, or one that is not written as a number.
    """
    return _number_in_file(task_id, "level", "level=1, 2 or 3")


def points_of(task_id: str) -> int:
    """Return the points of a right answer, from the syntax of its file, which is not imported.

    Raises:
        TaskMissing: no task has that id.
        TaskInvalid: the file's ``TASK`` has no points, or they are not written as a number.
    """
    return _number_in_file(task_id, "points", "points=2 or another number")


def _number_in_file(task_id: str, argument: str, example: str) -> int:
    lesson = lesson_of(task_id)
    file = _index()[lesson][task_id]
    source = next(path for folder in __path__ for path in Path(folder).glob(f"lesson_{lesson}/{file}.py"))
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        match node:
            case ast.Assign(targets=[ast.Name(id="TASK")], value=ast.Call(keywords=keywords)):
                for keyword in keywords:
                    match keyword:
                        case ast.keyword(arg=name, value=ast.Constant(value=int(number))) if name == argument:
                            return number
    raise TaskInvalid(f"lesson_{lesson}/{file}.py gives its task no {argument}; write {example} in TASK = Task(…).")


def lesson_of(task_id: str) -> str:
    """Return the lesson that a task belongs to: ``"03_element_loops"``.

    Raises:
        TaskMissing: no task has this id; the message offers similar ones.
    """
    for lesson, files in _index().items():
        if task_id in files:
            return lesson
    known = (*names(), *names("practice"))
    raise TaskMissing(f"There is no task called {task_id!r}; {_suggest(task_id, known, 'tasks')}")


def load(task_id: str) -> Task:
    """Return the task with this id.

    Raises:
        TaskMissing: no task has this id; the message offers similar ones.
        FrameworkMissing: the task's framework is not installed.
        TaskInvalid: the file defines no task, a task of another name, or an invalid one.
    """
    lesson = lesson_of(task_id)
    file = _index()[lesson][task_id]
    try:
        module = importlib.import_module(f"{__name__}.lesson_{lesson}.{file}")
    except ModuleNotFoundError as missing:
        if missing.name not in ("torch", "tensorflow"):
            raise
        raise FrameworkMissing(
            f"The task {task_id!r} needs {missing.name}, which is not installed here; "
            f"`pip install {missing.name}` installs it."
        ) from missing
    task = getattr(module, "TASK", None)
    if not isinstance(task, Task):
        raise TaskInvalid(f"lesson_{lesson}/{file}.py defines no task; write TASK = Task(id={task_id!r}, …) in it.")
    if task.id != task_id:
        raise TaskInvalid(
            f"lesson_{lesson}/{file}.py defines the task {task.id!r}; give the file and the task the same name."
        )
    if (task.points == 0) != file.startswith("practice_"):
        raise TaskInvalid(
            f"lesson_{lesson}/{file}.py defines a task worth {pluralize(task.points, 'point')}; call the file of a "
            "task with points task_N_name.py, and of a task without points practice_N_name.py."
        )
    return task


def _index() -> dict[str, dict[str, str]]:
    """Return lesson → task id → name of its module, from the folders as they are now."""
    entries = [entry for folder in __path__ for entry in os.scandir(folder) if entry.is_dir()]
    return _read(tuple(sorted((entry.path, entry.stat().st_mtime_ns) for entry in entries)))


@functools.lru_cache(maxsize=1)
def _read(state: tuple[tuple[str, int], ...]) -> dict[str, dict[str, str]]:
    """Return the index of the folders in ``state``, each with its modification time, which changes if a file is added
    or removed.
    """
    # Another version of the course may leave a folder that contains compiled files and no source.
    folders = [Path(path) for path, _ in state if any(Path(path).glob("*.py"))]
    index = {_lesson(folder): _files(folder) for folder in sorted(folders, key=lambda folder: folder.name)}
    homes: dict[str, str] = {}
    for lesson, files in index.items():
        for task_id in files:
            if task_id in homes:
                raise TaskInvalid(
                    f"lesson_{lesson} and lesson_{homes[task_id]} both have a task {task_id!r}; the name "
                    "of a task must be unique in the course, so rename one."
                )
            homes[task_id] = lesson
    return index


def _lesson(folder: Path) -> str:
    fits = re.fullmatch(r"lesson_(\d\d[a-z]?_\w+)", folder.name)
    if fits is None:
        raise TaskInvalid(
            f"The folder tasks/{folder.name} belongs to no lesson; call it lesson_NN_topic, as in "
            "lesson_03_element_loops."
        )
    return fits[1]


def _files(folder: Path) -> dict[str, str]:
    """Return task id → name of its module, in the order of the tasks' numbers."""
    places: dict[tuple[str, int], tuple[str, str]] = {}
    for file in sorted([*folder.glob("task_*.py"), *folder.glob("practice_*.py")]):
        fits = re.fullmatch(r"(task|practice)_(\d+)_([^\W\d]\w*)", file.stem)
        if fits is None:
            raise TaskInvalid(
                f"{folder.name}/{file.name} lacks the task's number; call it task_N_name.py, as in task_2_tiled_add.py."
            )
        place, task_id = (fits[1], int(fits[2])), fits[3]
        for other_place, (other_id, other) in places.items():
            if other_place == place or other_id == task_id:
                raise TaskInvalid(f"{folder.name} has {other}.py and {file.name}; give each its own number and name.")
        places[place] = task_id, file.stem
    return dict(places[place] for place in sorted(places))


def _of_kind(kind: Kind, files: dict[str, str]) -> tuple[str, ...]:
    return tuple(task_id for task_id, file in files.items() if file.startswith(f"{kind}_"))


def _suggest(name: str, known: tuple[str, ...], what: str) -> str:
    """Return the similar names among the ``known`` ones, as the end of a sentence; names of lessons in use come first."""
    in_use = [each for each in known if _is_in_use(each)]
    for number, cutoff in ((1, LIKELY), (3, POSSIBLE)):
        for pool in (in_use, known):
            near = difflib.get_close_matches(str(name).removesuffix("_slow"), pool, n=number, cutoff=cutoff)
            if near:
                return f"did you mean {' or '.join(near)}?"
    return f"progress() shows all {what}."


def _is_in_use(task_id: str) -> bool:
    """Return whether this process has loaded a task of the same lesson."""
    lessons_of_task = (lesson for lesson, files in _index().items() if task_id in files)
    return any(f"{__name__}.lesson_{lesson}" in sys.modules for lesson in lessons_of_task)
