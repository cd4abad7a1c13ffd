"""How near to the limit the challenges let one come: the best right answer of each, as its card would place it.

Run it with ``python benchmarks/challenges.py > benchmarks/challenges.md`` on a quiet machine; it takes about five minutes. It
measures the limits first. Each right answer in the table of the tests is judged, then placed five times, and its share of
the limit is the median of the five.
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
from course_utils.frameworks import runtime
from course_utils.judging import Answer, judge
from course_utils.judging.speed_position import SpeedPosition, measure_speed_position
from course_utils.races import lesson_runner

ROOT = Path(__file__).resolve().parents[1]
CHALLENGE = 3
PLACES = 5
INTRODUCTION = """# How near to the limit the challenges let one come

Made by `python benchmarks/challenges.py`, which says what the columns mean, on: {signature}.

The share is that of the limit which the task's cost sets on this machine, at the size of its race. A ≈ stands where that limit did
not settle, since the machine was busy when it was measured.

| Challenge | Best answer in the table | Time | Of the limit | What sets it | Next best way |
|---|---|---|---|---|---|"""


def placed(framework: str) -> None:
    """Say as JSON what each right answer to the challenges of one framework reaches."""
    sys.path.insert(0, str(ROOT / "tests"))
    import answers

    answer = start_answering()
    for task_id in tasks.names():
        task = tasks.load(task_id) if framework_of(task_id) == framework else None
        if task is None or task.level != CHALLENGE:
            continue
        for each in answers.task_answers(task_id):
            if not each.right or not judge(task, Answer(each.function, task)).right:
                continue
            with runtime.threads(1):
                found = [
                    where for _ in range(PLACES) if (where := measure_speed_position(task, each.function)) is not None
                ]
            if found:
                answer(told(task_id, each.label, found))


def told(task_id: str, label: str, found: list[SpeedPosition]) -> dict[str, Any]:
    """One answer's medians, as plain data."""
    limit = found[0].limit
    return {
        "task": task_id,
        "label": label,
        "seconds": statistics.median(each.seconds for each in found),
        "share": statistics.median(each.share or 0.0 for each in found),
        "binding": limit.binding if limit else "–",
        "mark": limit.approx if limit else "",
    }


def framework_of(task_id: str) -> str | None:
    """As its lesson says: a task is loaded only where its framework is."""
    return lesson_runner.lesson_framework(ROOT / "notebooks" / f"{tasks.lesson_of(task_id)}.ipynb")


def rows(found: list[dict[str, Any]]) -> list[str]:
    """A row a challenge, by lesson."""
    lines = []
    for task_id in sorted({each["task"] for each in found}, key=tasks.lesson_of):
        mine = sorted((each for each in found if each["task"] == task_id), key=lambda each: -each["share"])
        best, *others = mine
        runner = f"{others[0]['label']}: {format_percent(others[0]['share'])}" if others else "–"
        lesson = tasks.lesson_of(task_id).partition("_")[0]
        lines.append(
            f"| {lesson} `{task_id}` | {best['label']} | {format_tick_duration(best['seconds'])} | "
            f"{best['mark']}{format_percent(best['share'])} | {best['binding']} | {runner} |"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--framework", choices=("torch", "tensorflow"), help="one only, and as JSON")
    given = parser.parse_args()
    if given.framework:
        placed(given.framework)
        return
    with tempfile.TemporaryDirectory() as home:
        os.environ["UNLOOP_HOME"] = home  # the limits that are known here stay as they are
        peaks = limits.measure_peaks()
        found = []
        for framework in frameworks.installed_versions():
            with ChildProcess([__file__, "--framework", framework]) as child:
                found += list(child.answers())
    versions = " · ".join(f"{name} {version}" for name, version in peaks.versions.items())
    print(INTRODUCTION.format(signature=f"{peaks.machine} · cpu, 1 thread · {versions} · {peaks.date}"))
    print("\n".join(rows(found)))


if __name__ == "__main__":
    main()
