"""The pages that list what the course holds, in Markdown: lessons, exercises, tested claims and measured results.

Each is derived from the files that exist: a new notebook or recording appears without a change here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
from myst_parser.mdit_to_docutils.base import default_slugify
from nbformat import NotebookNode

from course_utils.authoring.lesson_metadata import Lesson
from course_utils.races import recordings
from course_utils.races.markdown_table import markdown_table

_TASK = re.compile(r"^## \d+ · (?P<title>.*)\n\n\*Level (?P<level>\d)", re.MULTILINE)
_POINTS = re.compile(r"^\*\*What counts\*\* \((?P<points>\d+ points?)\)")
_VERDICT = re.compile(r"\*\*Verdict(?: on the claim)?: (?P<words>.*?)\.?\*\*")
_HEADING = re.compile(r"^#+ (?P<words>.*)$", re.MULTILINE)
_QUOTED = ('"', "“")


def lessons_page(lessons: Iterable[Lesson]) -> str:
    """Return the lessons in order, each with its minutes, its slow and fast code, and what a reader can do after it."""
    lessons = list(lessons)
    hours = sum(lesson.minutes for lesson in lessons) / 60
    introduction = (
        f"{len(lessons)} lessons, about {hours:.0f} hours without the exercises. Lessons 00 to 02 come first. "
        "Then choose: each lesson names the lessons that it builds on. A lesson with a *b* treats the topic of the same number in TensorFlow."
    )
    parts = ["# Lessons", introduction]
    for lesson in lessons:
        objectives = "\n".join(f"- {each}" for each in lesson.objectives)
        parts.append(f"## [{lesson.number} · {lesson.title}](notebooks/{lesson.path.name})")
        parts.append(f"{lesson.minutes} minutes · slow: {lesson.slow} · fast: {lesson.fast}")
        parts.append(f"You can then:\n\n{objectives}" if objectives else "")
    return "\n\n".join([*filter(None, parts), contents(f"notebooks/{lesson.path.stem}" for lesson in lessons)])


def exercises_page(root: Path, names: Iterable[str]) -> str:
    """Return the exercises of each lesson with their levels and points; the solutions are not on the site."""
    names = list(names)
    introduction = (
        "You get a slow loop and write a fast function. `check` reports whether your function is correct, unlooped and fast. "
        "Level 1 applies the lesson, level 2 transfers it to a case that the lesson does not show, and level 3 is a challenge. "
        "To write answers, open the notebook in JupyterLab, Binder or Colab."
    )
    parts = ["# Exercises", introduction]
    for name in names:
        notebook = nbformat.read(root / "exercises" / name, as_version=4)
        rows = "\n".join(f"| {title} | {level} | {points} |" for title, level, points in _tasks(notebook))
        title = notebook.cells[0].source.split("\n")[0].lstrip("# ").removesuffix(": exercises")
        parts.append(f"## [{title}](exercises/{name})\n\n| Exercise | Level | Points |\n|---|---|---|\n{rows}")
    return "\n\n".join([*parts, contents(f"exercises/{Path(name).stem}" for name in names)])


def claims_page(lessons: Iterable[Lesson]) -> str:
    """Return the claims that lessons test, each with its verdict and the section that tests it."""
    rows = [
        f"| {claim.words} | {claim.verdict} | [{lesson.number} · {lesson.title}](notebooks/{lesson.path.name}#{claim.anchor}) |"
        for lesson in lessons
        for claim in _claims(nbformat.read(lesson.path, as_version=4))
    ]
    own = [each for each in lessons if "fact_check" in each.path.stem]
    on_your_machine = "".join(
        f" Lesson [{each.number} · {each.title}](notebooks/{each.path.name}) collects them for your machine."
        for each in own
    )
    return (
        "# What people say, tested\n\n"
        "These claims come from answers about slow loops on the web, in short form. A lesson tests each claim; the link leads to "
        f"the test.{on_your_machine}\n\n"
        "| Claim | Verdict | Tested in |\n|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def results_pages(root: Path) -> Iterator[tuple[str, str]]:
    """Yield name and text of each page of results: an overview, one page per recording, and the tables of
    ``benchmarks/``."""
    pages = []
    for path in sorted((root / "recordings").glob("*.json")):
        results = recordings.load_file(path)
        machines = ", ".join(dict.fromkeys(f"{each.machine}, {each.device}" for each in results))
        text = markdown_table(results).replace("# Races\n", f"# {machines}\n", 1)
        pages.append((path.stem, text))
    tables = [path for path in sorted((root / "benchmarks").glob("*.md")) if path.stem not in dict(pages)]
    pages += [(path.stem, path.read_text(encoding="utf-8")) for path in tables]
    overview = (
        "# Measured results\n\n"
        "`unloop record` runs all races of the lessons and stores the results in one file per machine.\n"
    )
    links = "\n".join(f"- [](results/{name}.md)" for name, _ in pages)
    yield "results.md", f"{overview}\n{links}\n\n{contents(f'results/{name}' for name, _ in pages)}"
    for name, text in pages:
        yield f"results/{name}.md", text


@dataclass(frozen=True)
class _Claim:
    words: str
    verdict: str
    anchor: str


def _claims(notebook: NotebookNode) -> Iterator[_Claim]:
    """Yield the claims of a lesson: a heading in quotes, and the first verdict after it."""
    heading = ""
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        for match in _HEADING.finditer(cell.source):
            if match["words"].startswith(_QUOTED):
                heading = match["words"]
        verdict = _VERDICT.search(cell.source)
        if heading and verdict is not None:
            yield _Claim(heading.replace("|", r"\|"), verdict["words"], default_slugify(_plain(heading)))
            heading = ""


def _plain(heading: str) -> str:
    return heading.replace("`", "")


def _tasks(notebook: NotebookNode) -> Iterator[tuple[str, str, str]]:
    """Yield title, level and points of each task of an exercise notebook."""
    heads = [match for cell in notebook.cells if (match := _TASK.search(cell.source))]
    points = [match for cell in notebook.cells if (match := _POINTS.search(cell.source))]
    return ((head["title"], head["level"], count["points"]) for head, count in zip(heads, points))


def contents(documents: Iterable[str]) -> str:
    """Return a table of contents in Markdown that only the side bar shows."""
    return "\n".join(["```{toctree}", ":hidden:", ":titlesonly:", "", *documents, "```", ""])
