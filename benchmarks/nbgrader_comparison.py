"""Compares the time in which ``unloop grade`` and ``nbgrader autograde`` grade one submission of lesson 03.

Run ``python benchmarks/nbgrader_comparison.py`` on a quiet machine. Both grade the reference solutions. The grader's process is
warm, as it is for all submissions of a class except the first. The two alternate, and the script prints the medians.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from course_utils.grading import AnswerCell, Submission, Zygotes, grade

ROOT = Path(__file__).resolve().parents[1]
LESSON, ASSIGNMENT = "03_element_loops", "unloop"


def submission() -> Submission:
    """Return the reference solutions as a submission."""
    cells = []
    notebook = json.loads((ROOT / "solutions" / f"{LESSON}.ipynb").read_text(encoding="utf-8"))
    for index, cell in enumerate(notebook["cells"]):
        marked = cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] == "code" and cell["id"] != "setup" and not marked.get("grade"):
            task_id = cell["id"].removesuffix("-answer").replace("-", "_") if marked.get("solution") else ""
            cells.append(AnswerCell(task_id, "".join(cell["source"]), index))
    return Submission("reference", LESSON, tuple(cells))


def nbgrader_s(course: Path) -> float:
    """Return the seconds that ``nbgrader autograde`` takes for one submission."""
    command = [sys.executable, "-m", "nbgrader", "autograde", ASSIGNMENT, "--force", f"--course-dir={course}"]
    start = perf_counter()
    subprocess.run(command, cwd=course, env=environment(course), check=True, capture_output=True)
    return perf_counter() - start


def environment(course: Path) -> dict[str, str]:
    """Return environment variables with which nbgrader finds its commands and leaves this user's progress alone."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return os.environ | {"PATH": path, "UNLOOP_HOME": str(course / "home"), "PYTHONPATH": str(ROOT)}


def prepare(course: Path) -> None:
    """Make an nbgrader course with one released assignment and one submission."""
    text = (ROOT / "solutions" / f"{LESSON}.ipynb").read_bytes()
    for folder in (course / "source" / ASSIGNMENT, course / "submitted" / "reference" / ASSIGNMENT):
        folder.mkdir(parents=True)
        (folder / f"{LESSON}.ipynb").write_bytes(text)
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", ASSIGNMENT, f"--course-dir={course}"]
    subprocess.run(command, cwd=course, env=environment(course), check=True, capture_output=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    submitted, ours, theirs = submission(), [], []
    with tempfile.TemporaryDirectory() as folder, Zygotes() as zygotes:
        prepare(Path(folder))
        grade(submitted, zygotes=zygotes)  # This call only warms up the process.
        for _ in range(rounds):
            start = perf_counter()
            marks = grade(submitted, zygotes=zygotes)
            ours.append(perf_counter() - start)
            assert all(mark.verdict == "right" for mark in marks), marks
            theirs.append(nbgrader_s(Path(folder)))
    one, other = statistics.median(ours), statistics.median(theirs)
    print(
        f"{LESSON}, {rounds} rounds: the grader takes {one:.2f} s, nbgrader {other:.2f} s, {other / one:.1f} times as long."
    )


if __name__ == "__main__":
    main()
