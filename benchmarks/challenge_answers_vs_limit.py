"""Measures how close the right answers to the challenges come to the machine's limit.

Run ``python benchmarks/challenge_answers_vs_limit.py > benchmarks/challenge_answers_vs_limit.md`` on a quiet machine; it
takes about five minutes. It first measures the limits. Then it judges each right answer of ``tests/answers`` and measures
its share of the limit five times, as the exercise's card does; the table shows the median.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from course_utils import frameworks, limits, tasks
from course_utils.core.processes import ChildProcess, start_answering
from course_utils.core.wording import format_percent, format_tick_duration
from course_utils.frameworks import across_frameworks
from course_utils.judging import Answer, judge
from course_utils.judging.speed_position import SpeedPosition, measure_speed_position
from course_utils.races import lesson_runner

ROOT = Path(__file__).resolve().parents[1]
CHALLENGE_LEVEL = 3
REPEATS = 5
INTRODUCTION = """# How close the challenges come to the limit

Made by `python benchmarks/challenge_answers_vs_limit.py`, which explains the columns, on: {signature}.

The share is relative to the limit that the task's cost sets on this machine, at the size of its race. A ≈ marks a limit
that did not settle, because the machine was busy when it was measured.

| Challenge | Best answer in the table | Time | Share of the limit | Limit | Next best answer |
|---|---|---|---|---|---|"""


def measure_answers(framework: str) -> None:
    """Send each right answer to the challenges of one framework to the parent process, with its time and its share."""
    sys.path.insert(0, str(ROOT / "tests"))
    import answers

    send = start_answering()
    for task_id in tasks.names():
        if framework_of(task_id) != framework:
            continue
        task = tasks.load(task_id)
        if task.level != CHALLENGE_LEVEL:
            continue
        for answer in answers.task_answers(task_id):
            if not answer.right or not judge(task, Answer(answer.function, task)).right:
                continue
            with across_frameworks.threads(1):
                positions = [measure_speed_position(task, answer.function) for _ in range(REPEATS)]
            measured = [position for position in positions if position is not None]
            if measured:
                send(medians(task_id, answer.label, measured))


def medians(task_id: str, label: str, positions: list[SpeedPosition]) -> dict[str, Any]:
    """Return one answer's median time and median share of the limit, as plain data."""
    limit = positions[0].limit
    return {
        "task": task_id,
        "label": label,
        "seconds": statistics.median(each.seconds for each in positions),
        "share": statistics.median(each.share or 0.0 for each in positions),
        "binding": limit.binding if limit else "–",
        "mark": limit.approx if limit else "",
    }


def framework_of(task_id: str) -> str | None:
    """Return the framework of the task's lesson without loading the task, which needs its framework."""
    return lesson_runner.lesson_framework(ROOT / "notebooks" / f"{tasks.lesson_of(task_id)}.ipynb")


def table_rows(results: list[dict[str, Any]]) -> list[str]:
    """Return one Markdown row per challenge, in the order of the lessons."""
    rows = []
    for task_id in sorted({each["task"] for each in results}, key=tasks.lesson_of):
        best, *others = sorted((each for each in results if each["task"] == task_id), key=lambda each: -each["share"])
        next_best = f"{others[0]['label']}: {format_percent(others[0]['share'])}" if others else "–"
        lesson = tasks.lesson_of(task_id).partition("_")[0]
        rows.append(
            f"| {lesson} `{task_id}` | {best['label']} | {format_tick_duration(best['seconds'])} | "
            f"{best['mark']}{format_percent(best['share'])} | {best['binding']} | {next_best} |"
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--framework", choices=("torch", "tensorflow"), help="measure only this one and print JSON")
    arguments = parser.parse_args()
    if arguments.framework:
        measure_answers(arguments.framework)
        return
    with tempfile.TemporaryDirectory() as home:
        os.environ["UNLOOP_HOME"] = home  # The stored limits of this machine stay as they are.
        peaks = limits.measure_peaks()
        results = []
        for framework in frameworks.installed_versions():
            with ChildProcess([__file__, "--framework", framework]) as child:
                results += list(child.answers())
    versions = " · ".join(f"{name} {version}" for name, version in peaks.versions.items())
    print(INTRODUCTION.format(signature=f"{peaks.machine} · cpu, 1 thread · {versions} · {peaks.date}"))
    print("\n".join(table_rows(results)))


if __name__ == "__main__":
    main()
