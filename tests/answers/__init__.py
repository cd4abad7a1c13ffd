"""Every answer of every lesson, from the modules beside this file, one a lesson, and what the check makes of one."""

from __future__ import annotations

import importlib
import pkgutil

from answers.table import TABLE, Answer
from answers.tricks import forgeries_undone
from course_utils import tasks
from course_utils.checking import judge

__all__ = ["TABLE", "Answer", "complaint"]

for _module in pkgutil.iter_modules(__path__, prefix=f"{__name__}."):
    importlib.import_module(_module.name)


def complaint(answer: Answer) -> str | None:
    """Judge ``answer``; None where the check does what the table says, else what it did instead."""
    with forgeries_undone():
        verdict = judge(answer.function, tasks.load(answer.task))
    if answer.right:
        return verdict.message
    if verdict.right:
        return "It was passed."
    if verdict.lines[-1].name != answer.refused_at:
        return f"It was refused at {verdict.lines[-1].name!r}, not at {answer.refused_at!r}: {verdict.message}"
    if answer.says not in verdict.message:
        return f"The message lacks {answer.says!r}: {verdict.message}"
    return None
