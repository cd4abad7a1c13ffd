"""The three sentences of a report: each figure with a unit in them must be one that the course has measured."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from course_utils.core.errors import CourseError
from course_utils.core.wording import format_duration, format_percent, format_ratio
from course_utils.tasks import Task

PARTS = ("The factor, with its interval", "The limit that binds", "What you would do next")
"""What each of the three sentences is about."""

LONGEST = 300
"""The most characters of a sentence."""

_UNIT = r"×|x\b|times\b|%|ms\b|µs\b|us\b|s\b|seconds\b"
_FIGURE = re.compile(rf"(?<![\w.,])(\d[\d,]*(?:\.\d+)?)\s*({_UNIT})")
_SIZE = re.compile(rf"(?<![\w.,])\d+(?:\s*[×x]\s*\d+)+(?!\d|[.,]\d|\s*(?:{_UNIT}|–|-|to\b))")
"""The size of a map, as in "36 × 36 pixels": no figure, unlike "137× 95 %" and "137× 130–146"."""
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
                f"The first sentence lacks the {name}, {format_ratio(value)}. {factor_fact(task, attempt)}"
            )
    reason = attempt["reason"]
    if not any(word in sentences[1].lower() for word in _WORDS.get(reason, (reason,))):
        raise ReportError(f"The second sentence lacks the limit that binds, “{reason}”. {limit_fact(attempt)}")
    measured = _measured_figures(task, attempt)
    for sentence in sentences:
        for text, unit in _figures(sentence):
            if not any(_rounds_to(text, value) for value in measured[unit]):
                raise ReportError(
                    f"“{text} {unit}” was not measured, so the report can't state it; leave it out, or measure it and "
                    "write it next to your code."
                )


def _figures(sentence: str) -> list[tuple[str, str]]:
    """Return each figure with a unit, and both ends of an interval: ``"137× (130–146)"`` has three. A size is no figure.

    >>> _figures("137× (130–146) on one thread, 0.2 % of the limit")
    [('137', '×'), ('130', '×'), ('146', '×'), ('0.2', '%')]
    >>> _figures("137× on six maps of 36 × 36 pixels")
    [('137', '×')]
    """
    sentence = _SIZE.sub("", sentence)
    figures = [(text, _UNITS.get(unit, unit)) for text, unit in _FIGURE.findall(sentence)]
    ends = re.findall(r"(\d[\d,]*(?:\.\d+)?)×?\s*(?:–|-|to)\s*(\d[\d,]*(?:\.\d+)?)×?", sentence)
    intervals = [(text, "×") for pair in ends for text in pair if (text, "×") not in figures]
    return [*figures[:1], *intervals, *figures[1:]]


def _rounds_to(text: str, value: float) -> bool:
    """Return whether ``value``, rounded to the digits of ``text``, equals ``text``: 136.8 matches "137" and "136.8"."""
    number = text.replace(",", "")
    decimals = len(number.partition(".")[2])
    shown = float(format_ratio(value).rstrip("×").replace(",", ""))  # a large factor is shown in three figures
    return abs(float(number) - value) <= 0.5001 * 10.0**-decimals or float(number) == shown


def _measured_figures(task: Task, attempt: Mapping[str, Any]) -> dict[str, list[float]]:
    """Return the figures that a sentence may state, by unit."""
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
    """Return the factor with its interval: ``"137× (95 % interval 130× to 146×)"``."""
    ratio, low, high = map(format_ratio, _triple(attempt))
    return f"{ratio} (95\N{NO-BREAK SPACE}% interval {low} to {high})"


def factor_fact(task: Task, attempt: Mapping[str, Any]) -> str:
    """Return the sentence that states the factor, its interval and both durations."""
    fact = f"Measured: {factor_phrase(attempt)} as fast as the slow loop, at size {task.race_size}"
    if "slow" in attempt:
        fact += f": {format_duration(attempt['seconds'])} instead of {format_duration(attempt['slow'])}"
    return f"{fact}."


def limit_fact(attempt: Mapping[str, Any]) -> str:
    """Return the sentence that states the costliest line, its reason and the share of the limit."""
    share = attempt["share"]
    reached = f"; the whole call reaches {format_percent(share)} of the limit" if share else ""
    return f"Measured: the costliest line is `{attempt['line']}`, its reason is “{attempt['reason']}”{reached}."
