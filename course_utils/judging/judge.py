"""``judge``: an answer against its task, in three steps. A kernel's check and a class's grader both use it.

It prints nothing, records nothing and knows no notebook.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace

import numpy as np

from course_utils import frameworks
from course_utils.core.wording import pluralize
from course_utils.frameworks import runtime
from course_utils.judging import tampering
from course_utils.judging.answer import Answer
from course_utils.judging.correct import check_correct
from course_utils.judging.fast import check_fast
from course_utils.judging.oracle import Oracle
from course_utils.judging.unlooped import check_unlooped
from course_utils.judging.verdict import TaskFailed, Verdict
from course_utils.sandbox.output import drop_framework_logs
from course_utils.sandbox.restore_settings import restore_settings
from course_utils.tasks.task import Generator, Task

_draw = random.SystemRandom().randrange  # no seed that an answer could know


def judge(task: Task, answer: Answer, seed: int | None = None, oracle: Oracle | None = None) -> Verdict:
    """Judge ``answer`` by ``task``.

    Args:
        task: what the answer should do.
        answer: a function that somebody wrote for it; one that was judged before has used up some of its time.
        seed: for the random inputs; a fresh one unless given.
        oracle: what remembers the slow loop's results; given where many answers are judged with one seed.

    Returns:
        The verdict, with the lines of the steps that were reached and, where one failed, the message why.
    """
    tampering.seal()
    oracle = oracle or Oracle()
    generator = np.random.default_rng(_draw(2**63) if seed is None else seed)
    verdict = Verdict.for_task(task)
    # One thread: inputs are small, and on a busy machine threads mostly wait for one another.
    with restore_settings(), drop_framework_logs(), runtime.threads(1):
        for name, step in (("correct", _correct), ("unlooped", _unlooped), ("fast", _fast)):
            try:
                _unreplaced()
                with nullcontext() if step is _fast else _as_written():
                    after = step(task, verdict, answer, generator, oracle)
                _unreplaced()
                verdict = after
            except TaskFailed as failed:
                message = str(failed)
                replaced = tampering.replaced()
                verdict = verdict.with_line(name, "wrong", "not yet, see below")
                verdict = replace(verdict, message=_told_replaced(replaced) if replaced else message)
                break
    return replace(verdict, printed=answer.printed, warnings_text=answer.warnings_text)


@contextmanager
def _as_written() -> Iterator[None]:
    """Compiled answers are compiled for the race alone, in which their results are judged, too: each compile takes seconds."""
    with ExitStack() as stack:
        for framework in frameworks.loaded():
            stack.enter_context(framework.compiler.run_uncompiled())
        yield


def _correct(task: Task, verdict: Verdict, answer: Answer, generator: Generator, oracle: Oracle) -> Verdict:
    check_correct(task, answer, generator, oracle)
    edges = len(task.edge_cases) + len(task.worst_cases) + len(task.raises)
    also = f" and {pluralize(edges, 'edge case')}" if edges else ""
    return verdict.with_line("correct", "right", f"fresh random inputs{also}")


def _unlooped(task: Task, verdict: Verdict, answer: Answer, generator: Generator, oracle: Oracle) -> Verdict:
    if not task.limits:
        return verdict.with_line("unlooped", "not asked", "nothing is counted in this task")
    counts = check_unlooped(task, answer, generator)
    told = [limit.phrase for limit in task.limits if not limit.only_if_alone] or [task.limits[0].phrase]
    verdict = verdict.with_line("unlooped", "right", f"{', '.join(told)}, whatever the size")
    return replace(verdict, counts=counts)


def _fast(task: Task, verdict: Verdict, answer: Answer, generator: Generator, oracle: Oracle) -> Verdict:
    if task.target is None:
        return verdict.with_line("fast", "not asked", "nothing is timed in this task")
    ratio, inconclusive, signature = check_fast(task, task.target, answer, generator, oracle)
    text = f"at least {task.target:g} times as fast as the slow loop, within what can be measured"
    verdict = verdict.with_line("fast", "right", text)
    return replace(verdict, ratio=ratio, inconclusive=inconclusive, signature=signature)


def _unreplaced() -> None:
    found = tampering.replaced()
    if found:
        raise TaskFailed(_told_replaced(found))


def _told_replaced(found: list[str]) -> str:
    return (
        f"{', '.join(found)} had been replaced by something else, and is put back: a check only helps you while it "
        "measures with tools of its own; run it again."
    )
