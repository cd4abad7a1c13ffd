"""Measures how often a check is wrong: judges each answer of ``tests/answers`` many times while all cores are busy.

Run ``python benchmarks/check_under_load.py``. A lesson takes about a quarter of an hour; ``--times 3`` and ``--lesson
00_start_here`` shorten that. The script prints for each task how many right answers passed, how many wrong ones were
refused, and how long a check took, and it lists every wrong verdict.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from course_utils import tasks
from course_utils.frameworks import devices, hardware

ROOT = Path(__file__).resolve().parents[1]
LESSONS = tasks.lessons()


def burn() -> None:
    """Keep one core busy until the process is terminated."""
    while True:
        sum(range(10_000))


@contextmanager
def busy_cores() -> Iterator[None]:
    """Return a context in which one busy process runs per core."""
    processes = [multiprocessing.Process(target=burn, daemon=True) for _ in range(hardware.core_count())]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.terminate()


def check_answers(lesson: str, times: int) -> list[dict[str, Any]]:
    """Return the outcome of each answer of a lesson, judged ``times`` times in another process."""
    command = [sys.executable, "-m", "answers", lesson, "--times", str(times)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), str(ROOT)])}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):  # 1 means that some verdicts were wrong, which the table counts.
        done.check_returncode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def columns_of(outcomes: list[dict[str, Any]], right: bool) -> tuple[str, str, str]:
    """Return, for the right or the wrong answers, the number of correct verdicts, and the median and longest
    seconds."""
    seconds = [second for each in outcomes if each["right"] is right for second in each["seconds"]]
    failures = sum(len(each["complaints"]) for each in outcomes if each["right"] is right)
    return f"{len(seconds) - failures} of {len(seconds)}", f"{statistics.median(seconds):.1f}", f"{max(seconds):.1f}"


def main() -> None:
    """Check the chosen lessons, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--times", type=int, default=50, help="how often each answer is judged")
    parser.add_argument("--lesson", choices=LESSONS, action="append", help="only this lesson; may be repeated")
    arguments = parser.parse_args()
    console = Console(width=100)
    with busy_cores():
        for lesson in arguments.lesson or LESSONS:
            show(lesson, check_answers(lesson, arguments.times), console)


def show(lesson: str, outcomes: list[dict[str, Any]], console: Console) -> None:
    """Print the wrong verdicts and the table of one lesson."""
    table = Table(title=f"{lesson}, on {devices.describe()}, all of them busy; seconds per check")
    for column in ("task", "right: passed", "median", "longest", "wrong: refused", "median", "longest"):
        table.add_column(column, justify="left" if column == "task" else "right")
    for each in outcomes:
        for complaint in each["complaints"]:
            console.print(f"{each['answer']}: {complaint}", markup=False)
    for task_id in tasks.ids(lesson):
        mine = [each for each in outcomes if each["task"] == task_id]
        table.add_row(task_id, *columns_of(mine, True), *columns_of(mine, False))
    console.print(table)


if __name__ == "__main__":
    main()
