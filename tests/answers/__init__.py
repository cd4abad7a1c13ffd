"""The answers that every check is held against, one file a task, and what the check makes of each.

A task's answers need its framework, so they are loaded task by task: in this folder's parent,
``python -m answers 03_element_loops`` checks one lesson in a process of its own, ``python -m answers --task tiled_add`` one
task.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from answers import unfolded
from answers.table import Answer, AnswersTo, TableError, folder_of, lessons
from answers.tricks import forgeries_undone
from course_utils import judging, tasks
from course_utils.judging import Oracle, judge

HERE = Path(__file__).parent
_NO_ANSWERS = ("__init__", "shared")


def of_lesson(lesson: str) -> list[Answer]:
    """All answers to the tasks of ``lesson`` ("03_element_loops").

    Raises:
        TableError: when a file of the lesson's folder answers no task, and as ``of_task`` does.
    """
    folder = folder_of(lesson)
    for path in sorted((HERE / folder).glob("*.py")):
        if path.stem not in (*lessons()[lesson], *_NO_ANSWERS):
            raise TableError(f"answers/{folder}/{path.name} answers no task of {lesson}; is it named by a task's id?")
    return [answer for task_id in lessons()[lesson] for answer in of_task(task_id)]


def of_task(task_id: str) -> list[Answer]:
    """All answers to one task: those of its file, the derived ones that it must refuse, and its own named mistakes.

    The solution that a lesson shows below its practice is a right answer too; practice whose named mistakes say it all
    needs no file. The functions are new at each call, like those of a cell that runs again: a graph that has seen many
    inputs is judged differently from one that has seen none.

    Raises:
        TableError: when the task has no file of answers, or the file has a mistake.
    """
    place = f"{folder_of(tasks.lesson_of(task_id))}/{task_id}"
    practice = tasks.kind_of(task_id) == "practice"
    page = AnswersTo(task_id) if practice and not (HERE / f"{place}.py").is_file() else _read(task_id, place)
    mistakes = [
        Answer(task_id, mistake.name, mistake.wrong, "correct", mistake.name)
        for mistake in tasks.load(task_id).mistakes
    ]
    shown = [Answer(task_id, unfolded.LABEL, unfolded.solution(task_id))] if practice else []
    return [*page.written, *shown, *page.derived(), *mistakes]


def _read(task_id: str, place: str) -> AnswersTo:
    """The answers in the task's file, imported again."""
    if not (HERE / f"{place}.py").is_file():
        raise TableError(f"There are no answers to {task_id}; write them into answers/{place}.py.")
    module = f"answers.{place.replace('/', '.')}"
    sys.modules.pop(module, None)
    page = getattr(importlib.import_module(module), "answers", None)
    if not (isinstance(page, AnswersTo) and page.task == task_id and page.written):
        raise TableError(
            f'answers/{place}.py holds no answer; write answers = AnswersTo("{task_id}") and decorate with it.'
        )
    return page


def complaint(answer: Answer, seed: int, oracle: Oracle) -> str | None:
    """Judge ``answer``; None where the check does what the table says, else what it did instead.

    Answers that are judged with one seed share the ``oracle``: the slow loops then run once for all of them.
    """
    task = tasks.load(answer.task)
    with forgeries_undone():
        verdict = judge(task, judging.Answer(answer.function, task), seed, oracle)
    if answer.right:
        return verdict.message
    if verdict.right:
        return "It was passed."
    if verdict.lines[-1].name != answer.refused_at:
        return f"It was refused at {verdict.lines[-1].name!r}, not at {answer.refused_at!r}: {verdict.message}"
    if answer.says not in verdict.message:
        return f"The message lacks {answer.says!r}: {verdict.message}"
    return None
