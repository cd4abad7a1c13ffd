"""``report``: measures a learner's pipeline, lists the attempts, and checks the three sentences of the report.

Each figure with a unit in a sentence must be one that the course has measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from course_utils import frameworks, limits
from course_utils.core.wording import format_duration, format_percent, pluralize
from course_utils.explaining import explain
from course_utils.frameworks import devices
from course_utils.judging import Answer, judge
from course_utils.learner import progress_file
from course_utils.learner.commands import task as find_task
from course_utils.learner.report_sentences import ReportError, check_sentences, factor_fact, factor_phrase, limit_fact
from course_utils.tasks import Task
from course_utils.timing import compare

_MIN_ROUNDS = 7
_BUDGETS_S = (8.0, 16.0, 32.0)  # a busy machine gets a longer race if the one before had too few rounds


@dataclass(frozen=True, repr=False)
class Report:
    """A measured attempt at a task, all earlier attempts, and the learner's three sentences, if any.

    Attributes:
        task: the task.
        attempt: ``{"ratio", "low", "high", "seconds", "slow", "share", "reason", "line", "machine"}`` of this
            measurement: the speed-up over the slow loop with its 95 % interval, the seconds of one call and of the slow
            loop, the share of the machine's limit (None if the limit is unknown), and why the costliest line takes its
            time. Attempts of earlier versions have no ``"slow"``.
        attempts: all measured attempts, the fastest first.
        sentences: the accepted sentences; empty before.
    """

    task: Task
    attempt: Mapping[str, Any]
    attempts: tuple[Mapping[str, Any], ...]
    sentences: tuple[str, ...] = ()

    @property
    def facts(self) -> tuple[str, ...]:
        """Return what was measured, as one sentence for each part of the report."""
        return factor_fact(self.task, self.attempt), limit_fact(self.attempt), "Not measured: this is your plan."

    def accept(self, *sentences: str) -> Report:
        """Return the report with these sentences, which are stored.

        Raises:
            ReportError: a sentence is missing, or it has a figure that was not measured; the message says which.
        """
        check_sentences(sentences, self.task, self.attempt)
        progress_file.record_report(self.task.id, list(sentences), dict(self.attempt))
        return Report(self.task, self.attempt, self.attempts, tuple(sentences))

    def __repr__(self) -> str:
        lines = [f"{self.task.id}: {pluralize(len(self.attempts), 'attempt')}, the fastest first"]
        lines += [f"  {_attempt_text(each)}" for each in self.attempts]
        lines += ["This attempt:", *(f"  {fact}" for fact in self.facts[:2])]
        if self.sentences:
            return "\n".join([*lines, "Your report is stored; progress.certificate() writes your certificate."])
        return "\n".join([*lines, f"Write your report: report({self.task.id}, factor=…, limit=…, next=…)"])


def report(
    function: Callable[..., Any], factor: str | None = None, limit: str | None = None, next: str | None = None
) -> Report:
    """Return the report on a pipeline whose check has passed; as the last line of a cell it shows a form.

    It races the function with the slow loop, finds the limit that binds, and adds the attempt to the earlier ones. That
    takes ten seconds, or longer on a busy machine. With all three sentences it checks and stores them, for pages
    without widgets.

    Args:
        function: the learner's function, with the name of a task of level 3.
        factor: a sentence on the measured factor and its interval.
        limit: a sentence on the limit that binds.
        next: a sentence on the next step.

    Raises:
        ReportError: the task is no challenge or not solved, the result is wrong, the machine is too busy, or a sentence
            claims too much.
        TaskMissing: no task has the function's name.
    """
    task = find_task(getattr(function, "__name__", str(function)))
    if task.level != 3 or task.target is None:
        raise ReportError(f"{task.id} has no report: report takes a challenge, such as segment_maps.")
    solved = progress_file.read()["tasks"].get(task.id, {"points": 0})["points"] >= task.points
    if not solved:
        raise ReportError(f"{task.id} is not solved yet: run check({task.id}) until it passes, then report({task.id}).")
    given = [sentence for sentence in (factor, limit, next) if sentence is not None]
    latest = progress_file.read()["attempts"].get(task.id, [])
    if given and latest:  # sentences about the measurement that the learner has seen
        attempt = latest[-1]
    else:
        attempt = measure_attempt(task, function)
        progress_file.record_attempt(task.id, attempt)
    attempts = progress_file.read()["attempts"][task.id]
    ranked = tuple(sorted(attempts, key=lambda each: -each["ratio"]))
    result = Report(task, attempts[-1], ranked)
    return result.accept(factor or "", limit or "", next or "") if given else result


def measure_attempt(task: Task, function: Callable[..., Any]) -> dict[str, Any]:
    """Return the figures of one attempt, as plain data.

    Raises:
        ReportError: the function is wrong, or the machine was too busy.
    """
    verdict = judge(task, Answer(function, task), race_s=0.0)
    if verdict.message is not None:
        reason = verdict.message.splitlines()[0]
        raise ReportError(f"{task.id} is not right anymore: run check({task.id}) again to see why. {reason}")
    inputs = task.inputs(task.race_size, np.random.default_rng())
    for budget_s in _BUDGETS_S:
        times = compare({"slow loop": task.slow, task.id: function}, inputs, budget_s=budget_s, min_rounds=_MIN_ROUNDS)
        if task.id in times.errors:
            raise ReportError(f"{times.errors[task.id]}; run check({task.id}) again.")
        ratio, seconds = times.ratio(task.id), times.median_s(task.id)
        if ratio.low is not None and ratio.high is not None:
            break
    else:
        raise ReportError(
            f"The machine was too busy for an interval: in {sum(_BUDGETS_S):g} s of racing, no race had {_MIN_ROUNDS} "
            "rounds. Close other programs and run the cell again."
        )
    costliest = explain(function, *inputs).costliest
    peaks, share = limits.load_peaks(), None  # explain measures missing limits
    if peaks is not None and task.cost is not None:
        share = limits.bound(task.cost(task.race_size), peaks, task.framework).seconds / seconds
    versions = frameworks.versions()
    used = [f"{name} {versions[name]}" for name in (task.framework,) if name in versions]
    return {
        "ratio": ratio.value,
        "low": ratio.low,
        "high": ratio.high,
        "seconds": seconds,
        "slow": times.median_s("slow loop"),
        "share": share,
        "reason": costliest.reason,
        "line": costliest.source.strip(),
        "machine": " · ".join([devices.describe(), "cpu, 1 thread", *used]),
    }


def _attempt_text(attempt: Mapping[str, Any]) -> str:
    share = "" if not attempt["share"] else f", {format_percent(attempt['share'])} of the limit"
    duration = format_duration(attempt["seconds"])
    return f"{factor_phrase(attempt)}, {duration}{share}, {attempt['reason']}, {attempt['date']}, {attempt['machine']}"
