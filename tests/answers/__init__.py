"""The answers on which every check is tested, one file per task, and what is wrong with the check of one answer.

Answers need their task's framework, so they are loaded task by task. In the folder ``tests``,
``python -m answers 03_element_loops`` tests the check of one lesson, and ``python -m answers --task tiled_add`` of one task.
"""

from __future__ import annotations

import importlib
import sys
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

from answers import practice_solution
from answers.table import Answer, AnswersTo, TableError, folder_of, lessons
from course_utils import judging, tasks
from course_utils.judging import Oracle, Verdict, judge
from course_utils.tasks import Task

HERE = Path(__file__).parent
_NO_ANSWERS = ("__init__", "shared")
_SECOND_RACE_FACTOR = 4  # A race that decides nothing runs once more and takes this many times as long.


def lesson_answers(lesson: str) -> list[Answer]:
    """Return all answers to the tasks of ``lesson`` ("03_element_loops").

    Raises:
        TableError: if a file of the lesson's folder belongs to no task, and as ``task_answers`` does.
    """
    folder = folder_of(lesson)
    for path in sorted((HERE / folder).glob("*.py")):
        if path.stem not in (*lessons()[lesson], *_NO_ANSWERS):
            raise TableError(f"answers/{folder}/{path.name} belongs to no task of {lesson}: name it by a task's id.")
    return [answer for task_id in lessons()[lesson] for answer in task_answers(task_id)]


def task_answers(task_id: str) -> list[Answer]:
    """Return all answers to one task: those of its file, the solution that a lesson shows, derived ones and the named
    mistakes.

    Practice needs no file if its named mistakes are all the wrong answers that it should refuse. The functions are new in
    each call, like those of a cell that runs again: a graph that has seen many inputs is judged differently from a new one.

    Raises:
        TableError: if the task has no file of answers, or the file has a mistake.
    """
    place = f"{folder_of(tasks.lesson_of(task_id))}/{task_id}"
    practice = tasks.kind_of(task_id) == "practice"
    is_file = (HERE / f"{place}.py").is_file()
    table = _table(task_id, place) if is_file or not practice else AnswersTo(task_id)
    mistakes = [
        Answer(task_id, mistake.name, mistake.wrong, "correct", mistake.name)
        for mistake in tasks.load(task_id).mistakes
    ]
    shown = [Answer(task_id, practice_solution.LABEL, practice_solution.load(task_id))] if practice else []
    return [*table.from_file, *shown, *table.derived(), *mistakes]


def _table(task_id: str, place: str) -> AnswersTo:
    """Return the table in the task's file, imported again."""
    if not (HERE / f"{place}.py").is_file():
        raise TableError(f"There are no answers to {task_id}: write them to answers/{place}.py.")
    module = f"answers.{place.replace('/', '.')}"
    sys.modules.pop(module, None)
    table = getattr(importlib.import_module(module), "answers", None)
    if not (isinstance(table, AnswersTo) and table.task == task_id and table.from_file):
        raise TableError(
            f'answers/{place}.py holds no answers: write answers = AnswersTo("{task_id}") and decorate with it.'
        )
    return table


def complaint(answer: Answer, seed: int, oracle: Oracle, race_s: float) -> str | None:
    """Return what the check of ``answer`` did instead of what the table expects; None if it did what the table expects.

    Answers that are judged with one seed share the ``oracle``, so that the slow loops run once for all of them.
    """
    task = tasks.load(answer.task)
    # The step "correct" would compare the slow loop with itself, in all cases.
    is_judged_from_unlooped = answer.function is task.slow and answer.refused_at == "unlooped"
    with patch("course_utils.judging.judge.check_correct") if is_judged_from_unlooped else nullcontext():
        verdict = _judged(answer, task, seed, oracle, race_s)
    if verdict.right and verdict.inconclusive and answer.refused_at == "fast":
        # Too few rounds on a busy machine, which costs a learner no points.
        verdict = _judged(answer, task, seed, oracle, _SECOND_RACE_FACTOR * race_s)
    if answer.right:
        return verdict.message
    if verdict.right:
        return "It passed."
    if verdict.lines[-1].name != answer.refused_at:
        return f"It was refused at {verdict.lines[-1].name!r}, not at {answer.refused_at!r}: {verdict.message}"
    if answer.says not in verdict.message:
        return f"The message lacks {answer.says!r}: {verdict.message}"
    return None


def _judged(answer: Answer, task: Task, seed: int, oracle: Oracle, race_s: float) -> Verdict:
    return judge(task, judging.Answer(answer.function, task), seed, oracle, race_s)
