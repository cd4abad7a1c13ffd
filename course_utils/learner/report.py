"""``report``: measures a learner's pipeline, lists the attempts, and checks the three sentences of the report.

Each figure with a unit in a sentence must be one that the course has measured.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from course_utils import frameworks, limits
from course_utils.core.errors import CourseError
from course_utils.core.wording import format_duration, format_percent, format_ratio, pluralize
from course_utils.explaining import explain
from course_utils.frameworks import devices
from course_utils.judging import Answer, judge
from course_utils.learner import progress_file
from course_utils.learner.commands import task as find_task
from course_utils.tasks import Task
from course_utils.timing import compare

PARTS = ("The factor, with its interval", "The limit that binds", "What would be next")
"""What each of the three sentences is about."""

LONGEST = 300
"""Characters of a sentence."""

_MIN_ROUNDS = 7
_BUDGETS_S = (8.0, 16.0, 32.0)  # a busy machine gets a longer race if the one before had too few rounds
_FIGURE = re.compile(r"(?<![\w.,])(\d[\d,]*(?:\.\d+)?)\s*(×|x\b|times\b|%|ms\b|µs\b|us\b|s\b|seconds\b)")
_UNITS = {"x": "×", "times": "×", "us": "µs", "seconds": "s"}
_SCALES = {"ms": 1e3, "µs": 1e6, "s": 1.0}
_WORDS = {
    "launches": ("launch", "operator call", "call overhead"),
    "syncs": ("sync",),
    "transfers": ("transfer",),
    "allocation": ("alloc",),
    "traffic": ("traffic", "memory"),
    "compute": ("compute", "arithmetic"),
}
"""Words in a sentence that name a reason of ``explain``; a reason that is missing here has only its own name."""


class ReportError(CourseError):
    """There is nothing to report on yet, or a sentence claims what was not measured."""


@dataclass(frozen=True, repr=False)
class Report:
    """A measured attempt at a task, the attempts before, and the learner's three sentences, if there are any.

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
        """What was measured, as one sentence for each part of the report."""
        return _factor_fact(self.task, self.attempt), _limit_fact(self.attempt), "Not measured: this is your plan."

    def accept(self, *sentences: str) -> Report:
        """The report with these sentences, which are stored.

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
    """The report on a pipeline whose check has passed; as the last line of a cell it shows a form.

    It races the function with the slow loop, finds what binds, and adds the attempt to those before; that takes ten
    seconds, or longer on a busy machine.
    With all three sentences it checks and stores them, for pages without widgets.

    Args:
        function: the learner's function, with the name of a task of level 3.
        factor: a sentence on the measured factor and its interval.
        limit: a sentence on the limit that binds.
        next: a sentence on what would be next.

    Raises:
        ReportError: the task is not solved or has no limit, the result is wrong, or a sentence claims too much.
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
    """The figures of one attempt, as plain data.

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


def check_sentences(sentences: tuple[str, ...], task: Task, attempt: Mapping[str, Any]) -> None:
    """Check that the sentences state what was measured and nothing else.

    Raises:
        ReportError: with what is missing or what was not measured.
    """
    for part, sentence in zip(PARTS, sentences):
        if not sentence.strip():
            raise ReportError(f"The sentence on “{part}” is empty; write one sentence.")
        if len(sentence) > LONGEST:
            raise ReportError(
                f"The sentence on “{part}” has {len(sentence)} characters; write at most {LONGEST}, so that the "
                "certificate fits on one page."
            )
    stated = {value for value, _ in _figures(sentences[0])}
    for name, value in zip(("factor", "lower end of the interval", "upper end"), _triple(attempt)):
        if not any(_rounds_to(text, value) for text in stated):
            raise ReportError(
                f"The first sentence lacks the {name}, {format_ratio(value)}. {_factor_fact(task, attempt)}"
            )
    reason = attempt["reason"]
    if not any(word in sentences[1].lower() for word in _WORDS.get(reason, (reason,))):
        raise ReportError(f"The second sentence lacks what binds, “{reason}”. {_limit_fact(attempt)}")
    measured = _measured(task, attempt)
    for sentence in sentences:
        for text, unit in _figures(sentence):
            if not any(_rounds_to(text, value) for value in measured[unit]):
                raise ReportError(
                    f"“{text} {unit}” was not measured, so the report can't state it; leave it out, or measure it and "
                    "write it next to your code."
                )


def _figures(sentence: str) -> list[tuple[str, str]]:
    """Each figure with a unit, and both ends of an interval: ``"137× (130–146)"`` has three.

    >>> _figures("137× (130–146) on one thread, 0.2 % of the limit")
    [('137', '×'), ('130', '×'), ('146', '×'), ('0.2', '%')]
    """
    found = [(text, _UNITS.get(unit, unit)) for text, unit in _FIGURE.findall(sentence)]
    ends = re.findall(r"(\d[\d,]*(?:\.\d+)?)×?\s*(?:–|-|to)\s*(\d[\d,]*(?:\.\d+)?)×?", sentence)
    intervals = [(text, "×") for pair in ends for text in pair if (text, "×") not in found]
    return [*found[:1], *intervals, *found[1:]]


def _rounds_to(text: str, value: float) -> bool:
    """Whether ``value`` in as many digits as ``text`` has is ``text``: 136.8 is 137 and 136.8."""
    number = text.replace(",", "")
    decimals = len(number.partition(".")[2])
    shown = float(format_ratio(value).rstrip("×").replace(",", ""))  # a large factor is shown in three figures
    return abs(float(number) - value) <= 0.5001 * 10.0**-decimals or float(number) == shown


def _measured(task: Task, attempt: Mapping[str, Any]) -> dict[str, list[float]]:
    """The figures that a sentence may state, by unit."""
    share = attempt["share"]
    durations = [attempt[name] for name in ("seconds", "slow") if name in attempt]
    seconds = {unit: [duration * scale for duration in durations] for unit, scale in _SCALES.items()}
    return {
        "×": [*_triple(attempt), float(task.target or 0)],
        "%": [95.0, *([100 * share] if share else [])],
        **seconds,
    }


def _triple(attempt: Mapping[str, Any]) -> tuple[float, float, float]:
    return attempt["ratio"], attempt["low"], attempt["high"]


def factor_phrase(attempt: Mapping[str, Any]) -> str:
    """The factor with its interval: ``"137× (95 % interval 130× to 146×)"``."""
    ratio, low, high = map(format_ratio, _triple(attempt))
    return f"{ratio} (95\N{NO-BREAK SPACE}% interval {low} to {high})"


def _factor_fact(task: Task, attempt: Mapping[str, Any]) -> str:
    fact = f"Measured: {factor_phrase(attempt)} as fast as the slow loop, at size {task.race_size}"
    durations = f": {format_duration(attempt['seconds'])} instead of {format_duration(attempt['slow'])}"
    return f"{fact}{durations if 'slow' in attempt else ''}."


def _limit_fact(attempt: Mapping[str, Any]) -> str:
    share = attempt["share"]
    reached = f"; the whole call reaches {format_percent(share)} of the limit" if share else ""
    return f"Measured: the costliest line is `{attempt['line']}`, its reason is “{attempt['reason']}”{reached}."


def _attempt_text(attempt: Mapping[str, Any]) -> str:
    share = "" if not attempt["share"] else f", {format_percent(attempt['share'])} of the limit"
    duration = format_duration(attempt["seconds"])
    return f"{factor_phrase(attempt)}, {duration}{share}, {attempt['reason']}, {attempt['date']}, {attempt['machine']}"
