"""The specifications of what learners write: one file a task, as ``lesson_03_element_loops/task_2_tiled_add.py``.

The number is the task's place in the lesson, the rest of the file's name its id, and the file holds it as ``TASK``. So
the folders are the index, and no list is kept by hand. ``task_…`` is an exercise, worth points; ``practice_…`` stands in
the lesson itself, worth none. What exists is answered without importing a lesson or a framework; a task's file, and with
it the framework, is imported when the task is asked for.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import os
import re
import sys
from pathlib import Path
from typing import Literal

from course_utils.core.wording import pluralize
from course_utils.tasks.errors import FrameworkMissing, TaskInvalid, TaskMissing
from course_utils.tasks.task import Case, Mistake, Task

__all__ = [
    "Case", "FrameworkMissing", "Mistake", "Task", "TaskInvalid", "TaskMissing", "ids", "kind_of", "lesson_of",
    "lessons", "level_of", "load", "names",
]  # fmt: skip


Kind = Literal["task", "practice"]
SURELY, PERHAPS = 0.85, 0.6  # how alike two names are, by difflib: one that is meant, one that may be


def lessons(kind: Kind = "task") -> tuple[str, ...]:
    """The lessons that have tasks of a kind, in the course's order, as their notebooks are called: ``"03_element_loops"``.

    Raises:
        TaskInvalid: when a folder, or a file in it, has a name that tells no place; so do all that follow.
    """
    return tuple(lesson for lesson, files in _index().items() if _of_kind(kind, files))


def ids(lesson: str, kind: Kind = "task") -> tuple[str, ...]:
    """The ids of a lesson's tasks of a kind, in the lesson's order.

    Raises:
        TaskMissing: when no lesson of that name has tasks.
    """
    found = _index()
    if lesson not in found:
        raise TaskMissing(f"There is no lesson called {lesson!r} with tasks; {_offer(lesson, tuple(found), 'lessons')}")
    return _of_kind(kind, found[lesson])


def names(kind: Kind = "task") -> tuple[str, ...]:
    """The id of every task of a kind, in the course's order."""
    return tuple(task_id for files in _index().values() for task_id in _of_kind(kind, files))


def kind_of(task_id: str) -> Kind:
    """Whether a task is an exercise, ``"task"``, or stands in the lesson itself, ``"practice"``.

    Raises:
        TaskMissing: when no task has that id.
    """
    return "task" if task_id in ids(lesson_of(task_id)) else "practice"


def level_of(task_id: str) -> int:
    """The task's level, read off its file, which is not imported: another framework than the lesson's stays out.

    Raises:
        TaskMissing: when no task has that id.
        TaskInvalid: when its file tells no level.
    """
    lesson = lesson_of(task_id)
    file = _index()[lesson][task_id]
    source = next(path for place in __path__ for path in Path(place).glob(f"lesson_{lesson}/{file}.py"))
    told = re.search(r"^    level=(\d),", source.read_text(encoding="utf-8"), re.MULTILINE)
    if told is None:
        raise TaskInvalid(f"lesson_{lesson}/{file}.py tells no level; write level=1, in a line of its own.")
    return int(told[1])


def lesson_of(task_id: str) -> str:
    """The lesson that a task belongs to: ``"03_element_loops"``.

    Raises:
        TaskMissing: when no task has that id; the message offers near ones.
    """
    for lesson, files in _index().items():
        if task_id in files:
            return lesson
    known = (*names(), *names("practice"))
    raise TaskMissing(f"There is no task called {task_id!r}; {_offer(task_id, known, 'tasks')}")


def load(task_id: str) -> Task:
    """The task with that id.

    Raises:
        TaskMissing: when there is none; the message offers near names.
        FrameworkMissing: when the task's framework is not installed.
        TaskInvalid: when its file holds no task, another one, or one that cannot be.
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
            f"`pip install {missing.name}` brings it."
        ) from missing
    task = getattr(module, "TASK", None)
    if not isinstance(task, Task):
        raise TaskInvalid(f"lesson_{lesson}/{file}.py holds no task; write TASK = Task(id={task_id!r}, …) in it.")
    if task.id != task_id:
        raise TaskInvalid(
            f"lesson_{lesson}/{file}.py holds the task {task.id!r}; give the file and the task the same name."
        )
    if (task.points == 0) != file.startswith("practice_"):
        raise TaskInvalid(
            f"lesson_{lesson}/{file}.py holds a task worth {pluralize(task.points, 'point')}; one worth points stands in "
            "task_N_name.py, and one worth none in practice_N_name.py."
        )
    return task


def _index() -> dict[str, dict[str, str]]:
    """Lesson → task's id → name of its module, as the folders tell now."""
    entries = [entry for place in __path__ for entry in os.scandir(place) if entry.is_dir()]
    return _read(tuple(sorted((entry.path, entry.stat().st_mtime_ns) for entry in entries)))


@functools.lru_cache(maxsize=1)
def _read(state: tuple[tuple[str, int], ...]) -> dict[str, dict[str, str]]:
    """The index of folders that were last changed at these times: a folder changes when a file comes or goes."""
    # A folder that another version left behind holds compiled files and no source.
    folders = [Path(path) for path, _ in state if any(Path(path).glob("*.py"))]
    index = {_lesson(folder): _files(folder) for folder in sorted(folders, key=lambda folder: folder.name)}
    homes: dict[str, str] = {}
    for lesson, files in index.items():
        for task_id in files:
            if task_id in homes:
                raise TaskInvalid(
                    f"lesson_{lesson} and lesson_{homes[task_id]} both have a task {task_id!r}; learners ask for a "
                    "task by its name alone, so rename one."
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
    """Task's id → name of its module, in the order of their numbers."""
    places: dict[tuple[str, int], tuple[str, str]] = {}
    for file in sorted([*folder.glob("task_*.py"), *folder.glob("practice_*.py")]):
        fits = re.fullmatch(r"(task|practice)_(\d+)_([^\W\d]\w*)", file.stem)
        if fits is None:
            raise TaskInvalid(
                f"{folder.name}/{file.name} tells no task's place; call it task_N_name.py, as in task_2_tiled_add.py."
            )
        place, task_id = (fits[1], int(fits[2])), fits[3]
        for other_place, (other_id, other) in places.items():
            if other_place == place or other_id == task_id:
                raise TaskInvalid(
                    f"{folder.name} has {other}.py and {file.name}; give each a number and a name of its own."
                )
        places[place] = task_id, file.stem
    return dict(places[place] for place in sorted(places))


def _of_kind(kind: Kind, files: dict[str, str]) -> tuple[str, ...]:
    return tuple(task_id for task_id, file in files.items() if file.startswith(f"{kind}_"))


def _offer(name: str, known: tuple[str, ...], what: str) -> str:
    """What to ask for instead, as the end of a sentence: of what is as near, first what belongs to a lesson that is open."""
    at_hand = [each for each in known if _is_open(each)]
    for number, cutoff in ((1, SURELY), (3, PERHAPS)):
        for pool in (at_hand, known):
            near = difflib.get_close_matches(str(name), pool, n=number, cutoff=cutoff)
            if near:
                return f"did you mean {' or '.join(near)}?"
    return f"progress() shows all {what}."


def _is_open(task_id: str) -> bool:
    """Whether a task of the same lesson was asked for here before."""
    lessons_here = (lesson for lesson, files in _index().items() if task_id in files)
    return any(f"{__name__}.lesson_{lesson}" in sys.modules for lesson in lessons_here)
