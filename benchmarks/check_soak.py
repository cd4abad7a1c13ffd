"""How often the check is wrong: every answer of the table, many times, while other processes keep all cores busy.

Run it with ``python benchmarks/check_soak.py``; it takes about a quarter of an hour a lesson (``--times 3`` and
``--lesson 00_start_here`` make it shorter). It prints for each task how many answers of each kind came out as the table
of answers says, and how long a check took, and it lists what did not.
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
    """Keep one core busy for ever."""
    while True:
        sum(range(10_000))


@contextmanager
def busy_cores() -> Iterator[None]:
    """One burning process for each core, until the block ends."""
    processes = [multiprocessing.Process(target=burn, daemon=True) for _ in range(hardware.core_count())]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.terminate()


def soaked(lesson: str, times: int) -> list[dict[str, Any]]:
    """What came of each answer of a lesson, checked so many times in a process of its own."""
    command = [sys.executable, "-m", "answers", lesson, "--times", str(times)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), str(ROOT)])}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):  # 1 says that some check was wrong, which is what is counted here
        done.check_returncode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def row(found: list[dict[str, Any]], right: bool) -> tuple[str, str, str]:
    """How many checks came out as they should, and the median and the longest of their seconds."""
    seconds = [second for each in found if each["right"] is right for second in each["seconds"]]
    failures = sum(len(each["complaints"]) for each in found if each["right"] is right)
    return f"{len(seconds) - failures} of {len(seconds)}", f"{statistics.median(seconds):.1f}", f"{max(seconds):.1f}"


def main() -> None:
    """Soak the lessons that were asked for, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--times", type=int, default=50, help="how often each answer is checked")
    parser.add_argument("--lesson", choices=LESSONS, action="append", help="one lesson only; may be repeated")
    arguments = parser.parse_args()
    console = Console(width=100)
    with busy_cores():
        for lesson in arguments.lesson or LESSONS:
            show(lesson, soaked(lesson, arguments.times), console)


def show(lesson: str, found: list[dict[str, Any]], console: Console) -> None:
    """Print what did not come out as it should, and the table of one lesson."""
    table = Table(title=f"{lesson}, on {devices.describe()}, all of them busy; seconds a check")
    for column in ("task", "right: passed", "median", "longest", "wrong: refused", "median", "longest"):
        table.add_column(column, justify="left" if column == "task" else "right")
    for each in found:
        for complaint in each["complaints"]:
            console.print(f"{each['answer']}: {complaint}", markup=False)
    for task_id in tasks.ids(lesson):
        mine = [each for each in found if each["task"] == task_id]
        table.add_row(task_id, *row(mine, True), *row(mine, False))
    console.print(table)


if __name__ == "__main__":
    main()
