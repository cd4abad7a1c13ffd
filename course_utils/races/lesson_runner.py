"""The races of a lesson, run without a browser and without Jupyter: ``python -m course_utils.races.lesson_runner LESSON --device cpu``.

A lesson's code cells are executed one after the other, as a kernel would; where a cell ends in a race, that race runs on
the given device. One process a lesson, since a lesson uses one framework. Results go out as JSON lines.
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
    """A lesson's races could not be run here."""


def paths(root: Path) -> list[Path]:
    """The lessons under ``root/notebooks``, in order."""
    return sorted((root / "notebooks").glob("[0-9]*.ipynb"))


def framework_of(lesson: Path) -> str | None:
    """The framework that a lesson says it needs, None where it needs none."""
    about = json.loads(lesson.read_text(encoding="utf-8"))["metadata"].get("unloop", {})
    named = about.get("framework")
    return None if named == "none" else named


def record(lesson: Path, device: str, budget_s: float = BUDGET_S) -> Iterator[RaceResult]:
    """Run all races of ``lesson`` on ``device`` in a process of their own and yield each result as it comes.

    Args:
        lesson: a notebook.
        device: ``"cpu"``, ``"cuda:0"``, …
        budget_s: seconds for each race.

    Raises:
        LessonFailed: when the process ends before the lesson does; its last words are in the message.
    """
    with ChildProcess(["-m", __name__, str(lesson), "--device", device, "--budget", str(budget_s)]) as child:
        try:
            for text in child.answers():
                yield RaceResult.from_json(text)
        except ChildProcessFailed as failed:
            raise LessonFailed(f"{lesson.name} stopped on {device}: {failed.last_line or 'no message'}") from failed


def races_of(lesson: Path) -> Iterator[Race]:
    """Execute the code cells of ``lesson`` and yield the race at the end of each cell that has one.

    A cell tagged ``raises-exception`` may raise; so may one that needs a package for showing things, which a machine that
    only measures lacks.
    """
    cells = json.loads(lesson.read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        may_raise = "raises-exception" in cell["metadata"].get("tags", [])
        try:
            with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
                last = _execute("".join(cell["source"]), f"<{lesson.stem}: {cell['id']}>", names)
        except ModuleNotFoundError as missing:
            if missing.name not in ("IPython", "ipywidgets", "matplotlib"):
                raise
        except Exception:
            if not may_raise:
                raise
        else:
            if isinstance(last, Race):
                yield last


def _execute(source: str, name: str, names: dict[str, Any]) -> Any:
    """Run a cell and return the value of its last line, None where that is no expression."""
    # TensorFlow's AutoGraph reads a function's source again.
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    body = ast.parse(source, name).body
    last = body[-1] if body else None
    shown = ast.Expression(last.value) if isinstance(last, ast.Expr) else None
    exec(compile(ast.Module(body[:-1] if shown else body, []), name, "exec"), names)  # noqa: S102 - the lesson's own code, as in a kernel
    return eval(compile(shown, name, "eval"), names) if shown else None


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lesson", type=Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--budget", type=float, default=BUDGET_S)
    given = parser.parse_args()
    # Nobody watches and nobody learns: what a lesson shows and keeps besides races stays silent here.
    for verb in ("predict", "reveal", "machine", "task", "check", "hint"):
        setattr(sys.modules["course_utils"], verb, lambda *args, **kwargs: None)
    answer = start_answering()
    for race in races_of(given.lesson):
        answer(race.run(device=given.device, budget_s=given.budget).to_json())


if __name__ == "__main__":
    _main()
