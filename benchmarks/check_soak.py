"""How often the check is wrong: every answer of the table, many times, while other processes keep all cores busy.

Run it with ``python benchmarks/check_soak.py``; it takes hours (``--times 3`` and ``--task double`` make it shorter). It
prints for each task how many answers of each kind came out as the table of answers says, and how long a check took, and
it lists what did not.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from answers import TABLE, complaint

from course_utils import devices, tasks


def burn() -> None:
    """Keep one core busy for ever."""
    while True:
        sum(range(10_000))


@contextmanager
def busy_cores() -> Iterator[None]:
    """One burning process for each core, until the block ends."""
    processes = [multiprocessing.Process(target=burn, daemon=True) for _ in range(devices.cores())]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.terminate()


def soak(task_id: str, times: int, console: Console) -> tuple[str, ...]:
    """Check all answers to a task so many times; returns a row of the table."""
    answers = [answer for answer in TABLE if answer.task == task_id]
    seconds: dict[bool, list[float]] = {True: [], False: []}
    failures = {True: 0, False: 0}
    for answer in answers:
        for _ in range(times):
            start = perf_counter()
            told = complaint(answer)
            seconds[answer.right].append(perf_counter() - start)
            if told is not None:
                failures[answer.right] += 1
                console.print(f"{answer}: {told}", markup=False)
    parts = []
    for right in (True, False):
        total = len(seconds[right])
        parts += [f"{total - failures[right]} of {total}"]
        parts += [f"{statistics.median(seconds[right]):.1f} s", f"{max(seconds[right]):.1f} s"]
    return task_id, *parts


def main() -> None:
    """Soak the tasks that were asked for, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--times", type=int, default=50, help="how often each answer is checked")
    parser.add_argument("--task", choices=tasks.names(), action="append", help="one task only; may be repeated")
    arguments = parser.parse_args()
    console = Console()
    table = Table(title=f"{devices.describe()}, all of them busy; each answer {arguments.times} times")
    for column in ("task", "right: passed", "median", "longest", "wrong: refused", "median", "longest"):
        table.add_column(column, justify="left" if column == "task" else "right")
    with busy_cores():
        for task_id in arguments.task or tasks.names():
            table.add_row(*soak(task_id, arguments.times, console))
    console.print(table)


if __name__ == "__main__":
    main()
