"""The command ``unloop``: each subcommand calls one function of the course and prints its result."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from course_utils import class_preflight
from course_utils import doctor as doctor_report
from course_utils.core.errors import CourseError
from course_utils.core.wording import format_duration, pluralize
from course_utils.frameworks import NAMES
from course_utils.limits import Peaks
from course_utils.limits.peaks import COPYING
from course_utils.races import lesson_runner, record_races, recordings

ROOT = Path(__file__).resolve().parents[1]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Unloop: slow loop in, hardware limit out.")
author = typer.Typer(no_args_is_help=True, help="Commands for authors of lessons; they need the extra `dev`.")
app.add_typer(author, name="author")


def main() -> None:
    """Run the command; an error of the course is printed as one sentence, with exit code 1."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # TensorFlow logs fewer messages.
    try:
        app()
    except CourseError as error:
        sys.exit(str(error))
    except ModuleNotFoundError as missing:
        if missing.name in ("starlette", "uvicorn"):
            sys.exit(
                f'This command needs {missing.name}, which is not installed; `pip install -e ".[board]"` installs it.'
            )
        if missing.name not in ("nbformat", "nbclient", "nbgrader", "myst_parser", "sphinx"):
            raise
        install = 'pip install -c constraints.txt -e ".[dev]"'
        sys.exit(f"This command needs {missing.name}, which is not installed; `{install}` installs it.")


@app.command()
def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False) -> None:
    """Show the machine, the versions and what will not work. The exit code is 1 if the lessons cannot run."""
    report = doctor_report.examine()
    if as_json:
        print(report.to_json())
    else:
        _print_report(report)
    raise typer.Exit(0 if report.can_learn else 1)


@app.command()
def preflight(folder: Annotated[Path, typer.Argument(help="It holds one file per person.")]) -> None:
    """Show which people in a class can work, from their `unloop doctor --json` files. The exit code is 1 if anyone
    can't."""
    people = class_preflight.examine_class(folder)
    table = Table("Name", "Can work", "What to do")
    for person in people:
        actions = "\n".join(person.actions)
        table.add_row(escape(person.name), person.can_work, escape(actions) or "nothing")
    console = Console(highlight=False)
    console.print(table)
    able = sum(bool(person.frameworks) for person in people)
    unreadable = sum(person.unreadable for person in people)
    summary = f"{able} of {len(people)} can work, {len(people) - able - unreadable} cannot"
    console.print(summary + (f", and {pluralize(unreadable, 'file')} cannot be read." if unreadable else "."))
    raise typer.Exit(0 if able == len(people) else 1)


@app.command()
def record(
    device: Annotated[str, typer.Option(help="cpu, cuda:0, …")] = "cpu",
    lesson: Annotated[str, typer.Option(help="Only lessons whose file name starts with this, such as 03.")] = "",
    budget: Annotated[float, typer.Option(help="Seconds per race.")] = lesson_runner.BUDGET_S,
    framework: Annotated[str, typer.Option(help="Only lessons in this framework; the other one is not started.")] = "",
) -> None:
    """Run the races of all lessons on a device and store them in recordings/, with a table in benchmarks/."""
    if device == "cuda":
        device = "cuda:0"
    if framework and framework not in NAMES:
        raise CourseError(f"There are no lessons in {framework!r}; choose one of: {', '.join(NAMES)}.")
    paths = [path for path in lesson_runner.lesson_paths(ROOT) if path.name.startswith(lesson)]
    paths = [path for path in paths if framework in ("", lesson_runner.lesson_framework(path))]
    if not paths:
        lessons = f"{framework} lesson" if framework else "lesson"
        raise CourseError(f"No {lessons} starts with {lesson!r}; the folder notebooks/ lists the lessons.")
    recordings.folder().mkdir(exist_ok=True)  # Fail now if it cannot be created, not after an hour of races.
    tell = partial(print, flush=True)
    count = record_races.record_races(paths, device, budget, recordings.folder(), ROOT / "benchmarks", tell)
    if not count:
        raise CourseError(f"No race could run on {device!r}; `unloop doctor` shows what is missing.")
    print(f"{pluralize(count, 'race')} recorded in recordings/, with a table in benchmarks/.")


@app.command()
def address() -> None:
    """Update everything that is generated from pyproject.toml and the lessons' metadata: addresses, badges, tables."""
    from course_utils.authoring.address import update_files

    _print_changed(update_files(ROOT))


@app.command()
def board(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8787,
    host: Annotated[str, typer.Option(help="0.0.0.0 lets other machines of the network join.")] = "127.0.0.1",
    keep: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the events in a file.")] = None,
) -> None:
    """Start a class board, and print how to join and see it; Ctrl+C ends it and, without --keep, deletes its events."""
    import asyncio

    from course_utils.board import server

    listener = server.listen(host, port)
    host_port = server.host_port_of(listener)
    room = server.Board(host_port, keep)
    print(f'Learners:   from course_utils import join\n            join("{host_port}/{room.code}", "any name")')
    print(f"You:        http://{host_port}/?key={room.key}", flush=True)
    with suppress(KeyboardInterrupt):
        asyncio.run(server.serve(room, listener))
    print("The board has ended." if keep else "The board has ended, and its events are deleted.")


@app.command()
def grade(
    submissions: Annotated[
        Path, typer.Argument(metavar="CLASS", help="A folder of students, or the zip of Canvas or Moodle.")
    ],
    out: Annotated[Path, typer.Option(help="The folder of the report; if you run the command again, it continues.")],
    workers: Annotated[int, typer.Option(min=1, help="Processes that grade.")] = max(1, (os.cpu_count() or 1) // 2),
    scheduler: Annotated[str, typer.Option(metavar="ADDRESS", help="A Dask scheduler whose workers grade.")] = "",
    gradescope: Annotated[bool, typer.Option("--gradescope", help="Write results.json for one student.")] = False,
    moodle: Annotated[
        Path | None, typer.Option(metavar="WORKSHEET", help="Fill in Moodle's grading worksheet.")
    ] = None,
    gradebook: Annotated[Path | None, typer.Option(help="Fill in nbgrader's gradebook.db.")] = None,
    uncaged: Annotated[bool, typer.Option("--uncaged", help="Run learners' code without a cage.")] = False,
) -> None:
    """Grade a class's notebooks into a report: grades.csv, a page for you, and a page for each student."""
    from course_utils.grading.grade_class import Options, grade_class

    options = Options(workers, scheduler, gradescope, moodle, gradebook, caged=not uncaged)
    with Progress(
        *Progress.get_default_columns(), "{task.completed}/{task.total}", console=Console(stderr=True)
    ) as bar:
        tasks_bar = bar.add_task("Grading", total=None)

        def show(done: int, total: int, student: str) -> None:
            bar.update(tasks_bar, completed=done, total=total, description=escape(student) or "Grading")

        try:
            graded = grade_class(submissions, out, options, show)
        except KeyboardInterrupt:
            raise CourseError("Stopped; run the same command again, and it continues.") from None
    refused = sum(mark.verdict == "refused" for each in graded for mark in each.marks)
    print(f"{pluralize(len(graded), 'notebook')} graded; open {out / 'index.html'}.")
    if refused:
        print(f"{pluralize(refused, 'task')} could not be judged; the page lists them first.")


@author.command()
def run(notebooks: Annotated[list[Path], typer.Argument(exists=True)]) -> None:
    """Execute notebooks in place and store them in canonical form."""
    from course_utils.authoring import execute

    execute.run(notebooks)


@author.command()
def check() -> None:
    """List the notebooks that are not in canonical form, with the reasons. The exit code is 1 if there are any."""
    from course_utils.authoring import canonical_form

    violations = [each for path in canonical_form.notebook_paths(ROOT) for each in canonical_form.violations(path)]
    print("\n".join(violations) or "All notebooks are in canonical form.")
    raise typer.Exit(1 if violations else 0)


@author.command()
def exercises() -> None:
    """Generate exercises/ from solutions/."""
    from course_utils.authoring.generate_exercises import generate

    _print_changed(generate(ROOT))


@author.command()
def site(
    links: Annotated[bool, typer.Option("--links", help="Check links to other sites (needs a network).")] = False,
) -> None:
    """Build the course's website in build/site/html from the stored notebooks."""
    from course_utils.authoring.website import build

    folder = ROOT / "build" / "site"
    if links:
        build.check_links(ROOT, folder)
    print("All links answer." if links else f"Open {build.build(ROOT, folder) / 'index.html'} in a browser.")


def _print_changed(changed: list[Path]) -> None:
    print("\n".join(f"Updated {path.relative_to(ROOT)}." for path in changed) or "Everything is up to date.")


def _print_report(report: doctor_report.Report) -> None:
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_row("Course", f"unloop {report.course}")
    table.add_row("Python", f"{report.python} on {report.system}")
    table.add_row("Machine", report.machine)
    table.add_row("Instructions", _instructions_in_words(report.instruction_sets))
    for framework in report.frameworks:
        devices = ", ".join(f"{name} ({description})" for name, description in framework.devices)
        table.add_row(framework.name, f"{framework.version or 'not installed'}  {escape(framework.error) or devices}")
    for name, version in report.libraries.items():
        table.add_row(name, version or "not installed")
    for device, peaks in report.peaks.items():
        table.add_row(f"Limits of {device}", _limits_in_words(device, peaks))
    console = Console(highlight=False)
    console.print(table)
    console.print()
    for problem in report.problems:
        mark = "[bold red]✗[/]" if problem.blocks_learning else "[yellow]–[/]"
        console.print(f"{mark} {escape(problem.sentence)}")
    console.print("[bold green]✓[/] The course runs here." if report.can_learn else "The course does not run here yet.")


def _instructions_in_words(instruction_sets: dict[str, bool]) -> str:
    if not instruction_sets:
        return "unknown, because this operating system doesn't list the processor's instruction sets"
    present = ", ".join(name for name, is_present in instruction_sets.items() if is_present) or "none"
    missing = ", ".join(name for name, is_present in instruction_sets.items() if not is_present) or "none"
    return f"{present}; missing: {missing}"


def _limits_in_words(device: str, peaks: Peaks | None) -> str:
    if peaks is None:
        return f'not measured yet; `machine("{device}")` in lesson 00 measures them'
    flops = ", ".join(f"{dtype} {rate / 1e9:,.0f} GFLOP/s" for dtype, rate in peaks.matmul.items())
    memory = f"{peaks.copy_bandwidths[-1][1] / 1e9:,.0f} GB/s for the largest copy"
    return f"{memory}; matmul {flops}; launch {format_duration(peaks.launch_s(COPYING))} (measured {peaks.date})"
