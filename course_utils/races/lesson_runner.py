"""Runs the races of a lesson without a browser and without Jupyter:
``python -m course_utils.races.lesson_runner LESSON``.

It executes a lesson's code cells one after the other, as a kernel would; if a cell ends in a race, the race runs on the
given device. Each lesson gets a process of its own, because a lesson uses one framework. Results are written as JSON
lines.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import json
import linecache
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from course_utils.core.errors import CourseError
from course_utils.core.processes import ChildProcess, ChildProcessFailed, start_answering
from course_utils.races import Race, RaceResult

BUDGET_S = 20.0  # for one race


class LessonFailed(CourseError):
    """A lesson's races could not be run."""


def lesson_paths(root: Path) -> list[Path]:
    """Return the lessons under ``root/notebooks``, in order."""
    return sorted((root / "notebooks").glob("[0-9]*.ipynb"))


def lesson_framework(lesson: Path) -> str | None:
    """Return the framework that a lesson's metadata names, None if it needs none."""
    metadata = json.loads(lesson.read_text(encoding="utf-8"))["metadata"].get("unloop", {})
    framework = metadata.get("framework")
    return None if framework == "none" else framework


def run_lesson(lesson: Path, device: str, budget_s: float = BUDGET_S) -> Iterator[RaceResult]:
    """Run all races of ``lesson`` on ``device`` in a separate process, and yield each result as soon as it is complete.

    Args:
        lesson: a notebook.
        device: ``"cpu"``, ``"cuda:0"``, …
        budget_s: seconds for each race.

    Raises:
        LessonFailed: if the process ends before the lesson does; the message quotes its last line.
    """
    with ChildProcess(["-m", __name__, str(lesson), "--device", device, "--budget", str(budget_s)]) as child:
        try:
            for text in child.answers():
                yield RaceResult.from_json(text)
        except ChildProcessFailed as failed:
            raise LessonFailed(f"{lesson.name} stopped on {device}: {failed.last_line or 'no message'}") from failed


def lesson_races(lesson: Path) -> Iterator[Race]:
    """Execute the code cells of ``lesson`` and yield the race at the end of each cell that has one.

    A lesson without a race is not executed. A cell tagged ``raises-exception`` may raise, and so may a cell that
    imports a display package that a measuring machine lacks.
    """
    cells = json.loads(lesson.read_text(encoding="utf-8"))["cells"]
    if not any("race(" in "".join(cell["source"]) for cell in cells):
        return
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        may_raise = "raises-exception" in cell["metadata"].get("tags", [])
        try:
            with open(os.devnull, "w", encoding="utf-8") as null, contextlib.redirect_stdout(null):
                last = execute_cell("".join(cell["source"]), f"<{lesson.stem}: {cell['id']}>", namespace)
        except ModuleNotFoundError as missing:
            if missing.name not in ("IPython", "ipywidgets", "matplotlib"):
                raise
        except Exception:
            if not may_raise:
                raise
        else:
            if isinstance(last, Race):
                yield last


def execute_cell(source: str, file: str, namespace: dict[str, Any]) -> Any:
    """Run a cell and return the value of its last line, None if that is not an expression."""
    # TensorFlow's AutoGraph reads the source of functions from this cache.
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    body = ast.parse(source, file).body
    last = body[-1] if body else None
    expression = ast.Expression(last.value) if isinstance(last, ast.Expr) else None
    statements = ast.Module(body[:-1] if expression else body, [])
    exec(compile(statements, file, "exec"), namespace)  # noqa: S102 - the lesson's own code, as in a kernel
    return eval(compile(expression, file, "eval"), namespace) if expression else None


def mute_apparatus() -> None:
    """Replace the commands around a lesson's races, which would show or save something, by functions that do
    nothing."""
    for name in ("predict", "reveal", "machine", "check", "hint"):
        setattr(sys.modules["course_utils"], name, lambda *args, **kwargs: None)


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lesson", type=Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--budget", type=float, default=BUDGET_S)
    arguments = parser.parse_args()
    mute_apparatus()
    answer = start_answering()
    for race in lesson_races(arguments.lesson):
        answer(race.run(device=arguments.device, budget_s=arguments.budget).to_json())


if __name__ == "__main__":
    _main()
