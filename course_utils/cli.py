"""The command ``unloop``: each subcommand calls one function of the course and prints what it returns."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from course_utils import doctor as doctors
from course_utils.core.errors import CourseError
from course_utils.core.wording import format_duration, pluralize
from course_utils.frameworks import NAMES
from course_utils.limits import Peaks
from course_utils.races import lesson_runner, record_races, recordings

ROOT = Path(__file__).resolve().parents[1]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Unloop: slow loop in, hardware limit out.")
author = typer.Typer(no_args_is_help=True, help="For those who write lessons; needs the extra `dev`.")
app.add_typer(author, name="author")


def main() -> None:
    """Run the command; an error of the course is one sentence and exit code 1."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # TensorFlow speaks up for errors only
    try:
        app()
    except CourseError as error:
        sys.exit(str(error))
    except ModuleNotFoundError as missing:
        if missing.name not in ("nbformat", "nbclient", "nbgrader"):
            raise
        sys.exit(f'Authors\' tools need {missing.name}; `pip install -c constraints.txt -e ".[dev]"` brings it.')


@app.command()
def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False) -> None:
    """Say what is here, and what will not work and why. Exit code 1 when something that the course needs is missing."""
    report = doctors.examine()
    if as_json:
        print(report.to_json())
    else:
        _print_report(report)
    raise typer.Exit(0 if report.can_learn else 1)


@app.command()
def record(
    device: Annotated[str, typer.Option(help="cpu, cuda:0, …")] = "cpu",
    lesson: Annotated[str, typer.Option(help="Only lessons whose name starts so, as in 03.")] = "",
    budget: Annotated[float, typer.Option(help="Seconds for each race.")] = lesson_runner.BUDGET_S,
    framework: Annotated[str, typer.Option(help="Only lessons in this framework; no other one is started.")] = "",
) -> None:
    """Run the races of all lessons on a device and keep them in recordings/, with a table in benchmarks/."""
    if device == "cuda":
        device = "cuda:0"
    if framework and framework not in NAMES:
        raise CourseError(f"No lesson is in {framework!r}; choose one of: {', '.join(NAMES)}.")
    named = [path for path in lesson_runner.lesson_paths(ROOT) if path.name.startswith(lesson)]
    chosen = [path for path in named if framework in ("", lesson_runner.lesson_framework(path))]
    if not chosen:
        which = f"No {framework} lesson's name" if framework else "No lesson's name"
        raise CourseError(f"{which} starts with {lesson!r}; the folder notebooks/ shows those that there are.")
    recordings.folder().mkdir(exist_ok=True)  # before an hour of races, not after it
    told = partial(print, flush=True)
    kept = record_races.record_races(chosen, device, budget, recordings.folder(), ROOT / "benchmarks", told)
    if not kept:
        raise CourseError(f"No race could be run on {device!r}; `unloop doctor` says what is missing.")
    print(f"{pluralize(kept, 'race')} kept in recordings/, with a table in benchmarks/.")


@app.command()
def address() -> None:
    """Write the repository's address from pyproject.toml into every badge and set-up cell, and renew the README's table."""
    from course_utils.authoring.address import update_files

    _print_changed(update_files(ROOT))


@author.command()
def run(notebooks: Annotated[list[Path], typer.Argument(exists=True)]) -> None:
    """Execute notebooks in place and save them in canonical form."""
    from course_utils.authoring import execute

    execute.run(notebooks)


@author.command()
def check() -> None:
    """Say what keeps any notebook from canonical form; exit code 1 if something does."""
    from course_utils.authoring import canonical

    violations = [each for path in canonical.notebook_paths(ROOT) for each in canonical.violations(path)]
    print("\n".join(violations) or "All notebooks are in canonical form.")
    raise typer.Exit(1 if violations else 0)


@author.command()
def exercises() -> None:
    """Derive exercises/ from solutions/."""
    from course_utils.authoring.generate_exercises import generate

    _print_changed(generate(ROOT))


def _print_changed(changed: list[Path]) -> None:
    print("\n".join(f"{path.relative_to(ROOT)} was renewed." for path in changed) or "Nothing had to change.")


def _print_report(report: doctors.Report) -> None:
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_row("Course", f"unloop {report.course}")
    table.add_row("Python", f"{report.python} on {report.system}")
    table.add_row("Machine", report.machine)
    for framework in report.frameworks:
        found = ", ".join(f"{name} ({description})" for name, description in framework.devices)
        table.add_row(framework.name, f"{framework.version or 'not installed'}  {escape(framework.error) or found}")
    for name, version in report.libraries.items():
        table.add_row(name, version or "not installed")
    for device, peaks in report.peaks.items():
        table.add_row(f"Limits of {device}", _limits_in_words(peaks))
    console = Console(highlight=False)
    console.print(table)
    console.print()
    for problem in report.problems:
        mark = "[bold red]✗[/]" if problem.hinders else "[yellow]–[/]"
        console.print(f"{mark} {escape(problem.sentence)}")
    console.print("[bold green]✓[/] The course runs here." if report.can_learn else "The course does not run here yet.")


def _limits_in_words(peaks: Peaks | None) -> str:
    if peaks is None:
        return "not measured yet; Run does in any race"
    flops = ", ".join(f"{dtype} {rate / 1e9:,.0f} GFLOP/s" for dtype, rate in peaks.matmul.items())
    memory = f"{peaks.ladder[-1][1] / 1e9:,.0f} GB/s for a copy beyond the caches"
    return f"{memory}; matmul {flops}; launch {format_duration(peaks.launch_s)} (measured {peaks.date})"
