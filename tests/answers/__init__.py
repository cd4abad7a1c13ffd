"""The answers that every check is held against, one module a lesson, and what the check makes of each.

A lesson's answers need its framework, so they are loaded lesson by lesson: in this folder's parent,
``python -m answers 03_element_loops`` checks one lesson in a process of its own.
"""

from __future__ import annotations

import importlib

from answers.table import TABLE, Answer
from answers.tricks import forgeries_undone
from course_utils import judging, tasks


def of(lesson: str) -> list[Answer]:
    """All answers to the tasks of ``lesson`` ("03_element_loops"), the named mistakes of its tasks among them."""
    importlib.import_module(f"answers.lesson_{lesson.partition('_')[0]}")
    ids = tasks.ids(lesson)
    mistakes = [
        Answer(task.id, mistake.name, mistake.wrong, "correct", mistake.name)
        for task in map(tasks.load, ids)
        for mistake in task.mistakes
    ]
    return [answer for answer in TABLE if answer.task in ids] + mistakes


def complaint(answer: Answer) -> str | None:
    """Judge ``answer``; None where the check does what the table says, else what it did instead."""
    with forgeries_undone():
        task = tasks.load(answer.task)
        verdict = judging.judge(task, judging.Answer(answer.function, task))
    if answer.right:
        return verdict.message
    if verdict.right:
        return "It was passed."
    if verdict.lines[-1].name != answer.refused_at:
        return f"It was refused at {verdict.lines[-1].name!r}, not at {answer.refused_at!r}: {verdict.message}"
    if answer.says not in verdict.message:
        return f"The message lacks {answer.says!r}: {verdict.message}"
    return None
