"""``judge``: judges an answer by its task in three steps. A kernel's check and a class's grader both use it.

It prints nothing, stores nothing and knows no notebook.
"""

from __future__ import annotations

import random
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import numpy as np

from course_utils.core.wording import pluralize
from course_utils.frameworks import across_frameworks
from course_utils.judging import patched_tools
from course_utils.judging.answer import Answer
from course_utils.judging.case_checker import CaseChecker
from course_utils.judging.correct import check_correct, check_large_inputs
from course_utils.judging.fast import RACE_S, check_compiled_result, check_fast
from course_utils.judging.oracle import Oracle
from course_utils.judging.unlooped import check_unlooped, is_compiled
from course_utils.judging.verdict import TaskFailed, Verdict, WrongCall
from course_utils.sandbox.end_processes import end_new_processes
from course_utils.sandbox.load_triton import require_triton
from course_utils.sandbox.output import drop_framework_logs
from course_utils.sandbox.restore_settings import restore_settings
from course_utils.tasks.task import Task

_ONE_OPERATION = "one operation, which needs no compiler"  # the only uncompiled answer that passes a limit on graphs
_draw = random.SystemRandom().randrange  # no seed that an answer could know


def judge(
    task: Task, answer: Answer, seed: int | None = None, oracle: Oracle | None = None, race_s: float = RACE_S
) -> Verdict:
    """Return the verdict on ``answer``, with a line for each step that the check reached and, if one failed, the
    message why.

    Args:
        task: what the answer should do.
        answer: a learner's function; an answer that was judged before has less time left.
        seed: for the random inputs; a new one unless given.
        oracle: remembers the slow loop's results, for many answers that are judged with one seed.
        race_s: seconds for the race; with 0, an answer's result at the race's size is compared and its speed is not judged.

    Raises:
        KernelsMissing: the task needs Triton, which is not installed.
    """
    if task.runs_kernels:
        require_triton()
    if answer.is_here:
        patched_tools.remember_originals()
    generator = np.random.default_rng(_draw(2**63) if seed is None else seed)
    checker = CaseChecker(task, answer, generator, oracle or Oracle())
    verdict = Verdict.for_task(task)
    processes = end_new_processes() if task.starts_processes and answer.is_here else nullcontext()
    # One thread: inputs are small, and on a busy machine threads mostly wait for each other.
    with processes, restore_settings(), drop_framework_logs(), across_frameworks.threads(1):
        for name, step in (("correct", _correct), ("unlooped", _unlooped), ("fast", partial(_fast, race_s))):
            try:
                _require_own_tools(answer)
                with nullcontext() if name == "fast" else answer.as_written():
                    after = step(verdict, checker)
                _require_own_tools(answer)
                verdict = after
            except TaskFailed as failed:
                message = str(failed)
                replaced = patched_tools.restore_replaced() if answer.is_here else []
                if isinstance(failed, WrongCall):  # It was wrong at a counted size or at the race's size.
                    name, verdict = "correct", replace(verdict, lines=())
                verdict = verdict.with_line(name, "wrong", "not yet, see below")
                verdict = replace(verdict, message=_replaced_message(replaced) if replaced else message)
                break
    return replace(verdict, printed=answer.printed, warnings_text=answer.warnings_text)


def _correct(verdict: Verdict, checker: CaseChecker) -> Verdict:
    check_correct(checker)
    edges = len(checker.task.edge_cases) + len(checker.task.worst_cases) + len(checker.task.raises)
    also = f" and {pluralize(edges, 'edge case')}" if edges else ""
    return verdict.with_line("correct", "right", f"new random inputs{also}")


def _unlooped(verdict: Verdict, checker: CaseChecker) -> Verdict:
    limits = checker.task.limits
    if not limits:
        check_large_inputs(checker)
        return verdict.with_line("unlooped", "not asked", "nothing is counted in this task")
    counts = check_unlooped(checker)
    check_large_inputs(checker)
    compiled = is_compiled(checker, counts)
    named = [limit for limit in limits if not limit.only_if_alone] or [limits[0]]
    phrases = [_ONE_OPERATION if limit.kind == "graphs" and not compiled else limit.phrase for limit in named]
    verdict = verdict.with_line("unlooped", "right", ", ".join(phrases))
    return replace(verdict, counts=counts, compiled=compiled)


def _fast(race_s: float, verdict: Verdict, checker: CaseChecker) -> Verdict:
    task = checker.task
    if task.target is None:
        if verdict.compiled:
            check_compiled_result(checker)
        return verdict.with_line("fast", "not asked", "nothing is timed in this task")
    ratio, inconclusive, signature = check_fast(checker, task.target, race_s)
    verdict = verdict.with_line(
        "fast", "right", f"at least {task.target:g}× as fast as the slow loop, as far as it can be measured"
    )
    return replace(verdict, ratio=ratio, inconclusive=inconclusive, signature=signature)


def _require_own_tools(answer: Answer) -> None:
    replaced = patched_tools.restore_replaced() if answer.is_here else []
    if replaced:
        raise TaskFailed(_replaced_message(replaced))


def _replaced_message(replaced: list[str]) -> str:
    return (
        f"{', '.join(replaced)} had been replaced, and the check has put the original back: a check only helps you if it "
        "measures with its own tools. Run it again."
    )
