"""Grades a class twice: once without interruption, once killed twice on the way. Both must end with the same rows.

Run ``python benchmarks/interrupted_grading.py --workers 2`` on a quiet machine. It takes about twice as long as the
uninterrupted run that it reports; ``--students 30`` takes a tenth of the time. A third of the students hand in the
solutions of lesson 03, a third no answers, and a third wrong answers to every other task. The commands are
those that an instructor runs, and ``kill -9`` ends the first two.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from course_utils import tasks
from course_utils.core.wording import format_duration, pluralize
from course_utils.frameworks import devices

ROOT = Path(__file__).resolve().parents[1]
LESSON = "03_element_loops"
UNLOOP = [sys.executable, "-c", "from course_utils.cli import main; main()"]
WRONG = "return args[0]"


def write_class(folder: Path, students: int) -> None:
    """Write one folder per student, each with a notebook."""
    for number in range(students):
        notebook = json.loads((ROOT / "solutions" / f"{LESSON}.ipynb").read_text(encoding="utf-8"))
        for place, task_id in enumerate(tasks.ids(LESSON)):
            cell = next(each for each in notebook["cells"] if each["id"] == f"{task_id.replace('_', '-')}-answer")
            if number % 3 == 1:
                cell["source"] = f"def {task_id}(*args):\n    raise NotImplementedError()"
            elif number % 3 == 2 and place % 2:
                cell["source"] = f"def {task_id}(*args):\n    {WRONG}  # student {number}"
        file = folder / f"Student {number:03}" / f"{LESSON}.ipynb"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(notebook), encoding="utf-8")


def grade(folder: Path, out: Path, options: list[str], kill_at: int | None = None) -> None:
    """Run ``unloop grade``, and kill it as soon as its journal has ``kill_at`` lines."""
    journal = out / "journal.jsonl"
    with subprocess.Popen(
        [*UNLOOP, "grade", folder, "--out", out, *options], cwd=ROOT, stderr=subprocess.DEVNULL
    ) as run:
        while run.poll() is None:
            time.sleep(0.05)
            if kill_at is not None and journal.exists() and journal.read_bytes().count(b"\n") >= kill_at:
                run.kill()
    if (run.returncode == 0) != (kill_at is None):
        raise SystemExit(f"unloop grade ended with code {run.returncode}.")


def rows(out: Path) -> list[tuple[str, ...]]:
    """Return student, task, points and verdict of each row, without the message, which shows random inputs."""
    with open(out / "grades.csv", encoding="utf-8", newline="") as stream:
        return [(row["student"], row["task"], row["points"], row["verdict"]) for row in csv.DictReader(stream)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--workers", type=int, default=1)
    given, further = parser.parse_known_args()
    options = ["--workers", str(given.workers), *further]
    with tempfile.TemporaryDirectory() as temporary:
        folder, whole, killed = (Path(temporary, name) for name in ("class", "whole", "killed"))
        write_class(folder, given.students)
        start = time.perf_counter()
        grade(folder, whole, options)
        seconds = time.perf_counter() - start
        expected = rows(whole)
        for share in (1, 2):
            grade(folder, killed, options, kill_at=len(expected) * share // 3)
        grade(folder, killed, options)
        found = rows(killed)
        lines = (killed / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    different = [pair for pair in itertools.zip_longest(expected, found) if pair[0] != pair[1]]
    verdicts = ", ".join(f"{count} {word}" for word, count in sorted(Counter(row[3] for row in expected).items()))
    print(f"{given.students} submissions, {len(expected)} rows in one go ({verdicts}), on {devices.describe()}.")
    each = format_duration(seconds / given.students)
    print(f"{format_duration(seconds)} in one go with {pluralize(given.workers, 'worker')}: {each} a submission.")
    print(f"Killed twice: {len(found)} rows, {len(lines)} marks in the journal, {len(different)} rows differ.")
    for before, after in different[:10]:
        print("  ", before, after)
    raise SystemExit(1 if different or len(lines) != len(expected) else 0)


if __name__ == "__main__":
    main()
