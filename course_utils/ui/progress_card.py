"""The card of a learner's progress, lesson by lesson."""

from __future__ import annotations

import base64
import html

from course_utils import tasks
from course_utils.core.wording import format_ratio, pluralize
from course_utils.learner.certificate import WHOLE, certificate_html
from course_utils.learner.progress import Progress, share_phrase
from course_utils.tasks.task import LEVELS
from course_utils.ui.card import card
from course_utils.ui.page_output import publish


def show_progress(progress: Progress) -> None:
    """Show points and best speed-ups, one line for each task of the course and one for each race."""
    import ipywidgets as widgets

    publish(widgets.HTML(progress_html(progress)), str(progress))


def progress_html(progress: Progress) -> str:
    """Return the card as HTML: a single table, so that all its columns are aligned."""
    solved = sum(entry["points"] >= entry["of"] for entry in progress.tasks.values())
    rows = ""
    for lesson in sorted({*tasks.lessons(), *tasks.lessons("practice")}):
        rows += _heading(_lesson_title(lesson) + _practice(lesson, progress))
        rows += "".join(_task_row(name, progress) for name in tasks.ids(lesson))
    if progress.races:
        rows += _heading("Best speed-ups in races")
    for race, entry in progress.races.items():
        rows += _row("", race, "", format_ratio(entry["ratio"]), f"on {entry['device']}, {entry['date']}")
    head = f"<h3>{solved} of {len(tasks.names())} tasks solved, {pluralize(progress.points, 'point')}</h3>"
    head += f"<p>{progress.predictions}</p>" if progress.guesses else ""
    return card(f"{head}{_certificate(progress)}<table>{rows}</table>", "Progress")


def _certificate(progress: Progress) -> str:
    """Return a link to the capstone's certificate once it is earned; else ''."""
    if not progress.has_certificate:
        return ""
    page = base64.b64encode(certificate_html(vars(progress)).encode()).decode("ascii")
    link = f'<a style="color:inherit" download="certificate.html" href="data:text/html;base64,{page}">Save your certificate</a>'
    report = "" if WHOLE in progress.reports else f" <code>report({WHOLE})</code> adds your report to it."
    return f"<p>Capstone passed. {link}, a page to print, or run <code>progress.certificate(name=…)</code>.{report}</p>"


def _heading(text: str) -> str:
    return f'<tr><th colspan="5" scope="rowgroup">{text}</th></tr>'


def _practice(lesson: str, progress: Progress) -> str:
    """Return how many practice tasks of a lesson are solved, with a tick if all are."""
    names = tasks.ids(lesson, "practice")
    done = sum(name in progress.practice for name in names)
    return f" · your turn: {done} of {len(names)}{' ✓' if done == len(names) else ''}" if names else ""


def _task_row(name: str, progress: Progress) -> str:
    entry = progress.tasks.get(name)
    level = tasks.level_of(name)
    level_phrase = f"level {level}: {LEVELS[level]}"
    if entry is None:
        return _row("–", name, level_phrase, "", "not tried yet")
    mark = "✓" if entry["points"] >= entry["of"] else "✗"
    ratio = "" if entry["ratio"] is None else format_ratio(entry["ratio"])
    hints = progress.hints.get(name, 0)
    result = f"{entry['points']:g} of {pluralize(entry['of'], 'point')}"
    result += f", {pluralize(hints, 'hint')}" if hints else ""
    share = progress.shares.get(name)
    return _row(mark, name, level_phrase, ratio, f"{result}, {share_phrase(share)}" if share else result)


def _row(mark: str, name: str, level: str, ratio: str, result: str) -> str:
    cells = (mark, f"<code>{html.escape(name)}</code>", level, ratio, html.escape(result))
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _lesson_title(lesson: str) -> str:
    number, _, name = lesson.partition("_")
    return html.escape(f"{number} · {name.replace('_', ' ')}")
